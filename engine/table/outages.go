package table

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/engine/clock"
)

const (
	// creditBatchSize is the number of games of a batch.
	creditBatchSize = 512
	// retryCredit is the delay before a failed credit is tried again.
	retryCredit = time.Second
	// beforeDue is the time before its deadline when a game is checked after an outage, because it may have gone on for
	// a little after the last heartbeat.
	beforeDue = 3 * beatInterval
)

// outages credits outages to the games that ran during them. The journal stores an outage until every game has been
// credited; the set of games is computed again at every start.
type outages struct {
	tables *Tables     // with the games
	any    atomic.Bool // false: no game waits for a credit
	unread atomic.Bool // no game has been read since the start without being credited first
	wake   chan struct{}

	mu     sync.Mutex
	stored []Outage        // by their end; immutable
	games  map[string]bool // true: crediting the game has failed for good, and that has been logged
}

// Recover resumes the games after the server was away: it stores the time since the last heartbeat as an outage, to be
// credited to every running clock, and arms all deadlines. Call it before the server takes requests.
//
// The outage is a single row, so that the server is ready at once, however many games run. It is added to a game's own
// log before anything else happens in it: with the next request or flag, else by a background task of Run.
func (t *Tables) Recover(ctx context.Context) error {
	for range samples { // games run on nowhere here, so the time may jump
		if err := t.cluster.slew(ctx, math.MaxInt64); err != nil {
			return err
		}
	}
	last, err := t.Heartbeats.LastBeat(ctx)
	if err != nil {
		return err
	}
	if behind := t.time.continueFrom(last); behind > loudOffset {
		t.Logger.Error("THE CLOCK OF THIS MACHINE IS BEHIND THE LAST HEARTBEAT of the service: one of them is wrong. Set the "+
			"clock if it is behind. If it is right, the service follows it in a minute, but games with running clocks go on "+
			"by the time that is ahead until they are over; quatuor doctor --accept-clock sets them back",
			"heartbeat", time.UnixMilli(last).UTC().Format(time.RFC3339), "behind", behind.Round(time.Second).String())
	}
	defer t.outages.unread.Store(true)
	return t.outages.record(ctx, last, last)
}

// record stores the outage since from, or the part of it when no other process served the games, and arms all
// deadlines. last is the latest heartbeat.
func (o *outages) record(ctx context.Context, from, last int64) error {
	o.unread.Store(false)
	t := o.tables
	running, err := t.Deadlines.Armed(ctx, nil)
	if err != nil {
		return err
	}
	latest, err := t.cluster.absence(ctx, from, last)
	if err != nil {
		return err
	}
	if latest.From < latest.To && len(running) > 0 {
		if err := t.Outages.NoteOutage(ctx, latest); err != nil {
			return err
		}
	}
	stored, err := t.Outages.Outages(ctx)
	if err != nil {
		return err
	}
	o.add(stored, running)
	for i := range running {
		running[i].Deadline = latest.shift(running[i].Deadline)
	}
	t.flags.fill(own(t.cluster, running))
	return nil
}

// shift estimates a deadline after the outage, never too late: waking early only re-arms it. A game may have gone on
// for a little after the last heartbeat.
func (o Outage) shift(deadline int64) int64 {
	if deadline < o.From {
		return deadline // none, or fallen before
	}
	return deadline + max(0, o.To-o.From-beforeDue.Milliseconds())
}

// add adds outages for games.
func (o *outages) add(stored []Outage, games []Armed) {
	if len(stored) == 0 {
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
	o.stored = stored
	o.any.Store(true)
	signal(o.wake)
}

// pending returns the outages to be credited to a game, nil for none.
func (o *outages) pending(game string) []Outage {
	if !o.any.Load() {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, is := o.games[game]; !is {
		return nil
	}
	return o.stored
}

// credited removes a game after crediting outages to it, unless more have been added.
func (o *outages) credited(game string, outages []Outage) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.Equal(outages, o.stored) {
		delete(o.games, game)
	}
}

// markBroken marks a game after crediting has failed for good.
func (o *outages) markBroken(game string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, is := o.games[game]; is {
		o.games[game] = true
	}
}

// next returns up to limit of the games to be credited.
func (o *outages) next(limit int) (games []string) {
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
func (o *outages) takeCredited() []Outage {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.games) > 0 {
		return nil
	}
	stored := o.stored
	o.stored, o.games = nil, nil
	o.any.Store(false)
	return stored
}

// run credits outages in the background until ctx ends. Games that it has not credited by then are credited at the next
// start.
func (o *outages) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-o.wake:
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		if o.tables.suspension.active() {
			continue // its end has more to credit
		}
		if err := o.creditAll(ctx); err != nil && ctx.Err() == nil {
			o.tables.Logger.Error("running games still wait for the time of an outage", "error", err)
			timer.Reset(retryCredit)
		}
	}
}

func (o *outages) creditAll(ctx context.Context) error {
	for games := o.next(creditBatchSize); len(games) > 0; games = o.next(creditBatchSize) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := o.creditBatch(ctx, games); err != nil {
			return err
		}
	}
	o.unread.Store(false)
	if stored := o.takeCredited(); stored != nil {
		debug.FreeOSMemory() // all running games were loaded once, and will not be again
		return o.tables.Outages.DropOutages(ctx, stored)
	}
	return nil
}

// creditBatch credits a batch of games. A broken game does not hold up the others.
func (o *outages) creditBatch(ctx context.Context, games []string) error {
	rows := map[string]Row{}
	if o.unread.Load() {
		list, err := o.tables.Outages.Rows(ctx, games)
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
			err := o.creditGame(ctx, game, r, known)
			if err == nil || errors.Is(err, ErrUnavailable) || ctx.Err() != nil {
				return err
			}
			o.markBroken(game)
			o.tables.Logger.Error("a running game cannot be given the time of an outage, nor be played on", "game", game,
				"error", err)
			return nil
		})
	}
	return group.Wait()
}

func (o *outages) creditGame(ctx context.Context, game string, r Row, known bool) error {
	g := o.tables.cache.take(game)
	defer o.tables.cache.release(g)
	g.mu.Lock()
	defer g.mu.Unlock()
	if known {
		done, err := o.creditRow(ctx, g, r)
		if done || err != nil && !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return o.credit(ctx, g)
}

// creditBeforeRead credits pending outages to a game before it is read.
func (o *outages) creditBeforeRead(ctx context.Context, game string) error {
	s := o.tables.suspension
	s.creditStop(ctx, s.time.steady())
	if o.pending(game) == nil || s.active() {
		return nil
	}
	return o.creditGame(ctx, game, Row{}, false)
}

// credit credits pending outages to a game. The game's mutex is held.
func (o *outages) credit(ctx context.Context, g *live) error {
	pending := o.pending(g.id)
	if pending == nil {
		return nil // another goroutine has credited them
	}
	for range tries {
		s, err := o.tables.load(ctx, g)
		if err != nil {
			return err
		}
		d := draftOf(s)
		if err := d.creditOutage(pending); err != nil {
			return fmt.Errorf("game %s: outage: %w", g.id, err)
		}
		if len(d.news()) == 0 {
			o.tables.arm(g.id, s.Game.Deadline)
			o.credited(g.id, pending)
			return nil
		}
		if _, err = o.tables.commit(ctx, g, d); err == nil {
			o.credited(g.id, pending)
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("game %s: outage: %w", g.id, ErrConflict)
}

// creditRow is a fast path of credit without the game's log, which takes a tenth of the time. It is for a running game
// that is not in memory, without flags before an outage; for any other it does nothing.
func (o *outages) creditRow(ctx context.Context, g *live, r Row) (done bool, err error) {
	pending := o.pending(g.id)
	if pending == nil || g.snap.Load() != nil || r.Game.Status == Waiting {
		return pending == nil, nil
	}
	d := draftOf(&Snapshot{Game: r.Game, Lines: []Line{{At: r.LastAt}}})
	switch err := d.creditOutage(pending); {
	case errors.Is(err, errUnread):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("game %s: outage: %w", g.id, err)
	}
	if news := d.news(); len(news) > 0 {
		err = o.tables.Journal.Append(ctx, Step{Game: &d.Game, From: d.from, Lines: news})
	}
	if err == nil {
		o.tables.arm(g.id, d.Game.Deadline)
		o.credited(g.id, pending)
	}
	o.tables.suspension.begin(err)
	return err == nil, err
}

// creditOutage stops the clocks during every outage, or during its part after the game's last line. Flags that fell
// before it are recorded first.
func (d *draft) creditOutage(outages []Outage) error {
	for _, o := range outages {
		from := max(o.From, d.lastAt())
		if from >= o.To {
			continue
		}
		if err := d.fallFlags(from); err != nil {
			return err
		}
		if err := d.recordOutage(from, o.To); err != nil {
			return err
		}
	}
	return nil
}

// recordOutage records an outage from a time to another, and stops the clocks in it.
func (d *draft) recordOutage(from, to int64) error {
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
