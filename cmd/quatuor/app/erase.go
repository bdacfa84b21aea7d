package app

import (
	"context"
	"errors"
	"time"

	"quatuor/engine/table"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// Erase deletes a person, ends the account's streams at all instances, brings open pages of its tournaments up to date,
// and rewrites SQLite's file. If that fails, the person is gone all the same for all but a reader of the file, and
// eraseRest tries again. Games of ladders that a player has not come to are broken off before: after a crash between,
// the two can play another, and the deletion can be repeated.
func (a *App) Erase(ctx context.Context, e club.Erasure) error {
	games, err := a.Store.People().BeforeErase(ctx, e)
	if err != nil {
		return err
	}
	for _, id := range games {
		_, err := a.Tables.AbortIf(ctx, a.Tables.Arrive(id), "", club.LeftLadder,
			func(s *table.Snapshot) error {
				if s.Game.Status == table.Running {
					return club.ErrErasePlaying
				}
				return nil
			})
		if err != nil && !errors.Is(err, table.ErrGameOver) {
			return err
		}
	}
	done, err := a.Store.People().Erase(ctx, e)
	if err != nil {
		return err
	}
	if done.Account != "" {
		a.Guard.AccountChanged(done.Account)
	}
	for _, id := range done.Tournaments {
		t, err := a.Store.Tournaments().Load(ctx, id)
		if err != nil {
			return err
		}
		for _, to := range []director.Audience{director.Staff, director.Public} {
			for _, what := range []director.Topic{director.TopicTournament, director.TopicPairings, director.TopicStandings} {
				a.Director.Notifier.TournamentChanged(t, what, to)
			}
		}
	}
	a.logger.InfoContext(ctx, "person deleted", "player", done.Player, "number", done.Number)
	a.rewrite(context.WithoutCancel(ctx))
	return nil
}

// rewrite rewrites SQLite's file if a person was deleted since it was last rewritten.
func (a *App) rewrite(ctx context.Context) {
	a.rewriting.Lock()
	defer a.rewriting.Unlock()
	if err := a.Store.Rewrite(ctx); err != nil && ctx.Err() == nil {
		a.logger.ErrorContext(ctx, "what was deleted is still to be removed from the database file; trying again within the "+
			"hour", "error", err)
	}
}

// eraseRest rewrites the file, now and every hour, if that is still to be done after a deletion, until ctx ends.
func (a *App) eraseRest(ctx context.Context) {
	a.rewrite(ctx)
	every(ctx, time.Hour, func() { a.rewrite(ctx) })
}
