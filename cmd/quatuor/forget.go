package main

import (
	"context"
	"time"
)

const (
	// replyLife is how long an answer is kept for whoever repeats the request; docs/api.md says so.
	replyLife = 48 * time.Hour
	// forgetInterval is how often older ones are looked for.
	forgetInterval = time.Hour
)

// forgetReplies deletes, now and every hour, the answers that nobody will ask for again, until ctx ends.
func (a *app) forgetReplies(ctx context.Context) {
	ticker := time.NewTicker(forgetInterval)
	defer ticker.Stop()
	for {
		gone, err := a.store.Replies().ForgetReplies(ctx, time.Now().Add(-replyLife).UnixMilli())
		switch {
		case err != nil && ctx.Err() == nil:
			a.logger.Error("old answers could not be forgotten", "error", err)
		case gone > 0:
			a.logger.Info("old answers forgotten", "count", gone)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
