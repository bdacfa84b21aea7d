package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"sync/atomic"
	"time"
)

// pacer lets the requests of all clients together go out at a steady rate, whether or not earlier ones are answered:
// who is late goes at once.
type pacer struct {
	began time.Time
	every time.Duration
	next  atomic.Int64
}

// wait returns when the next request is due; false if ctx ends before.
func (p *pacer) wait(ctx context.Context) bool {
	left := time.Until(p.began.Add(time.Duration(p.next.Add(1)-1) * p.every))
	if left <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// pacedMoves plays games without secrets, one after the other, as the pacer lets it.
func (l *load) pacedMoves(ctx context.Context, worker int, r *recorder, pace *pacer) error {
	chance := rand.New(rand.NewPCG(uint64(worker), 2))
	for n := worker; ctx.Err() == nil; n++ {
		variant := n % len(l.variants)
		scripts := l.scripts[variant]
		if len(scripts) == 0 {
			continue
		}
		g := benchGame{info: l.variants[variant].Info(), recorder: r, chance: chance}
		for seat := range g.info.Seats[0] {
			g.seats = append(g.seats, l.players[(worker+seat)%len(l.players)])
		}
		if err := g.pacedPlay(ctx, scripts[chance.IntN(len(scripts))], pace); err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", g.info.ID, err)
		}
	}
	return nil
}

// pacedPlay plays one game as the pacer lets it.
func (g benchGame) pacedPlay(ctx context.Context, script benchScript, pace *pacer) error {
	view, err := g.open(ctx)
	if err != nil {
		return err
	}
	address, err := url.Parse(g.seats[0].base + "/api/v1/games/" + view.ID + "/moves")
	if err != nil {
		return err
	}
	for _, m := range script {
		if !pace.wait(ctx) {
			return nil
		}
		if err := g.move(ctx, address, m, nil); err != nil {
			return err
		}
	}
	return nil
}
