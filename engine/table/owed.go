package table

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// owed is the set of outages that have not been credited to all running games, and of these games. The journal stores
// the outages until every game has been credited; the set of games is computed again at every start.
type owed struct {
	any    atomic.Bool // false: no game waits for a credit
	unread atomic.Bool // no game has been read since the start without being credited first
	wake   chan struct{}

	mu      sync.Mutex
	outages []Outage        // by their end; immutable
	games   map[string]bool // true: crediting the game has failed for good, and that has been logged
}

// add adds outages for games.
func (o *owed) add(outages []Outage, games []Armed) {
	if len(outages) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.games == nil {
		o.games = make(map[string]bool, len(games))
	}
	for _, g := range games {
		o.games[g.ID] = false
	}
	o.outages = outages
	o.any.Store(true)
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// to returns the outages to be credited to a game, nil for none.
func (o *owed) to(game string) []Outage {
	if !o.any.Load() {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, is := o.games[game]; !is {
		return nil
	}
	return o.outages
}

// credited removes a game to which outages were credited, unless there are other ones by now.
func (o *owed) credited(game string, outages []Outage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.Equal(outages, o.outages) {
		delete(o.games, game)
	}
}

// broken marks a game for which crediting has failed for good.
func (o *owed) broken(game string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, is := o.games[game]; is {
		o.games[game] = true
	}
}

// some returns up to limit of the games that wait.
func (o *owed) some(limit int) (games []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for game, broken := range o.games {
		if len(games) == limit {
			break
		}
		if !broken {
			games = append(games, game)
		}
	}
	return games
}

// takeCredited removes and returns the outages that were credited to every game; nil while some game waits.
func (o *owed) takeCredited() []Outage {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.games) > 0 {
		return nil
	}
	outages := o.outages
	o.outages, o.games = nil, nil
	o.any.Store(false)
	return outages
}

// creditOutages credits outages in the background until ctx ends. Games that it has not credited by then are credited at
// the next start.
func (t *Tables) creditOutages(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-t.owed.wake:
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		if t.still.active() {
			continue // there is more to credit when it ends
		}
		if err := t.creditPending(ctx); err != nil && ctx.Err() == nil {
			t.Logger.Error("running games still wait for the time of an outage", "error", err)
			timer.Reset(retryCredit)
		}
	}
}

const (
	// creditBatchSize is the number of games of one batch.
	creditBatchSize = 512
	// retryCredit is the delay before a failed credit is tried again.
	retryCredit = time.Second
)

func (t *Tables) creditPending(ctx context.Context) error {
	for games := t.owed.some(creditBatchSize); len(games) > 0; games = t.owed.some(creditBatchSize) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := t.creditBatch(ctx, games); err != nil {
			return err
		}
	}
	t.owed.unread.Store(false)
	if outages := t.owed.takeCredited(); outages != nil {
		debug.FreeOSMemory() // all running games were loaded once, and will not be again
		return t.Journal.DropOutages(ctx, outages)
	}
	return nil
}

// creditBatch credits a batch of games. A broken game does not hold up the others.
func (t *Tables) creditBatch(ctx context.Context, games []string) error {
	rows := map[string]Row{}
	if t.owed.unread.Load() {
		list, err := t.Journal.Rows(ctx, games)
		if err != nil {
			return err
		}
		for _, r := range list {
			rows[r.Game.ID] = r
		}
	}
	var group errgroup.Group
	group.SetLimit(maxConcurrentFlags)
	for _, game := range games {
		group.Go(func() error {
			r, known := rows[game]
			err := t.creditGame(ctx, game, r, known)
			if err == nil || errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
				return err
			}
			t.owed.broken(game)
			t.Logger.Error("a running game cannot be given the time of an outage, nor be played on", "game", game, "error", err)
			return nil
		})
	}
	return group.Wait()
}

func (t *Tables) creditGame(ctx context.Context, game string, r Row, known bool) error {
	g := t.cache.take(game)
	defer t.cache.release(g)
	g.mu.Lock()
	defer g.mu.Unlock()
	if known {
		done, err := t.creditOutageRow(ctx, g, r)
		if done || err != nil && !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return t.creditOutage(ctx, g)
}
