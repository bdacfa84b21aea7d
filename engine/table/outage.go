package table

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"quatuor/engine/clock"
)

// Recover takes the games up after the server was away: the time since the last heartbeat is noted as an outage that
// every running clock gets back, and all deadlines are armed. Call it before the server takes requests.
//
// The outage is one row, so that the server is ready at once, however many games run. A game gets it into its own log
// before anything else happens in it: with the next request or flag, else when Run comes to it.
func (t *Tables) Recover(ctx context.Context) error {
	last, err := t.Journal.LastBeat(ctx)
	if err != nil {
		return err
	}
	if behind := last - t.now(); behind > 0 {
		// The wall clock was set back while the server was away: go on from the last time that was stored.
		t.ahead = time.Duration(behind) * time.Millisecond
	}
	t.owed.unread.Store(true)
	return t.takeUp(ctx, last)
}

// othersAlive is how fresh a heartbeat must be to show that another process serves the games.
const othersAlive = 3 * beatInterval

// takeUp notes an outage from a time on until now, unless another process serves the games, and arms all deadlines.
func (t *Tables) takeUp(ctx context.Context, from int64) error {
	running, err := t.Journal.Armed(ctx)
	if err != nil {
		return err
	}
	back := t.now()
	if t.Shared && back-from < othersAlive.Milliseconds() {
		from = back
	}
	latest := Outage{From: from, To: back}
	if from < back && len(running) > 0 {
		if err := t.Journal.NoteOutage(ctx, latest); err != nil {
			return err
		}
	}
	outages, err := t.Journal.Outages(ctx)
	if err != nil {
		return err
	}
	t.owed.add(outages, running)
	for i := range running {
		running[i].Deadline = latest.put(running[i].Deadline)
	}
	t.flags.fill(running)
	return nil
}

// put gives about when a flag falls that would have fallen at a deadline without the outage: rather too early, for
// then the game is looked at and its flag armed anew. A game may have gone on for a little after the last heartbeat.
func (o Outage) put(deadline int64) int64 {
	if deadline < o.From {
		return deadline // none, or fallen before
	}
	return deadline + max(0, o.To-o.From-othersAlive.Milliseconds())
}

// settle gives a game the outages that it is owed, before it is shown.
func (t *Tables) settle(ctx context.Context, id string) error {
	t.wakeUp(ctx, t.now())
	if t.owed.to(id) == nil || t.still.stands() {
		return nil
	}
	g := t.cache.take(id)
	defer t.cache.release(g)
	g.mu.Lock()
	defer g.mu.Unlock()
	return t.giveBack(ctx, g)
}

// giveBack gives a game the outages that it is owed. The game's mutex is held.
func (t *Tables) giveBack(ctx context.Context, g *live) error {
	outages := t.owed.to(g.id)
	if outages == nil {
		return nil // by somebody else, meanwhile
	}
	for range tries {
		s, err := t.load(ctx, g)
		if err != nil {
			return err
		}
		d := draftOf(s)
		if err := d.giveBack(outages); err != nil {
			return fmt.Errorf("game %s: outage: %w", g.id, err)
		}
		if len(d.news()) == 0 {
			t.flags.set(g.id, s.Game.Deadline)
			t.owed.paid(g.id, outages)
			return nil
		}
		if _, err = t.commit(ctx, g, d); err == nil {
			t.owed.paid(g.id, outages)
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("game %s: outage: %w", g.id, ErrConflict)
}

// giveBackRow is giveBack without the game's log, which takes a tenth of the time. It is enough for a game that nobody
// looks at, that runs, and whose flags fell in none of the outages; for any other it reports false and does nothing.
func (t *Tables) giveBackRow(ctx context.Context, g *live, r Row) (done bool, err error) {
	outages := t.owed.to(g.id)
	if outages == nil || g.snap.Load() != nil || r.Game.Status == Waiting {
		return outages == nil, nil
	}
	d := draftOf(&Snapshot{Game: r.Game, Lines: []Line{{At: r.LastAt}}})
	switch err := d.giveBack(outages); {
	case errors.Is(err, errUnread):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("game %s: outage: %w", g.id, err)
	}
	if news := d.news(); len(news) > 0 {
		err = t.Journal.Append(ctx, Step{Game: &d.Game, From: d.from, Lines: news})
	}
	if err == nil {
		t.flags.set(g.id, d.Game.Deadline)
		t.owed.paid(g.id, outages)
	}
	t.stop(err)
	return err == nil, err
}

// giveBack lets the clocks stand still in every outage, or in what is left of it after the game's last line. Flags
// that fell before come first.
func (d *draft) giveBack(outages []Outage) error {
	for _, o := range outages {
		from := max(o.From, d.lastAt())
		if from >= o.To {
			continue
		}
		if err := d.fallFlags(from); err != nil {
			return err
		}
		if err := d.standStill(from, o.To); err != nil {
			return err
		}
	}
	return nil
}

// standStill notes an outage from one time to another.
func (d *draft) standStill(from, to int64) error {
	if to <= from {
		return nil
	}
	outage := Line{Kind: LineOutage, Text: strconv.FormatInt(to-from, 10), At: to}
	if d.Game.Status == Waiting && d.Game.Deadline != 0 {
		d.note(outage)
		d.Game.Deadline += to - from
		return nil
	}
	if d.Game.Status != Running {
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
	d.note(outage)
	d.Game.Clock = c
	d.arm()
	return nil
}
