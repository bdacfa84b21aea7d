package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"quatuor/cmd/quatuor/client"
	"quatuor/cmd/quatuor/terminal"
)

const (
	// shortControl is the time control of games with a first move just in time.
	shortControl = "1"
	shortTime    = time.Second
	// minLead and mostLead are between how long and how long before the deadline it is sent.
	minLead = 5 * time.Millisecond
	maxLead = 50 * time.Millisecond
	// triesAtOnce is how many such games wait for their deadline at once, for each client.
	triesAtOnce = 2
)

// The measurements of deadlines.
const (
	justInTime    = "moves sent just in time"
	movesTogether = "moves meanwhile"
)

// benchDeadlines measures how many of the moves that are sent just before a deadline lose to the flag, while the other
// half of the clients plays as fast as it can. A lost one is an error.
func (c Config) benchDeadlines(ctx context.Context, s terminal.Streams, server target, load *load) error {
	if err := c.warmUp(ctx, server, load); err != nil {
		return fmt.Errorf("warming up: %w", err)
	}
	half, many := c, c
	half.Connections, many.Connections = max(1, c.Connections/2), triesAtOnce*c.Connections
	var all []Measurement
	for run := 1; run <= c.Runs; run++ {
		tries, busy := many.newTimed(justInTime, load.justInTime), half.newTimed(movesTogether, load.moves)
		var both sync.WaitGroup
		errs := make([]error, 2)
		for i, t := range []*timed{tries, busy} {
			both.Go(func() { errs[i] = t.goOn(ctx, server, c.Duration) })
		}
		both.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		for _, m := range []Measurement{many.result(tries), half.result(busy)} {
			m.Run, m.CPU = run, nil // both ran at once
			all = append(all, m)
			if err := c.printJSON(s, m); err != nil {
				return err
			}
		}
	}
	if !c.JSON {
		c.printRows(s, all)
		printDeadlines(s, all)
	}
	return nil
}

// justInTime opens games with a running clock and makes the first move shortly before the flag falls. The other player
// opens the game, at another instance if possible.
func (l *load) justInTime(ctx context.Context, worker int, r *recorder) error {
	spread := time.NewTimer(rand.N(shortTime))
	defer spread.Stop()
	select {
	case <-spread.C:
	case <-ctx.Done():
	}
	for n := worker; ctx.Err() == nil; n++ {
		g := l.gameOf(watchedVariant, worker, n)
		lead := minLead + time.Duration(g.chance.Int64N(int64(maxLead-minLead)))
		began := time.Now() // the clock starts no earlier
		if err := g.openBy(ctx, g.seats[1], shortControl, false); err != nil {
			return ifStill(ctx, err)
		}
		select {
		case <-time.After(time.Until(began.Add(shortTime - lead))):
		case <-ctx.Done():
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

// printDeadlines prints how many games were lost.
func printDeadlines(s terminal.Streams, all []Measurement) {
	tried, lost := 0, 0
	for _, m := range all {
		if m.What == justInTime {
			tried, lost = tried+m.Requests, lost+m.Errors
		}
	}
	fmt.Fprintf(s.Out, "of %d moves sent %d to %d ms before their deadline %d lost to the flag: %.1f %% (bar for "+
		"several instances: 2 more than with one)\n",
		tried, minLead.Milliseconds(), maxLead.Milliseconds(), lost, 100*float64(lost)/float64(max(1, tried)))
}
