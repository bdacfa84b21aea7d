package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/cmd/quatuor/terminal"
)

// endsAhead is how many games each client finds open when their ends are measured.
const endsAhead = 16

// gamesEnd is the measurement of ends.
const gamesEnd = "ends of games"

// benchEnds measures how many rated games end in a second: each begins at one instance and is resigned at another, if
// possible. Opening and ending alternate in small batches; opening does not count.
func (c Config) benchEnds(ctx context.Context, s terminal.Streams, server target, load *load) error {
	warm := c
	warm.Duration = min(c.Duration, time.Second)
	if _, err := warm.endFor(ctx, server, load); err != nil {
		return fmt.Errorf("warming up: %w", err)
	}
	var all []Measurement
	for run := 1; run <= c.Runs; run++ {
		m, err := c.endFor(ctx, server, load)
		if err != nil {
			return err
		}
		m.Run = run
		all = append(all, m)
		if err := c.printJSON(s, m); err != nil {
			return err
		}
	}
	if !c.JSON {
		c.printRows(s, all)
	}
	return nil
}

// endFor lets games end for the duration.
func (c Config) endFor(ctx context.Context, server target, load *load) (Measurement, error) {
	t := c.newTimed(gamesEnd, load.endGames)
	for t.took < c.Duration {
		if err := load.openToEnd(ctx); err != nil {
			return Measurement{}, err
		}
		if err := t.goOn(ctx, server, time.Minute); err != nil {
			return Measurement{}, err
		}
	}
	return c.result(t), nil
}

// openToEnd opens games for every client, in which both sides have moved: others would not be rated.
func (l *load) openToEnd(ctx context.Context) error {
	var group errgroup.Group
	for worker := range l.ahead {
		l.ahead[worker] = nil
		group.Go(func() error {
			for n := range endsAhead {
				g := l.gameOf(watchedVariant, worker, worker+n)
				err := g.open(ctx)
				for _, m := range g.script[:2] {
					if err == nil {
						err = g.move(ctx, &recorder{}, m, nil)
					}
				}
				if err != nil {
					return err
				}
				l.ahead[worker] = append(l.ahead[worker], g)
			}
			return nil
		})
	}
	return group.Wait()
}

// endGames ends the games of a client, by the player of the second seat.
func (l *load) endGames(ctx context.Context, worker int, r *recorder) error {
	const body = `{"seat":2}`
	for _, g := range l.ahead[worker] {
		loser := g.seats[1]
		address, err := url.Parse(loser.Base + "/api/v1/games/" + g.id + "/resign")
		if err != nil {
			return err
		}
		request := &http.Request{
			Method: http.MethodPost, URL: address, Host: address.Host, Header: loser.Header,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}
		if err := r.time(ctx, func(ctx context.Context) error { return loser.Do(ctx, request, nil) }); err != nil {
			return errors.Join(fmt.Errorf("game %s", g.id), err)
		}
	}
	l.ahead[worker] = nil
	return nil
}
