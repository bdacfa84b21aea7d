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

// owed is what running games have not got back yet of the times when nobody served them. The journal keeps the outages
// until every game has got them; which games those are is worked out anew at every start.
type owed struct {
	any    atomic.Bool // false: nobody is owed anything
	unread atomic.Bool // nobody can have looked at a game since the start, but by what comes through settle
	wake   chan struct{}

	mu      sync.Mutex
	outages []Outage        // by their end; never written to once here
	games   map[string]bool // true: the game cannot be given anything, and that has been said
}

// add owes outages to games, besides what games are owed already.
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

// to gives the outages that a game is owed, nil for none.
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

// paid strikes a game off that has got some outages, unless there are other ones by now.
func (o *owed) paid(game string, outages []Outage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.Equal(outages, o.outages) {
		delete(o.games, game)
	}
}

// broken marks a game that cannot be given anything.
func (o *owed) broken(game string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, is := o.games[game]; is {
		o.games[game] = true
	}
}

// some gives some of the games that wait.
func (o *owed) some(most int) (games []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for game, broken := range o.games {
		if len(games) == most {
			break
		}
		if !broken {
			games = append(games, game)
		}
	}
	return games
}

// settled gives the outages that every game has got, and forgets them; nil while some game has not.
func (o *owed) settled() []Outage {
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

// giveBackAll gives games what they are owed until ctx ends, whenever there is something. What it leaves undone is
// done at the next start.
func (t *Tables) giveBackAll(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-t.owed.wake:
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		if t.still.stands() {
			continue // when it ends, there is more to give back
		}
		if err := t.giveBackNow(ctx); err != nil && ctx.Err() == nil {
			t.Logger.Error("running games still wait for the time of an outage", "error", err)
			timer.Reset(retryOwed)
		}
	}
}

const (
	// payAtOnce is how many games are read together, to be given what they are owed.
	payAtOnce = 512
	// retryOwed is how long games wait where giving back has failed.
	retryOwed = time.Second
)

func (t *Tables) giveBackNow(ctx context.Context) error {
	for games := t.owed.some(payAtOnce); len(games) > 0; games = t.owed.some(payAtOnce) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := t.giveBackSome(ctx, games); err != nil {
			return err
		}
	}
	t.owed.unread.Store(false)
	if outages := t.owed.settled(); outages != nil {
		debug.FreeOSMemory() // all running games passed through it, and will not do so again
		return t.Journal.DropOutages(ctx, outages)
	}
	return nil
}

// giveBackSome gives some games what they are owed. A game that cannot be played on keeps nobody else waiting.
func (t *Tables) giveBackSome(ctx context.Context, games []string) error {
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
	group.SetLimit(fallingAtOnce)
	for _, game := range games {
		group.Go(func() error {
			r, known := rows[game]
			err := t.giveBackOne(ctx, game, r, known)
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

func (t *Tables) giveBackOne(ctx context.Context, game string, r Row, known bool) error {
	g := t.cache.take(game)
	defer t.cache.release(g)
	g.mu.Lock()
	defer g.mu.Unlock()
	if known {
		done, err := t.giveBackRow(ctx, g, r)
		if done || err != nil && !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return t.giveBack(ctx, g)
}
