package table

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/engine/clock"
)

// Recover gives the time since the last heartbeat back to every running clock and arms all deadlines. Deadlines that
// fell before the server went away are recorded first. Call it before the server takes requests.
func (t *Tables) Recover(ctx context.Context) error {
	last, err := t.Journal.LastBeat(ctx)
	if err != nil {
		return err
	}
	if behind := last - t.now(); behind > 0 {
		// The wall clock was set back while the server was away: go on from the last time that was stored.
		t.ahead = time.Duration(behind) * time.Millisecond
	}
	return t.giveBackAll(ctx, last)
}

// othersAlive is how fresh a heartbeat must be to show that another process serves the games.
const othersAlive = 3 * beatInterval

// giveBackAll lets all clocks stand still from a time on until now, unless another process serves the games.
func (t *Tables) giveBackAll(ctx context.Context, from int64) error {
	running, err := t.Journal.Armed(ctx)
	if err != nil {
		return err
	}
	back := t.now()
	if t.Shared && back-from < othersAlive.Milliseconds() {
		from = back
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fallingAtOnce)
	for _, game := range running {
		group.Go(func() error { return t.giveBack(ctx, game.ID, from, back) })
	}
	return group.Wait()
}

// giveBack lets a running game's clocks stand still from a time, or from the game's last line if that is later, until
// back.
func (t *Tables) giveBack(ctx context.Context, id string, from, back int64) error {
	g := t.cache.take(id)
	defer t.cache.release(g)
	g.mu.Lock()
	defer g.mu.Unlock()
	for range tries {
		s, err := t.load(ctx, g)
		if err != nil {
			return err
		}
		d := draftOf(s)
		from := max(from, s.lastAt())
		if err := d.fallFlags(from); err != nil {
			return err
		}
		if err := d.standStill(from, back); err != nil {
			return fmt.Errorf("game %s: outage: %w", id, err)
		}
		if len(d.news) == 0 {
			t.flags.set(id, s.Game.Deadline)
			return nil
		}
		if _, err = t.commit(ctx, g, d); !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("game %s: outage: %w", id, ErrConflict)
}

// standStill notes an outage from one time to another.
func (d *draft) standStill(from, to int64) error {
	if d.Game.Status != Running || to <= from {
		return nil
	}
	c, _, err := d.Game.Clock.Apply(clock.Event{At: from, Kind: clock.Paused})
	if err != nil {
		return err
	}
	c, _, err = c.Apply(clock.Event{At: to, Kind: clock.Resumed})
	if err != nil {
		return err
	}
	d.note(Line{Kind: LineOutage, Text: strconv.FormatInt(to-from, 10), At: to})
	d.Game.Clock = c
	d.arm()
	return nil
}
