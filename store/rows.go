package store

import (
	"slices"
	"strings"

	"gorm.io/gorm"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
)

// gameRow is a row of games. Seed and Position may be secrets of the game.
type gameRow struct {
	ID           string `gorm:"primaryKey"`
	Variant      string
	Seats        int
	Seed         string
	Nonces       bool
	DelayMoves   int
	DelayMs      int64
	Takebacks    bool
	Options      db.JSON[map[string]string]
	Players      db.JSON[[]string]
	Controls     db.JSON[[]string]
	Lag          bool
	Rated        bool
	Open         bool
	Code         string
	TournamentID *string
	Round        int
	Board        int
	Hall         bool
	CreatedBy    string
	CreatedAt    int64 `gorm:"autoCreateTime:false"`
	StartedAt    int64
	FinishedAt   int64
	Status       table.Status
	Invited      int
	StartsAt     int64
	Version      int64
	Turn         int
	Plies        int
	Awaited      db.JSON[[]int8]
	Offer        int8
	Clock        db.JSON[clock.State]
	Deadline     int64
	Position     string
	Outcome      db.JSONOrNull[outcome]
}

func (gameRow) TableName() string { return "games" }

func toGameRow(g *table.Game) gameRow {
	row := gameRow{
		ID: g.ID, Variant: g.Variant, Seats: g.Seats, Seed: g.SeedHex, Nonces: g.Nonces,
		DelayMoves: g.Delay.Moves, DelayMs: g.Delay.Ms, Takebacks: g.Takebacks,
		Options: db.JSONOf(g.Options),
		Players: db.JSONOf(g.Players), Controls: db.JSONOf(g.Controls), Lag: g.Lag, Rated: g.Rated, Open: g.Open,
		Code: g.Code, Hall: g.Hall,
		CreatedBy: g.CreatedBy, CreatedAt: g.CreatedAt, StartedAt: g.StartedAt, FinishedAt: g.FinishedAt,
		Status: g.Status, Invited: int(g.Invited), StartsAt: g.StartsAt, Version: g.Version, Turn: g.Turn, Plies: g.Plies,
		Awaited: db.JSONOf(g.Awaited),
		Offer:   g.Offer, Clock: db.JSONOf(g.Clock), Deadline: g.Deadline, Position: g.Position,
		Outcome: outcomeOf(g.Outcome),
	}
	if p := g.Tournament; p != nil {
		row.TournamentID, row.Round, row.Board = &p.ID, p.Round, p.Board
	}
	return row
}

func (r *gameRow) game() table.Game {
	g := table.Game{
		ID: r.ID, Variant: r.Variant, Seats: r.Seats, SeedHex: r.Seed, Nonces: r.Nonces,
		Delay: table.Delay{Moves: r.DelayMoves, Ms: r.DelayMs}, Takebacks: r.Takebacks,
		Options: r.Options.V, Players: r.Players.V,
		Controls: r.Controls.V, Lag: r.Lag, Rated: r.Rated, Open: r.Open, Code: r.Code, Hall: r.Hall, CreatedBy: r.CreatedBy,
		CreatedAt: r.CreatedAt,
		StartedAt: r.StartedAt, FinishedAt: r.FinishedAt, Status: r.Status, Invited: table.SeatSet(r.Invited),
		StartsAt: r.StartsAt, Version: r.Version, Turn: r.Turn,
		Plies: r.Plies, Awaited: r.Awaited.V, Offer: r.Offer, Clock: r.Clock.V, Deadline: r.Deadline,
		Position: r.Position, Outcome: toOutcome(r.Outcome),
	}
	if r.TournamentID != nil {
		g.Tournament = &table.Place{ID: *r.TournamentID, Round: r.Round, Board: r.Board}
	}
	return g
}

// lineRow is a row of lines.
type lineRow struct {
	GameID    string `gorm:"primaryKey"`
	N         int64  `gorm:"primaryKey;autoIncrement:false"`
	Kind      table.LineKind
	Seat      int8
	Text      string
	At        int64
	Turn      int
	Elapsed   int64
	Claimed   *int64
	Remaining int64
	ByAccount string
	Said      sentence.Stored
}

func (lineRow) TableName() string { return "lines" }

func toLineRow(gameID string, l *table.Line) *lineRow {
	return &lineRow{
		GameID: gameID, N: l.N, Kind: l.Kind, Seat: l.Seat, Text: l.Text, At: l.At, Turn: l.Turn, Elapsed: l.Elapsed,
		Claimed: l.Claimed, Remaining: l.Remaining, ByAccount: l.By, Said: l.Said,
	}
}

func (r *lineRow) line() table.Line {
	return table.Line{
		N: r.N, Kind: r.Kind, Seat: r.Seat, Text: r.Text, At: r.At, Turn: r.Turn, Elapsed: r.Elapsed,
		Claimed: r.Claimed, Remaining: r.Remaining, By: r.ByAccount, Said: r.Said,
	}
}

// gamePlayerRow finds a player's games.
type gamePlayerRow struct {
	PlayerID  string `gorm:"primaryKey"`
	CreatedAt int64  `gorm:"primaryKey;autoIncrement:false;autoCreateTime:false"`
	GameID    string `gorm:"primaryKey"`
}

func (gamePlayerRow) TableName() string { return "game_players" }

// liveRow is a row of live_games: of a game that is not over, what its steps change. Here is its version, which guards
// every step. The columns of the same names in games are filled when the game ends, and until then out of date, but for
// the status. So a move writes a narrow row of a table that is as small as the number of games that are played.
type liveRow struct {
	GameID   string `gorm:"primaryKey"`
	Status   table.Status
	Version  int64
	Turn     int
	Plies    int
	Awaited  db.JSON[[]int8]
	Offer    int8
	Clock    db.JSON[clock.State]
	Deadline int64
	Position string
}

func (liveRow) TableName() string { return "live_games" }

func liveOf(g *table.Game) liveRow {
	return liveRow{
		GameID: g.ID, Status: g.Status, Version: g.Version, Turn: g.Turn, Plies: g.Plies, Awaited: db.JSONOf(g.Awaited),
		Offer: g.Offer, Clock: db.JSONOf(g.Clock), Deadline: g.Deadline, Position: g.Position,
	}
}

// liveJoin goes with gameColumns.
const liveJoin = "LEFT JOIN live_games ON live_games.game_id = games.id"

// gameColumns are the columns of a gameRow: of a game that is not over those that its steps change are in live_games.
var gameColumns = func() string {
	live, all := db.ColumnsOf(&liveRow{}), db.ColumnsOf(&gameRow{})
	for i, name := range all {
		all[i] = "games." + name
		if slices.Contains(live, name) {
			all[i] = "coalesce(live_games." + name + ", games." + name + ") AS " + name
		}
	}
	return strings.Join(all, ", ")
}()

// games begins a query for gameRows.
func games(reads *gorm.DB) *gorm.DB {
	return reads.Model(&gameRow{}).Select(gameColumns).Joins(liveJoin)
}

// outcome is how an [engine.Outcome] is stored.
type outcome struct {
	Ranks  []int         `json:"ranks"` // null for a void game
	Reason engine.Reason `json:"reason"`
}

func outcomeOf(o *engine.Outcome) db.JSONOrNull[outcome] {
	if o == nil {
		return db.JSONOrNull[outcome]{}
	}
	return db.JSONOrNull[outcome]{V: &outcome{o.Ranks, o.Reason}}
}

func toOutcome(c db.JSONOrNull[outcome]) *engine.Outcome {
	if c.V == nil {
		return nil
	}
	return &engine.Outcome{Ranks: c.V.Ranks, Reason: c.V.Reason}
}
