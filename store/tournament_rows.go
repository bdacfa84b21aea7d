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
	Points      jsonOf[tournament.PointSystem]
	Rules       jsonOf[tournament.PairingRules]
	Play        jsonOf[tournament.PlayRules]
	Rated       bool
	Venue       tournament.Venue
	AutoRounds  bool
	LotSeed     string
	FirstColour tournament.Colour
	LastOfA     string
	Forbidden   jsonOf[[]tournament.Ban]
	Prizes      jsonOf[tournament.Prizes]
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

func toTournamentRow(t *tournament.Tournament) tournamentRow {
	return tournamentRow{
		ID: t.ID, Name: t.Name, Variant: t.Variant, Format: t.Format, RoundCount: t.RoundCount,
		TimeControl: t.TimeControl, Options: jsonOf[map[string]string]{t.Options},
		TieBreaks: jsonOf[[]string]{t.TieBreaks}, Points: jsonOf[tournament.PointSystem]{t.Points},
		Rules: jsonOf[tournament.PairingRules]{t.Rules}, Play: jsonOf[tournament.PlayRules]{t.Play}, Rated: t.Rated, Venue: t.Venue, AutoRounds: t.AutoRounds, LotSeed: t.LotSeed,
		FirstColour: t.FirstColour, LastOfA: t.LastOfA,
		Forbidden: jsonOf[[]tournament.Ban]{t.Forbidden},
		Prizes:    jsonOf[tournament.Prizes]{t.Prizes}, CheckIn: t.CheckIn,
		Status: t.Status, Version: t.Version, Organiser: t.Organiser, Arbiters: jsonOf[[]string]{t.Arbiters},
		CreatedAt: t.CreatedAt, StartsAt: t.StartsAt, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt,
		PublicVersion: t.PublicVersion,
	}
}

func (r *tournamentRow) tournament() *tournament.Tournament {
	return &tournament.Tournament{
		ID: r.ID, Name: r.Name, Variant: r.Variant, Format: r.Format, RoundCount: r.RoundCount,
		TimeControl: r.TimeControl, Options: r.Options.v, TieBreaks: r.TieBreaks.v,
		Points: r.Points.v, Rules: r.Rules.v, Play: r.Play.v, Rated: r.Rated, Venue: r.Venue,
		AutoRounds: r.AutoRounds, LotSeed: r.LotSeed, FirstColour: r.FirstColour, LastOfA: r.LastOfA,
		Forbidden: r.Forbidden.v, Prizes: r.Prizes.v, CheckIn: r.CheckIn,
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
	Byes          jsonOf[[]tournament.RequestedBye]
	Awaiting      jsonOf[[]string]
	Present       bool
}

func (entryRow) TableName() string { return "entries" }

func toEntryRow(id string, e tournament.Entry, position int) entryRow {
	return entryRow{
		TournamentID: id, ID: e.ID, Position: position, Number: e.Number, Name: e.Name,
		Members: jsonOf[[]string]{e.Members}, Rating: e.Rating, Club: e.Club, Status: e.Status,
		WithdrawnFrom: e.WithdrawnFrom,
		Byes:          jsonOf[[]tournament.RequestedBye]{e.Byes},
		Awaiting:      jsonOf[[]string]{e.Awaiting}, Present: e.Present,
	}
}

func (r *entryRow) entry() tournament.Entry {
	return tournament.Entry{
		ID: r.ID, Number: r.Number, Name: r.Name, Members: r.Members.v, Rating: r.Rating, Club: r.Club,
		Status: r.Status, WithdrawnFrom: r.WithdrawnFrom,
		Byes:     r.Byes.v,
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
	Result       jsonOrNull[tournament.Result]
	Adjourned    string
	Earlier      jsonOf[[]tournament.EarlierGame]
	Venue        tournament.Venue
	HallGame     string
	Record       string
}

func (pairingRow) TableName() string { return "pairings" }

func toPairingRow(id string, round int, p tournament.Pairing) pairingRow {
	return pairingRow{
		TournamentID: id, Round: round, Board: p.Board, Seats: jsonOf[[]string]{p.Seats}, GameID: p.GameID,
		Games: p.Games, Bye: p.Bye, Scores: jsonOf[[]tournament.Points]{p.Scores}, Result: jsonOrNull[tournament.Result]{p.Result},
		Adjourned: p.Adjourned,
		Earlier:   jsonOf[[]tournament.EarlierGame]{p.Earlier},
		Venue:     p.Venue, HallGame: p.HallGame, Record: p.Record,
	}
}

func (r *pairingRow) pairing() tournament.Pairing {
	return tournament.Pairing{
		Board: r.Board, Seats: r.Seats.v, GameID: r.GameID, Games: r.Games, Bye: r.Bye, Scores: r.Scores.v,
		Result: r.Result.v, Adjourned: r.Adjourned,
		Earlier: r.Earlier.v,
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

// changeRow is a row of result_changes.
type changeRow struct {
	ID           int64 `gorm:"primaryKey"`
	TournamentID string
	Round        int
	Board        int
	BeforeResult jsonOrNull[tournament.Result]
	AfterResult  jsonOrNull[tournament.Result]
	ByAccount    string
	At           int64
	Why          string
	Said         sentence.Stored
}

func (changeRow) TableName() string { return "result_changes" }

func toChangeRow(id string, c tournament.Change) changeRow {
	return changeRow{
		TournamentID: id, Round: c.Round, Board: c.Board, BeforeResult: jsonOrNull[tournament.Result]{c.Before},
		AfterResult: jsonOrNull[tournament.Result]{c.After}, ByAccount: c.By, At: c.At, Why: c.Why, Said: c.Said,
	}
}

func (r *changeRow) change() tournament.Change {
	return tournament.Change{
		Round: r.Round, Board: r.Board, Before: r.BeforeResult.v, After: r.AfterResult.v,
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
