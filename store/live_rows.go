package store

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"quatuor/engine/clock"
	"quatuor/engine/table"
)

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

// liveJoin goes with gameColumns.
const liveJoin = "LEFT JOIN live_games ON live_games.game_id = games.id"

// gameColumns are the columns of a gameRow: of a game that is not over those that its steps change are in live_games.
var gameColumns = func() string {
	columns := func(row any) []string {
		s, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
		if err != nil {
			panic(fmt.Sprintf("store: a row that is none: %v", err)) // a mistake in the program, seen at its start
		}
		return s.DBNames
	}
	live, all := columns(&liveRow{}), columns(&gameRow{})
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
