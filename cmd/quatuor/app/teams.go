package app

import (
	"context"
	"errors"

	"quatuor/engine/table"
)

// revealEvery bounds how late the line-ups of teams are revealed, ms.
const revealEvery = 1000

// repairTournaments completes what this instance has left undone, and reveals line-ups that are due.
func (a *App) repairTournaments(ctx context.Context) error {
	err := a.Director.Repair(ctx)
	now, last := a.Tables.Time().UnixMilli(), a.revealed.Load()
	if now-last < revealEvery && now >= last || !a.revealed.CompareAndSwap(last, now) {
		return err
	}
	return errors.Join(err, a.Director.RevealDue(ctx))
}

// ratingsIn returns the ratings of players in the list of a game, or what they were given to start with.
func (a *App) ratingsIn(ctx context.Context, variant, control string, ids []string) (map[string]float64, error) {
	list := listOf(&table.Game{Variant: variant, Controls: []string{control}})
	players, err := a.Store.People().Players(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string]float64)
	for _, id := range ids {
		if r := players[id].Rating[list]; r > 0 {
			out[id] = r
		}
		rows, err := a.Store.Ratings().OfPlayer(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.List == list {
				out[id] = r.Rating.Value
			}
		}
	}
	return out, nil
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
