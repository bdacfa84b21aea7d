package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
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
	Options      jsonOf[map[string]string]
	Players      jsonOf[[]string]
	Controls     jsonOf[[]string]
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
	Awaited      jsonOf[[]int8]
	Offer        int8
	Clock        jsonOf[clock.State]
	Deadline     int64
	Position     string
	Outcome      jsonOrNull[outcome]
}

func (gameRow) TableName() string { return "games" }

func toGameRow(g *table.Game) gameRow {
	row := gameRow{
		ID: g.ID, Variant: g.Variant, Seats: g.Seats, Seed: g.SeedHex, Nonces: g.Nonces,
		DelayMoves: g.Delay.Moves, DelayMs: g.Delay.Ms, Takebacks: g.Takebacks,
		Options: jsonOf[map[string]string]{g.Options},
		Players: jsonOf[[]string]{g.Players}, Controls: jsonOf[[]string]{g.Controls}, Lag: g.Lag, Rated: g.Rated, Open: g.Open, Code: g.Code, Hall: g.Hall,
		CreatedBy: g.CreatedBy, CreatedAt: g.CreatedAt, StartedAt: g.StartedAt, FinishedAt: g.FinishedAt,
		Status: g.Status, Invited: int(g.Invited), StartsAt: g.StartsAt, Version: g.Version, Turn: g.Turn, Plies: g.Plies, Awaited: jsonOf[[]int8]{g.Awaited},
		Offer: g.Offer, Clock: jsonOf[clock.State]{g.Clock}, Deadline: g.Deadline, Position: g.Position,
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
		Options: r.Options.v, Players: r.Players.v,
		Controls: r.Controls.v, Lag: r.Lag, Rated: r.Rated, Open: r.Open, Code: r.Code, Hall: r.Hall, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt,
		StartedAt: r.StartedAt, FinishedAt: r.FinishedAt, Status: r.Status, Invited: table.SeatSet(r.Invited), StartsAt: r.StartsAt, Version: r.Version, Turn: r.Turn,
		Plies: r.Plies, Awaited: r.Awaited.v, Offer: r.Offer, Clock: r.Clock.v, Deadline: r.Deadline,
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
	Awaited  jsonOf[[]int8]
	Offer    int8
	Clock    jsonOf[clock.State]
	Deadline int64
	Position string
}

func (liveRow) TableName() string { return "live_games" }

func liveOf(g *table.Game) liveRow {
	return liveRow{
		GameID: g.ID, Status: g.Status, Version: g.Version, Turn: g.Turn, Plies: g.Plies, Awaited: jsonOf[[]int8]{g.Awaited},
		Offer: g.Offer, Clock: jsonOf[clock.State]{g.Clock}, Deadline: g.Deadline, Position: g.Position,
	}
}

// fieldsOf returns where to scan a row's columns into, in the order of columnsOf.
func fieldsOf[R any](row *R) []any {
	fields := reflect.ValueOf(row).Elem()
	into := make([]any, fields.NumField())
	for i := range into {
		into[i] = fields.Field(i).Addr().Interface()
	}
	return into
}

// columnsOf returns the names of a row's columns, in the order of its fields.
func columnsOf(row any) []string {
	s, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: a row that is none: %v", err)) // a mistake in the program, seen at its start
	}
	return s.DBNames
}

// liveJoin goes with gameColumns.
const liveJoin = "LEFT JOIN live_games ON live_games.game_id = games.id"

// gameColumns are the columns of a gameRow: of a game that is not over those that its steps change are in live_games.
var gameColumns = func() string {
	live, all := columnsOf(&liveRow{}), columnsOf(&gameRow{})
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

// jsonOf is a column that holds JSON text. What was nil comes back as nil.
type jsonOf[T any] struct{ v T }

// Value returns the text to store.
func (c jsonOf[T]) Value() (driver.Value, error) {
	b, err := json.Marshal(c.v)
	return string(b), err
}

// Scan reads the stored text.
func (c *jsonOf[T]) Scan(src any) error { return scanJSON(src, &c.v) }

// GormDataType names the column's type to gorm.
func (jsonOf[T]) GormDataType() string { return "text" }

// jsonOrNull is a column that holds JSON text, or NULL for nil.
type jsonOrNull[T any] struct{ v *T }

// Value returns the text to store.
func (c jsonOrNull[T]) Value() (driver.Value, error) {
	if c.v == nil {
		return nil, nil //nolint:nilnil // this is how a driver is given NULL
	}
	b, err := json.Marshal(c.v)
	return string(b), err
}

// Scan reads the stored text.
func (c *jsonOrNull[T]) Scan(src any) error {
	c.v = nil
	if src == nil {
		return nil
	}
	return scanJSON(src, &c.v)
}

// GormDataType names the column's type to gorm.
func (jsonOrNull[T]) GormDataType() string { return "text" }

func scanJSON(src, into any) error {
	switch text := src.(type) {
	case string:
		return json.Unmarshal([]byte(text), into)
	case []byte:
		return json.Unmarshal(text, into)
	}
	return fmt.Errorf("store: a column of JSON holds %T", src)
}

// outcome is how an [engine.Outcome] is stored.
type outcome struct {
	Ranks  []int         `json:"ranks"` // null for a void game
	Reason engine.Reason `json:"reason"`
}

func outcomeOf(o *engine.Outcome) jsonOrNull[outcome] {
	if o == nil {
		return jsonOrNull[outcome]{}
	}
	return jsonOrNull[outcome]{&outcome{o.Ranks, o.Reason}}
}

func toOutcome(c jsonOrNull[outcome]) *engine.Outcome {
	if c.v == nil {
		return nil
	}
	return &engine.Outcome{Ranks: c.v.Ranks, Reason: c.v.Reason}
}

// orNull stores an empty text as NULL, where a foreign key or a unique index must not see it.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
