package app

import (
	"context"
	"errors"
	"time"

	"quatuor/engine/table"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

const (
	// replyRetention is the time that an answer is kept for a client that repeats its request, as documented in
	// docs/api.md.
	replyRetention = 48 * time.Hour
	// retentionInterval is the time between deletions of old rows.
	retentionInterval = time.Hour
)

// forgetReplies deletes, now and every hour, the answers that are older than replyRetention, until ctx ends.
func (a *App) forgetReplies(ctx context.Context) {
	a.forgetOld(ctx, "answers", replyRetention, a.Store.Replies().ForgetReplies)
}

// forgetOld deletes, now and every hour, rows older than a time, until ctx ends.
func (a *App) forgetOld(
	ctx context.Context, what string, age time.Duration, forget func(ctx context.Context, before int64) (int64, error),
) {
	pass := func() {
		gone, err := forget(ctx, a.Tables.ServiceTime().Add(-age).UnixMilli())
		switch {
		case err != nil && ctx.Err() == nil:
			a.logger.Error("old "+what+" could not be forgotten", "error", err)
		case gone > 0:
			a.logger.Info("old "+what+" forgotten", "count", gone)
		}
	}
	pass()
	every(ctx, retentionInterval, pass)
}

// every does something at an interval until ctx ends.
func every(ctx context.Context, interval time.Duration, do func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			do()
		case <-ctx.Done():
			return
		}
	}
}

// attemptInterval is the time between deletions of attempts that no longer count.
const attemptInterval = time.Minute

// forgetAttempts removes, every minute, the debts of attempts that have been paid, until ctx ends: with several
// instances; a single instance has them in memory.
func (a *App) forgetAttempts(ctx context.Context) {
	attempts := a.Store.Attempts()
	if attempts == nil {
		return
	}
	every(ctx, attemptInterval, func() {
		if _, err := attempts.Forget(ctx); err != nil && ctx.Err() == nil {
			a.logger.Warn("old attempts could not be forgotten; trying again", "error", err)
		}
	})
}

// storeUses stores, every minute and in the end, when API tokens were used last, until ctx ends.
func (a *App) storeUses(ctx context.Context) {
	store := func(ctx context.Context) {
		if err := a.Guard.StoreUses(ctx); err != nil && ctx.Err() == nil {
			a.logger.Warn("the last uses of tokens could not be stored; trying again", "error", err)
		}
	}
	every(ctx, time.Minute, func() { store(ctx) })
	store(context.WithoutCancel(ctx))
}

// endedRetention is the time that ended sessions, tokens and links are kept, and the places that an account was used
// from: for as long as these spare an owner the wait that guesses of a password bring.
const endedRetention = 92 * 24 * time.Hour

// forgetEnded deletes, now and every hour, rows that ended longer ago than endedRetention, until ctx ends.
func (a *App) forgetEnded(ctx context.Context) {
	a.forgetOld(ctx, "sessions", endedRetention, a.Store.People().ForgetEnded)
}

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
