package app

import (
	"context"
	"errors"

	"quatuor/engine/table"
)

// revealEvery is the longest delay of the reveal of line-ups, ms.
const revealEvery = 1000

// repairTournaments completes unfinished work of this instance, and reveals line-ups that are due.
func (a *App) repairTournaments(ctx context.Context) error {
	err := a.Director.Repair(ctx)
	now, last := a.Tables.ServiceTime().UnixMilli(), a.revealed.Load()
	if now-last < revealEvery && now >= last || !a.revealed.CompareAndSwap(last, now) {
		return err
	}
	return errors.Join(err, a.Director.RevealDue(ctx))
}

// ratingsIn returns the ratings of players in the list of a game as they were before a time, or are now if that is 0:
// of the last game or, before that, the ratings they were given.
func (a *App) ratingsIn(
	ctx context.Context, variant, control string, ids []string, before int64,
) (map[string]float64, error) {
	return a.Store.Ratings().Until(ctx, ratingList(variant, control), ids, before)
}

// ratingList returns the rating list of a variant with a time control.
func ratingList(variant, control string) string {
	return listOf(&table.Game{Variant: variant, Controls: []string{control}})
}

// namesOf returns the names of players.
func (a *App) namesOf(ctx context.Context, ids []string) (map[string]string, error) {
	players, err := a.Store.People().Players(ctx, ids)
	names := make(map[string]string, len(players))
	for id, p := range players {
		names[id] = p.Name
	}
	return names, err
}
