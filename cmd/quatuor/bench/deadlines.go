package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/api/client"
)

const (
	// shortControl is the time control of games with a first move just in time.
	shortControl = "1"
	shortTime    = time.Second
	// minLead and maxLead are the limits of the time between sending it and its deadline.
	minLead = 5 * time.Millisecond
	maxLead = 50 * time.Millisecond
	// triesAtOnce is the number of these games per client that wait for their deadline at once.
	triesAtOnce = 2
)

// The measurements of deadlines.
const (
	justInTime    = "moves sent just in time"
	movesTogether = "moves meanwhile"
)

// runDeadlines measures the share of moves that are sent just before a deadline and lose to the flag, while the other
// half of the clients plays as fast as it can. A lost move is an error.
func (b *bench) runDeadlines(ctx context.Context) ([]Measurement, error) {
	all := []*timed{
		newTimed(justInTime, triesAtOnce*b.Connections, b.load.justInTime),
		newTimed(movesTogether, max(1, b.Connections/2), b.load.moves),
	}
	var both errgroup.Group
	for _, t := range all {
		both.Go(func() error { return t.goOn(ctx, b.server, b.Duration) })
	}
	if err := both.Wait(); err != nil {
		return nil, err
	}
	var results []Measurement
	for _, t := range all {
		m := b.result(t)
		m.CPU = nil // both ran at once
		results = append(results, m)
	}
	return results, nil
}

// justInTime opens games with a running clock and makes the first move shortly before the flag falls. The other player
// opens the game, at another instance if possible.
func (l *load) justInTime(ctx context.Context, worker int, r *recorder) error {
	pause(ctx, rand.N(shortTime)) // to spread them
	for n := worker; ctx.Err() == nil; n++ {
		g := l.gameOf(watchedVariant, worker, n)
		lead := minLead + time.Duration(g.chance.Int64N(int64(maxLead-minLead)))
		began := time.Now() // the clock starts no earlier
		if err := g.openBy(ctx, g.seats[1], shortControl, false); err != nil {
			return ifStill(ctx, err)
		}
		if !pause(ctx, time.Until(began.Add(shortTime-lead))) {
			return nil
		}
		if time.Since(began) > shortTime-minLead {
			continue // it could not be sent in time
		}
		err := g.move(ctx, r, g.script[0], nil)
		if refused := (*client.Problem)(nil); errors.As(err, &refused) && refused.Status == http.StatusConflict &&
			(strings.HasSuffix(refused.Type, "/flag-fallen") || strings.HasSuffix(refused.Type, "/game-over")) {
			continue // counted as an error
		}
		if err != nil {
			return ifStill(ctx, err)
		}
	}
	return nil
}

// printDeadlines prints the number of lost games.
func (b *bench) printDeadlines(all []Measurement) {
	b.printRows(all)
	tried, lost := 0, 0
	for _, m := range all {
		if m.What == justInTime {
			tried, lost = tried+m.Requests, lost+m.Errors
		}
	}
	fmt.Fprintf(b.Out, "of %d moves sent %d to %d ms before their deadline %d lost to the flag: %.1f %% (bar for "+
		"several instances: 2 more than with one)\n",
		tried, minLead.Milliseconds(), maxLead.Milliseconds(), lost, 100*float64(lost)/float64(max(1, tried)))
}
