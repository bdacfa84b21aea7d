package store

import (
	"quatuor/engine/sentence"
	"quatuor/store/internal/db"
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
	Options     db.JSON[map[string]string]
	TieBreaks   db.JSON[[]string]
	Points      db.JSON[tournament.PointSystem]
	Rules       db.JSON[tournament.PairingRules]
	Play        db.JSON[tournament.PlayRules]
	Rated       bool
	Venue       tournament.Venue
	AutoRounds  bool
	LotSeed     string
	FirstColour tournament.Colour
	LastOfA     string
	Forbidden   db.JSON[[]tournament.Ban]
	Prizes      db.JSON[tournament.Prizes]
	CheckIn     tournament.CheckIn
	Status      tournament.Status
	Version     int64
	Organiser   string
	Arbiters    db.JSON[[]string]
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
		TimeControl: t.TimeControl, Options: db.JSONOf(t.Options),
		TieBreaks: db.JSONOf(t.TieBreaks), Points: db.JSONOf(t.Points),
		Rules: db.JSONOf(t.Rules), Play: db.JSONOf(t.Play), Rated: t.Rated, Venue: t.Venue, AutoRounds: t.AutoRounds,
		LotSeed:     t.LotSeed,
		FirstColour: t.FirstColour, LastOfA: t.LastOfA,
		Forbidden: db.JSONOf(t.Forbidden),
		Prizes:    db.JSONOf(t.Prizes), CheckIn: t.CheckIn,
		Status: t.Status, Version: t.Version, Organiser: t.Organiser, Arbiters: db.JSONOf(t.Arbiters),
		CreatedAt: t.CreatedAt, StartsAt: t.StartsAt, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt,
		PublicVersion: t.PublicVersion,
	}
}

func (r *tournamentRow) tournament() *tournament.Tournament {
	return &tournament.Tournament{
		ID: r.ID, Name: r.Name, Variant: r.Variant, Format: r.Format, RoundCount: r.RoundCount,
		TimeControl: r.TimeControl, Options: r.Options.V, TieBreaks: r.TieBreaks.V,
		Points: r.Points.V, Rules: r.Rules.V, Play: r.Play.V, Rated: r.Rated, Venue: r.Venue,
		AutoRounds: r.AutoRounds, LotSeed: r.LotSeed, FirstColour: r.FirstColour, LastOfA: r.LastOfA,
		Forbidden: r.Forbidden.V, Prizes: r.Prizes.V, CheckIn: r.CheckIn,
		Status: r.Status, Version: r.Version, Organiser: r.Organiser, Arbiters: r.Arbiters.V, CreatedAt: r.CreatedAt,
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
	Members       db.JSON[[]string]
	Rating        float64
	Club          string
	Status        tournament.EntryStatus
	WithdrawnFrom int
	Byes          db.JSON[[]tournament.RequestedBye]
	Awaiting      db.JSON[[]string]
	Present       bool
}

func (entryRow) TableName() string { return "entries" }

func toEntryRow(id string, e tournament.Entry, position int) entryRow {
	return entryRow{
		TournamentID: id, ID: e.ID, Position: position, Number: e.Number, Name: e.Name,
		Members: db.JSONOf(e.Members), Rating: e.Rating, Club: e.Club, Status: e.Status,
		WithdrawnFrom: e.WithdrawnFrom,
		Byes:          db.JSONOf(e.Byes),
		Awaiting:      db.JSONOf(e.Awaiting), Present: e.Present,
	}
}

func (r *entryRow) entry() tournament.Entry {
	return tournament.Entry{
		ID: r.ID, Number: r.Number, Name: r.Name, Members: r.Members.V, Rating: r.Rating, Club: r.Club,
		Status: r.Status, WithdrawnFrom: r.WithdrawnFrom,
		Byes:     r.Byes.V,
		Awaiting: r.Awaiting.V, Present: r.Present,
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
	Seats        db.JSON[[]string]
	GameID       string
	Games        int
	Bye          tournament.Bye
	Scores       db.JSON[[]tournament.Points]
	Result       db.JSONOrNull[tournament.Result]
	Adjourned    string
	Earlier      db.JSON[[]tournament.EarlierGame]
	Venue        tournament.Venue
	HallGame     string
	Record       string
}

func (pairingRow) TableName() string { return "pairings" }

func toPairingRow(id string, round int, p tournament.Pairing) pairingRow {
	return pairingRow{
		TournamentID: id, Round: round, Board: p.Board, Seats: db.JSONOf(p.Seats), GameID: p.GameID,
		Games: p.Games, Bye: p.Bye, Scores: db.JSONOf(p.Scores), Result: db.JSONOrNull[tournament.Result]{V: p.Result},
		Adjourned: p.Adjourned,
		Earlier:   db.JSONOf(p.Earlier),
		Venue:     p.Venue, HallGame: p.HallGame, Record: p.Record,
	}
}

func (r *pairingRow) pairing() tournament.Pairing {
	return tournament.Pairing{
		Board: r.Board, Seats: r.Seats.V, GameID: r.GameID, Games: r.Games, Bye: r.Bye, Scores: r.Scores.V,
		Result: r.Result.V, Adjourned: r.Adjourned,
		Earlier: r.Earlier.V,
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
	BeforeResult db.JSONOrNull[tournament.Result]
	AfterResult  db.JSONOrNull[tournament.Result]
	ByAccount    string
	At           int64
	Why          string
	Said         sentence.Stored
}

func (changeRow) TableName() string { return "result_changes" }

func toChangeRow(id string, c tournament.Change) changeRow {
	return changeRow{
		TournamentID: id, Round: c.Round, Board: c.Board, BeforeResult: db.JSONOrNull[tournament.Result]{V: c.Before},
		AfterResult: db.JSONOrNull[tournament.Result]{V: c.After}, ByAccount: c.By, At: c.At, Why: c.Why, Said: c.Said,
	}
}

func (r *changeRow) change() tournament.Change {
	return tournament.Change{
		Round: r.Round, Board: r.Board, Before: r.BeforeResult.V, After: r.AfterResult.V,
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
