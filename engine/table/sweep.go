package table

import (
	"context"
	"time"
)

const (
	// overdue is how long after its deadline a flag may fall by the process that armed it.
	overdue = time.Second
	// sweepShare bounds the time that sweeping takes: one part in so many.
	sweepShare = 20
)

// sweep looks every second for flags that should have fallen and have not, because the process that armed them is
// gone, and arms them here. It is needed only where the journal is shared.
func (t *Tables) sweep(ctx context.Context) {
	timer := time.NewTimer(overdue)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		began := t.since()
		if !t.still.stands() {
			t.sweepOnce(ctx)
		}
		timer.Reset(max(overdue, sweepShare*(t.since()-began)))
	}
}

func (t *Tables) sweepOnce(ctx context.Context) {
	now := t.now()
	games, err := t.Journal.Overdue(ctx, now-overdue.Milliseconds(), fallingAtOnce)
	if err != nil && ctx.Err() == nil {
		t.Logger.Error("overdue flags could not be looked for", "error", err)
	}
	for _, game := range games {
		t.flags.set(game, now-1)
	}
}
