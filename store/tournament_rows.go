package store

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// tournamentRow is a row of tournaments. EntryCount and LastRound are for lists; the store counts them itself.
type tournamentRow struct {
	Tournament tournamentColumns `gorm:"embedded"`
	EntryCount int
	LastRound  int
}

// tournamentColumns has the fields of a [tournament.Tournament].
type tournamentColumns struct {
	ID            string `gorm:"primaryKey"`
	Name          string
	Variant       string
	Format        tournament.Format
	RoundCount    int
	TimeControl   string
	Options       map[string]string       `gorm:"serializer:text"`
	TieBreaks     []string                `gorm:"serializer:text"`
	Points        tournament.PointSystem  `gorm:"serializer:text"`
	Rules         tournament.PairingRules `gorm:"serializer:text"`
	Teams         *tournament.TeamRules   `json:",omitempty" gorm:"serializer:null"`
	Play          tournament.PlayRules    `gorm:"serializer:text"`
	Rated         bool
	Venue         tournament.Venue
	AutoRounds    bool
	MaxEntries    int `json:",omitempty"`
	LotSeed       string
	FirstColour   tournament.Colour
	EarlierSeats  bool `json:",omitempty"`
	LastOfA       string
	Forbidden     []tournament.Ban   `gorm:"serializer:text"`
	Bonuses       []tournament.Bonus `json:",omitempty" gorm:"serializer:null"`
	Prizes        tournament.Prizes  `gorm:"serializer:text"`
	CheckIn       tournament.CheckIn
	Status        tournament.Status
	Version       int64
	PublicVersion int64
	Organiser     string
	Arbiters      []string `gorm:"serializer:text"`
	CreatedAt     int64    `gorm:"autoCreateTime:false"`
	StartsAt      int64
	StartedAt     int64
	FinishedAt    int64
	tournament.ArenaState
	Entries []tournament.Entry `gorm:"-"`
	Rounds  []tournament.Round `gorm:"-"`
}

func (tournamentRow) TableName() string { return "tournaments" }

func toTournamentRow(t *tournament.Tournament) tournamentRow {
	return tournamentRow{Tournament: tournamentColumns(*t)}
}

// entryRow is a row of entries; Position keeps the order of registration.
type entryRow struct {
	TournamentID string       `gorm:"primaryKey"`
	Entry        entryColumns `gorm:"embedded"`
	Position     int
}

// entryColumns has the fields of a [tournament.Entry].
type entryColumns struct {
	ID            string `gorm:"primaryKey"`
	Number        int
	Name          string
	Members       []string `gorm:"serializer:text"`
	Rating        float64
	Club          string
	Status        tournament.EntryStatus
	WithdrawnFrom int
	Byes          []tournament.RequestedBye `gorm:"serializer:text"`
	Present       bool
	tournament.KeizerPresence
	tournament.ArenaPresence
	Captain  string   `json:",omitempty"`
	Deputies []string `json:",omitempty" gorm:"serializer:null"`
	Awaiting []string `gorm:"serializer:text"`
}

func (entryRow) TableName() string { return "entries" }

// memberRow finds the tournaments of a player.
type memberRow struct {
	TournamentID string `gorm:"primaryKey"`
	EntryID      string `gorm:"primaryKey"`
	PlayerID     string `gorm:"primaryKey"`
}

func (memberRow) TableName() string { return "entry_members" }

// leaderRow finds the tournaments of a captain or deputy outside the team.
type leaderRow memberRow

func (leaderRow) TableName() string { return "entry_leaders" }

type roundRow struct {
	TournamentID string `gorm:"primaryKey"`
	Number       int    `gorm:"primaryKey;autoIncrement:false"`
	Status       tournament.RoundStatus
	PublishedAt  int64
	StartsAt     int64
	Together     bool
	LineUpsDue   int64
}

func (roundRow) TableName() string { return "rounds" }

type pairingRow struct {
	TournamentID string         `gorm:"primaryKey"`
	Round        int            `gorm:"primaryKey;autoIncrement:false"`
	Pairing      pairingColumns `gorm:"embedded"`
}

// pairingColumns has the fields of a [tournament.Pairing].
type pairingColumns struct {
	Board      int      `gorm:"primaryKey;autoIncrement:false"`
	Seats      []string `gorm:"serializer:text"`
	GameID     string
	Games      int
	Bye        tournament.Bye
	Scores     []tournament.Points      `gorm:"serializer:text"`
	Result     *tournament.Result       `gorm:"serializer:null"`
	Earlier    []tournament.EarlierGame `gorm:"serializer:text"`
	Adjourned  string
	Venue      tournament.Venue
	HallGame   string
	Record     string
	Boards     []tournament.MatchBoard `json:",omitempty" gorm:"serializer:null"`
	LineUpsDue int64                   `json:",omitempty"`
	Date       *tournament.MatchDate   `json:",omitempty" gorm:"serializer:null"`
	Arena      *tournament.ArenaGame   `json:",omitempty" gorm:"serializer:null"`
}

func (pairingRow) TableName() string { return "pairings" }

type snapshotRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Text         string
}

func (snapshotRow) TableName() string { return "round_snapshots" }

type changeRow struct {
	ID           int64 `gorm:"primaryKey"`
	TournamentID string
	Change       changeColumns `gorm:"embedded"`
}

// changeColumns has the fields of a [tournament.Change].
type changeColumns struct {
	Round, Board int
	Before       *tournament.Result `gorm:"column:before_result;serializer:null"`
	After        *tournament.Result `gorm:"column:after_result;serializer:null"`
	By           string             `gorm:"column:by_account"`
	At           int64
	Why          string
	Said         sentence.Stored
}

func (changeRow) TableName() string { return "result_changes" }

type actRow struct {
	ID           int64 `gorm:"primaryKey"`
	TournamentID string
	Act          actColumns `gorm:"embedded"`
}

// actColumns has the fields of a [tournament.Act].
type actColumns struct {
	Version      int64
	Kind         tournament.ActKind
	By           string `gorm:"column:by_account"`
	At           int64
	Round, Board int
	Entry        string `gorm:"column:entry_id"`
	Before       string `gorm:"column:before_result"`
	After        string `gorm:"column:after_result"`
	Why          string
	Said         sentence.Stored
	Undo         string
}

func (actRow) TableName() string { return "tournament_acts" }
