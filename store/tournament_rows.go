package store

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// tournamentRow is a row of tournaments. EntryCount and LastRound are for lists; the store counts them itself.
type tournamentRow struct {
	ID          string `gorm:"primaryKey"`
	Name        string
	Variant     string
	Format      tournament.Format
	RoundCount  int
	TimeControl string
	Options     jsonOf[map[string]string]
	TieBreaks   jsonOf[[]string]
	Points      jsonOf[pointSystem]
	Rules       jsonOf[pairingRules]
	Play        jsonOf[playRules]
	Rated       bool
	Venue       tournament.Venue
	AutoRounds  bool
	LotSeed     string
	FirstColour tournament.Colour
	LastOfA     string
	Forbidden   jsonOf[[]ban]
	Prizes      jsonOf[prizes]
	CheckIn     tournament.CheckIn
	Status      tournament.Status
	Version     int64
	Organiser   string
	Arbiters    jsonOf[[]string]
	CreatedAt   int64 `gorm:"autoCreateTime:false"`
	StartsAt    int64
	StartedAt   int64
	FinishedAt  int64
	EntryCount  int
	LastRound   int

	PublicVersion int64
}

func (tournamentRow) TableName() string { return "tournaments" }

// pointSystem is how a [tournament.PointSystem] is stored, in tenths.
type pointSystem struct {
	Win         tournament.Points `json:"win"`
	Draw        tournament.Points `json:"draw"`
	Loss        tournament.Points `json:"loss"`
	ForfeitWin  tournament.Points `json:"forfeit_win"`
	ForfeitLoss tournament.Points `json:"forfeit_loss"`
	Bye         tournament.Points `json:"bye"`

	Places tournament.PlacePoints `json:"places,omitzero"`
}

// pairingRules is how [tournament.PairingRules] are stored.
type pairingRules struct {
	Acceleration  tournament.Acceleration `json:"acceleration,omitempty"`
	InitialColour tournament.Colour       `json:"initial_colour,omitempty"`
	FullPointByes bool                    `json:"full_point_byes,omitempty"`
	HalfPointByes int                     `json:"half_point_byes,omitempty"`
	MissedRounds  tournament.Bye          `json:"missed_rounds,omitempty"`
	Match         matchRules              `json:"match,omitzero"`
	Varma         bool                    `json:"varma,omitempty"`
	HideReasons   bool                    `json:"hide_reasons,omitempty"`
	AdjournedDraw bool                    `json:"adjourned_draw,omitempty"`
	Tables        tableRules              `json:"tables,omitzero"`
}

// tableRules is how [tournament.TableRules] are stored.
type tableRules struct {
	Sizes          tournament.TableSizes `json:"sizes,omitempty"` // bit n for a table of n
	Preferred      int                   `json:"preferred,omitempty"`
	MeetingsSecond bool                  `json:"meetings_second,omitempty"`
	Clubs          bool                  `json:"clubs,omitempty"`
	Unseeded       bool                  `json:"unseeded,omitempty"`
	Rotate         bool                  `json:"rotate,omitempty"`
	Short          bool                  `json:"short,omitempty"`
}

// matchRules is how [tournament.KnockoutRules] are stored.
type matchRules struct {
	ThirdPlace      bool                `json:"third_place,omitempty"`
	Replays         int                 `json:"replays,omitempty"`
	TieBreakGames   int                 `json:"tie_break_games,omitempty"`
	TieBreakControl string              `json:"tie_break_time_control,omitempty"`
	Decision        tournament.Decision `json:"decision,omitempty"`
}

// playRules is how [tournament.PlayRules] are stored.
type playRules struct {
	NoShowMs   int64 `json:"no_show_ms,omitempty"`
	NoShows    int   `json:"no_shows,omitempty"`
	DelayMoves int   `json:"delay_moves,omitempty"`
	DelayMs    int64 `json:"delay_ms,omitempty"`
	Takebacks  bool  `json:"takebacks,omitempty"`
	Bots       bool  `json:"bots,omitempty"`
}

func toRules(r tournament.PairingRules) pairingRules {
	return pairingRules{
		Acceleration: r.Acceleration, InitialColour: r.InitialColour, FullPointByes: r.FullPointByes, HalfPointByes: r.HalfPointByes,
		MissedRounds: r.MissedRounds, Match: matchRules(r.Match), Varma: r.Varma, HideReasons: r.HideReasons, AdjournedDraw: r.AdjournedDraw,
		Tables: tableRules(r.Tables),
	}
}

func (r pairingRules) rules() tournament.PairingRules {
	return tournament.PairingRules{
		Acceleration: r.Acceleration, InitialColour: r.InitialColour, FullPointByes: r.FullPointByes, HalfPointByes: r.HalfPointByes,
		MissedRounds: r.MissedRounds, Match: tournament.KnockoutRules(r.Match), Varma: r.Varma, HideReasons: r.HideReasons, AdjournedDraw: r.AdjournedDraw,
		Tables: tournament.TableRules(r.Tables),
	}
}

// ban is how a [tournament.Ban] is stored.
type ban struct {
	Entries []string `json:"entries"`
	First   int      `json:"first,omitempty"`
	Last    int      `json:"last,omitempty"`
	Why     string   `json:"why,omitempty"`
}

// prizes is how [tournament.Prizes] are stored.
type prizes struct {
	Sharing    string          `json:"sharing,omitempty"`
	Unit       int64           `json:"unit,omitempty"`
	Several    bool            `json:"several,omitempty"`
	Categories []prizeCategory `json:"categories,omitempty"`
}

type prizeCategory struct {
	Name       string   `json:"name"`
	Prizes     []prize  `json:"prizes"`
	RatingFrom float64  `json:"rating_from,omitempty"`
	RatingTo   float64  `json:"rating_to,omitempty"`
	Unrated    bool     `json:"unrated,omitempty"`
	AgeFrom    int      `json:"age_from,omitempty"`
	AgeTo      int      `json:"age_to,omitempty"`
	Clubs      []string `json:"clubs,omitempty"`
}

type prize struct {
	Amount int64  `json:"amount,omitempty"`
	Text   string `json:"text,omitempty"`
}

func toPrizes(p tournament.Prizes) prizes {
	return prizes{
		Sharing: p.Sharing, Unit: p.Unit, Several: p.Several,
		Categories: each(p.Categories, func(c tournament.PrizeCategory) prizeCategory {
			return prizeCategory{
				Name: c.Name, Prizes: each(c.Prizes, func(p tournament.Prize) prize { return prize(p) }), RatingFrom: c.RatingFrom,
				RatingTo: c.RatingTo, Unrated: c.Unrated, AgeFrom: c.AgeFrom, AgeTo: c.AgeTo, Clubs: c.Clubs,
			}
		}),
	}
}

func (p prizes) prizes() tournament.Prizes {
	return tournament.Prizes{
		Sharing: p.Sharing, Unit: p.Unit, Several: p.Several,
		Categories: each(p.Categories, func(c prizeCategory) tournament.PrizeCategory {
			return tournament.PrizeCategory{
				Name: c.Name, Prizes: each(c.Prizes, func(p prize) tournament.Prize { return tournament.Prize(p) }), RatingFrom: c.RatingFrom,
				RatingTo: c.RatingTo, Unrated: c.Unrated, AgeFrom: c.AgeFrom, AgeTo: c.AgeTo, Clubs: c.Clubs,
			}
		}),
	}
}

// each converts a list, of which nil stays nil.
func each[A, B any](list []A, convert func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = convert(v)
	}
	return out
}

func toTournamentRow(t *tournament.Tournament) tournamentRow {
	return tournamentRow{
		ID: t.ID, Name: t.Name, Variant: t.Variant, Format: t.Format, RoundCount: t.RoundCount,
		TimeControl: t.TimeControl, Options: jsonOf[map[string]string]{t.Options},
		TieBreaks: jsonOf[[]string]{t.TieBreaks}, Points: jsonOf[pointSystem]{pointSystem(t.Points)},
		Rules: jsonOf[pairingRules]{toRules(t.Rules)}, Play: jsonOf[playRules]{playRules(t.Play)}, Rated: t.Rated, Venue: t.Venue, AutoRounds: t.AutoRounds, LotSeed: t.LotSeed,
		FirstColour: t.FirstColour, LastOfA: t.LastOfA,
		Forbidden: jsonOf[[]ban]{each(t.Forbidden, func(b tournament.Ban) ban { return ban(b) })},
		Prizes:    jsonOf[prizes]{toPrizes(t.Prizes)}, CheckIn: t.CheckIn,
		Status: t.Status, Version: t.Version, Organiser: t.Organiser, Arbiters: jsonOf[[]string]{t.Arbiters},
		CreatedAt: t.CreatedAt, StartsAt: t.StartsAt, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt,
		PublicVersion: t.PublicVersion,
	}
}

func (r *tournamentRow) tournament() *tournament.Tournament {
	return &tournament.Tournament{
		ID: r.ID, Name: r.Name, Variant: r.Variant, Format: r.Format, RoundCount: r.RoundCount,
		TimeControl: r.TimeControl, Options: r.Options.v, TieBreaks: r.TieBreaks.v,
		Points: tournament.PointSystem(r.Points.v), Rules: r.Rules.v.rules(), Play: tournament.PlayRules(r.Play.v), Rated: r.Rated, Venue: r.Venue,
		AutoRounds: r.AutoRounds, LotSeed: r.LotSeed, FirstColour: r.FirstColour, LastOfA: r.LastOfA,
		Forbidden: each(r.Forbidden.v, func(b ban) tournament.Ban { return tournament.Ban(b) }), Prizes: r.Prizes.v.prizes(), CheckIn: r.CheckIn,
		Status: r.Status, Version: r.Version, Organiser: r.Organiser, Arbiters: r.Arbiters.v, CreatedAt: r.CreatedAt,
		StartsAt: r.StartsAt, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt, PublicVersion: r.PublicVersion,
	}
}

// entryRow is a row of entries; Position keeps the order of registration.
type entryRow struct {
	TournamentID  string `gorm:"primaryKey"`
	ID            string `gorm:"primaryKey"`
	Position      int
	Number        int
	Name          string
	Members       jsonOf[[]string]
	Rating        float64
	Club          string
	Status        tournament.EntryStatus
	WithdrawnFrom int
	Byes          jsonOf[[]requestedBye]
	Awaiting      jsonOf[[]string]
	Present       bool
}

// requestedBye is how a [tournament.RequestedBye] is stored.
type requestedBye struct {
	Round int            `json:"round"`
	Bye   tournament.Bye `json:"bye"`
}

func (entryRow) TableName() string { return "entries" }

func toEntryRow(id string, e tournament.Entry, position int) entryRow {
	return entryRow{
		TournamentID: id, ID: e.ID, Position: position, Number: e.Number, Name: e.Name,
		Members: jsonOf[[]string]{e.Members}, Rating: e.Rating, Club: e.Club, Status: e.Status,
		WithdrawnFrom: e.WithdrawnFrom,
		Byes:          jsonOf[[]requestedBye]{each(e.Byes, func(b tournament.RequestedBye) requestedBye { return requestedBye(b) })},
		Awaiting:      jsonOf[[]string]{e.Awaiting}, Present: e.Present,
	}
}

func (r *entryRow) entry() tournament.Entry {
	return tournament.Entry{
		ID: r.ID, Number: r.Number, Name: r.Name, Members: r.Members.v, Rating: r.Rating, Club: r.Club,
		Status: r.Status, WithdrawnFrom: r.WithdrawnFrom,
		Byes:     each(r.Byes.v, func(b requestedBye) tournament.RequestedBye { return tournament.RequestedBye(b) }),
		Awaiting: r.Awaiting.v, Present: r.Present,
	}
}

// memberRow finds the tournaments of a player.
type memberRow struct {
	TournamentID string `gorm:"primaryKey"`
	EntryID      string `gorm:"primaryKey"`
	PlayerID     string `gorm:"primaryKey"`
}

func (memberRow) TableName() string { return "entry_members" }

// roundRow is a row of rounds.
type roundRow struct {
	TournamentID string `gorm:"primaryKey"`
	Number       int    `gorm:"primaryKey;autoIncrement:false"`
	Status       tournament.RoundStatus
	PublishedAt  int64
	StartsAt     int64
	Together     bool
}

func (roundRow) TableName() string { return "rounds" }

// pairingRow is a row of pairings.
type pairingRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Board        int    `gorm:"primaryKey;autoIncrement:false"`
	Seats        jsonOf[[]string]
	GameID       string
	Games        int
	Bye          tournament.Bye
	Scores       jsonOf[[]tournament.Points]
	Result       jsonOrNull[result]
	Adjourned    string
	Earlier      jsonOf[[]earlierGame]
	Venue        tournament.Venue
	HallGame     string
	Record       string
}

// earlierGame is how a [tournament.EarlierGame] is stored.
type earlierGame struct {
	ID     string   `json:"id"`
	Number int      `json:"number"`
	Seats  []string `json:"seats"`
	Ranks  []int    `json:"ranks,omitempty"`
	Reason string   `json:"reason"`
}

func (pairingRow) TableName() string { return "pairings" }

func toPairingRow(id string, round int, p tournament.Pairing) pairingRow {
	return pairingRow{
		TournamentID: id, Round: round, Board: p.Board, Seats: jsonOf[[]string]{p.Seats}, GameID: p.GameID,
		Games: p.Games, Bye: p.Bye, Scores: jsonOf[[]tournament.Points]{p.Scores}, Result: resultOf(p.Result),
		Adjourned: p.Adjourned,
		Earlier:   jsonOf[[]earlierGame]{each(p.Earlier, func(g tournament.EarlierGame) earlierGame { return earlierGame(g) })},
		Venue:     p.Venue, HallGame: p.HallGame, Record: p.Record,
	}
}

func (r *pairingRow) pairing() tournament.Pairing {
	return tournament.Pairing{
		Board: r.Board, Seats: r.Seats.v, GameID: r.GameID, Games: r.Games, Bye: r.Bye, Scores: r.Scores.v,
		Result: toResult(r.Result), Adjourned: r.Adjourned,
		Earlier: each(r.Earlier.v, func(g earlierGame) tournament.EarlierGame { return tournament.EarlierGame(g) }),
		Venue:   r.Venue, HallGame: r.HallGame, Record: r.Record,
	}
}

// snapshotRow is a row of round_snapshots.
type snapshotRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Text         string
}

func (snapshotRow) TableName() string { return "round_snapshots" }

// result is how a [tournament.Result] is stored.
type result struct {
	Ranks   []int               `json:"ranks"`
	Points  []tournament.Points `json:"points"` // tenths
	Forfeit bool                `json:"forfeit"`
	Source  tournament.Source   `json:"source"`
	Reason  string              `json:"reason"`

	Adjudicated bool `json:"adjudicated,omitempty"`
	Rated       bool `json:"rated,omitempty"`
}

func resultOf(r *tournament.Result) jsonOrNull[result] {
	if r == nil {
		return jsonOrNull[result]{}
	}
	stored := result(*r)
	return jsonOrNull[result]{&stored}
}

func toResult(c jsonOrNull[result]) *tournament.Result {
	if c.v == nil {
		return nil
	}
	r := tournament.Result(*c.v)
	return &r
}

// changeRow is a row of result_changes.
type changeRow struct {
	ID           int64 `gorm:"primaryKey"`
	TournamentID string
	Round        int
	Board        int
	BeforeResult jsonOrNull[result]
	AfterResult  jsonOrNull[result]
	ByAccount    string
	At           int64
	Why          string
	Said         sentence.Stored
}

func (changeRow) TableName() string { return "result_changes" }

func toChangeRow(id string, c tournament.Change) changeRow {
	return changeRow{
		TournamentID: id, Round: c.Round, Board: c.Board, BeforeResult: resultOf(c.Before),
		AfterResult: resultOf(c.After), ByAccount: c.By, At: c.At, Why: c.Why, Said: c.Said,
	}
}

func (r *changeRow) change() tournament.Change {
	return tournament.Change{
		Round: r.Round, Board: r.Board, Before: toResult(r.BeforeResult), After: toResult(r.AfterResult),
		By: r.ByAccount, At: r.At, Why: r.Why, Said: r.Said,
	}
}

// actRow is a row of tournament_acts.
type actRow struct {
	ID           int64 `gorm:"primaryKey"`
	TournamentID string
	Version      int64
	Kind         tournament.ActKind
	ByAccount    string
	At           int64
	Round        int
	Board        int
	EntryID      string
	BeforeResult string
	AfterResult  string
	Why          string
	Said         sentence.Stored
	Undo         string
}

func (actRow) TableName() string { return "tournament_acts" }

func toActRow(id string, a tournament.Act) actRow {
	return actRow{
		TournamentID: id, Version: a.Version, Kind: a.Kind, ByAccount: a.By, At: a.At, Round: a.Round, Board: a.Board,
		EntryID: a.Entry, BeforeResult: a.Before, AfterResult: a.After, Why: a.Why, Said: a.Said, Undo: a.Undo,
	}
}

func (r *actRow) act() tournament.Act {
	return tournament.Act{
		Version: r.Version, Kind: r.Kind, By: r.ByAccount, At: r.At, Round: r.Round, Board: r.Board, Entry: r.EntryID,
		Before: r.BeforeResult, After: r.AfterResult, Why: r.Why, Said: r.Said, Undo: r.Undo,
	}
}
