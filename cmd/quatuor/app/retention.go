package app

import (
	"context"
	"time"
)

const (
	// replyRetention is how long an answer is kept for a client that repeats its request, as documented in docs/api.md.
	replyRetention = 48 * time.Hour
	// retentionInterval is how often older ones are deleted.
	retentionInterval = time.Hour
)

// forgetReplies deletes, now and every hour, the answers that are older than replyRetention, until ctx ends.
func (a *App) forgetReplies(ctx context.Context) {
	forget := func() {
		gone, err := a.Store.Replies().ForgetReplies(ctx, time.Now().Add(-replyRetention).UnixMilli())
		switch {
		case err != nil && ctx.Err() == nil:
			a.logger.Error("old answers could not be forgotten", "error", err)
		case gone > 0:
			a.logger.Info("old answers forgotten", "count", gone)
		}
	}
	forget()
	every(ctx, retentionInterval, forget)
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

// attemptInterval is how often attempts are forgotten that count no longer.
const attemptInterval = time.Minute

// forgetAttempts removes, every minute, what attempts of people owed and have paid, until ctx ends: at several
// instances; a single one has it in memory.
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

// endedRetention is how long sessions, tokens and links that have ended are kept, and the places from which an account
// was used: for as long as these spare an owner the wait that guesses of a password bring.
const endedRetention = 92 * 24 * time.Hour

// forgetEnded deletes, now and every hour, what ended longer ago than endedRetention, until ctx ends.
func (a *App) forgetEnded(ctx context.Context) {
	forget := func() {
		gone, err := a.Store.People().ForgetEnded(ctx, time.Now().Add(-endedRetention).UnixMilli())
		switch {
		case err != nil && ctx.Err() == nil:
			a.logger.Error("old sessions could not be forgotten", "error", err)
		case gone > 0:
			a.logger.Info("old sessions forgotten", "count", gone)
		}
	}
	forget()
	every(ctx, retentionInterval, forget)
}
