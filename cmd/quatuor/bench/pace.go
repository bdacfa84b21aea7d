package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// pacer issues the requests of all clients at a steady rate, whether or not earlier ones are answered; a late request
// goes immediately.
type pacer struct {
	began time.Time
	every time.Duration
	next  atomic.Int64
}

// wait returns when the next request is due; false if ctx ends before.
func (p *pacer) wait(ctx context.Context) bool {
	return pause(ctx, time.Until(p.began.Add(time.Duration(p.next.Add(1)-1)*p.every)))
}

// pause lets some time go by; false if ctx ends before.
func pause(ctx context.Context, d time.Duration) bool {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// pacedMoves plays games without secrets in turn, at the pacer's rate.
func (l *load) pacedMoves(ctx context.Context, worker int, r *recorder, pace *pacer) error {
	for n := worker; ctx.Err() == nil; n++ {
		g := l.game(worker, n)
		if g.info.Secret {
			continue
		}
		if err := g.pacedPlay(ctx, r, pace); err != nil {
			return ifStill(ctx, fmt.Errorf("%s: %w", g.info.ID, err))
		}
	}
	return nil
}

// pacedPlay opens and plays a game at the pacer's rate.
func (g *openGame) pacedPlay(ctx context.Context, r *recorder, pace *pacer) error {
	if err := g.open(ctx); err != nil {
		return err
	}
	for _, m := range g.script {
		if !pace.wait(ctx) {
			return nil
		}
		if err := g.move(ctx, r, m, nil); err != nil {
			return err
		}
	}
	return nil
}
