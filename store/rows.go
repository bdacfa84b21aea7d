package store

import (
	"slices"
	"strings"

	"gorm.io/gorm"

	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
)

// gameRow is a row of games. Seed and Position may be secrets of the game.
type gameRow struct {
	table.Game   `gorm:"embedded"`
	TournamentID *string
	Round        int
	Board        int
}

func (gameRow) TableName() string { return "games" }

func toGameRow(g *table.Game) gameRow {
	row := gameRow{Game: *g}
	if p := g.Tournament; p != nil {
		row.TournamentID = &p.ID
		row.Round = p.Round
		row.Board = p.Board
	}
	row.Tournament, row.Uses = nil, nil
	return row
}

func (r *gameRow) game() table.Game {
	g := r.Game
	if r.TournamentID != nil {
		g.Tournament = &table.Place{ID: *r.TournamentID, Round: r.Round, Board: r.Board}
	}
	return g
}

type lineRow struct {
	GameID     string `gorm:"primaryKey"`
	table.Line `gorm:"embedded"`
}

func (lineRow) TableName() string { return "lines" }

func (r *lineRow) line() table.Line { return r.Line }

// gamePlayerRow finds a player's games.
type gamePlayerRow struct {
	PlayerID  string `gorm:"primaryKey"`
	CreatedAt int64  `gorm:"primaryKey;autoIncrement:false;autoCreateTime:false"`
	GameID    string `gorm:"primaryKey"`
}

func (gamePlayerRow) TableName() string { return "game_players" }

// liveRow is a row of live_games: the columns of an unfinished game that its steps change. Its version guards every
// step. The columns of the same names in games are filled when the game ends, and until then out of date, except for
// the status. So a move writes a narrow row of a table that is as small as the number of games in play.
type liveRow struct {
	GameID   string `gorm:"primaryKey"`
	Status   table.Status
	Version  int64
	Turn     int
	Plies    int
	Awaited  []int8 `gorm:"serializer:text"`
	Offer    int8
	Clock    clock.State `gorm:"serializer:text"`
	Deadline int64
	Position string
}

func (liveRow) TableName() string { return "live_games" }

func liveOf(g *table.Game) liveRow {
	return liveRow{
		GameID: g.ID, Status: g.Status, Version: g.Version, Turn: g.Turn, Plies: g.Plies, Awaited: g.Awaited,
		Offer: g.Offer, Clock: g.Clock, Deadline: g.Deadline, Position: g.Position,
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
