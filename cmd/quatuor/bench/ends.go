package bench

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

// endsAhead is the number of open games per client when their ends are measured.
const endsAhead = 16

// gamesEnd is the measurement of ends.
const gamesEnd = "ends of games"

func (b *bench) warmUpEnds(ctx context.Context) error {
	_, err := b.endFor(ctx, min(b.Duration, time.Second))
	return err
}

// runEnds measures the rate of ends of rated games: each begins at an instance and is resigned at another, if possible.
// Opening and ending alternate in small batches; opening does not count.
func (b *bench) runEnds(ctx context.Context) ([]Measurement, error) {
	m, err := b.endFor(ctx, b.Duration)
	return []Measurement{m}, err
}

// endFor lets games end for so long.
func (b *bench) endFor(ctx context.Context, long time.Duration) (Measurement, error) {
	t := newTimed(gamesEnd, b.Connections, b.load.endGames)
	for t.took < long {
		if err := b.load.openToEnd(ctx); err != nil {
			return Measurement{}, err
		}
		if err := t.goOn(ctx, b.server, time.Minute); err != nil {
			return Measurement{}, err
		}
	}
	return b.result(t), nil
}

// openToEnd opens games for every client and moves for both sides: unmoved games would not be rated.
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
	for _, g := range l.ahead[worker] {
		loser, address := g.seats[1], g.address[1].JoinPath("../resign")
		if err := r.time(ctx, func(ctx context.Context) error {
			return loser.Request(ctx, http.MethodPost, address, `{"seat":2}`, nil)
		}); err != nil {
			return fmt.Errorf("game %s: %w", g.id, err)
		}
	}
	l.ahead[worker] = nil
	return nil
}
