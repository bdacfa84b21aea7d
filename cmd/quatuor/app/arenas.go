package app

import (
	"context"
	"time"

	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/tournament/director"
)

// lookInterval is the time between looks at running arenas: no tick is shorter.
const lookInterval = time.Second

// runArenas looks after the running arenas until ctx ends.
func (a *App) runArenas(ctx context.Context) {
	a.config.LookAfter(ctx, func() bool {
		if a.Tables.Ready() != nil {
			return false // games are suspended, and arenas with them
		}
		if err := a.Director.TickArenas(ctx); err != nil && ctx.Err() == nil {
			a.logger.Error("an arena could not be looked after; trying again", "error", err)
		}
		return true
	})
}

// arenas implements director.Arenas on the store and the tables.
type arenas struct {
	*store.Tournaments
	games  *store.Games
	tables *table.Tables
}

// NewArenas returns the arenas of a store and its tables.
func NewArenas(db *store.Store, tables *table.Tables) director.Arenas {
	return arenas{db.Tournaments(), db.Games(), tables}
}

func (a arenas) Playing(ctx context.Context, players []string) (map[string]bool, error) {
	return a.games.Playing(ctx, players, a.tables.Time())
}

func (a arenas) Played(ctx context.Context, gameID string) (moves, berserk []int, err error) {
	s, err := a.tables.Snapshot(ctx, gameID)
	if err != nil {
		return nil, nil, err
	}
	for seat := 1; seat <= s.Game.Seats; seat++ {
		if s.PlaysBerserk(int8(seat)) {
			berserk = append(berserk, seat)
		}
	}
	return s.Moves(), berserk, nil
}
