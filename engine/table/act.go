package table

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// draft is a step being made: a new snapshot so far, and where the stored snapshot ended.
type draft struct {
	*Snapshot
	from  int64     // the stored version
	told  int       // number of lines of the log that are stored
	until time.Time // as in Step
	// after holds the clocks at the start and after each event that was not taken back; kept only while a log is carried
	// out again.
	after []clock.State
}

func draftOf(s *Snapshot) *draft {
	next := *s
	return &draft{Snapshot: &next, from: s.Game.Version, told: len(s.Lines)}
}

// news are the lines that led from the stored snapshot to this.
func (d *draft) news() []Line { return d.Lines[d.told:] }

// note appends a line to the log.
func (d *draft) note(l Line) {
	d.Game.Version++
	l.N = d.Game.Version
	l.Turn = d.Game.Turn
	if d.Match != nil {
		l.Turn = d.Match.Turn()
	}
	d.Lines = append(d.Lines, l) // steps of a game are made in turn, so the log may share its array
}

// advance takes over a judged match and the clocks that go with it.
func (d *draft) advance(m *engine.Match, c clock.State) {
	d.Match = m
	d.Game.Clock = c
	d.Game.Turn = m.Turn()
	d.Game.Plies = m.Plies()
	d.Game.Position = m.Position()
	d.Game.Awaited = seatNumbers(m.Pending().Awaited)
	d.arm()
}

// finish closes the game's row where the match is over.
func (d *draft) finish(at int64) {
	if outcome := d.Match.Pending().Outcome; outcome != nil {
		d.Game.Status = Finished
		d.Game.Outcome = outcome
		d.Game.FinishedAt = at
		d.Game.Offer = 0
		d.Game.Deadline = 0
	}
}

// arm copies the clocks' next deadline into the row. A game that waits for acceptances or for the parts of its seed has
// a deadline of its own.
func (d *draft) arm() {
	if d.Game.Status == Waiting {
		return
	}
	d.Game.Deadline = 0
	if next, ok := d.Game.Clock.Next(); ok && d.Game.Status == Running {
		d.Game.Deadline = next.At
	}
}

// single holds every seat once, so that a list of a single seat, as after most moves, costs no memory of its own.
var single = [clock.MaxSeats + 1]int8{0, 1, 2, 3, 4, 5, 6, 7, 8}

// seatNumbers returns seats as package clock numbers them. The slice may be shared: do not change it.
func seatNumbers(seats []engine.Seat) []int8 {
	if len(seats) == 1 && int(seats[0]) < len(single) {
		n := seats[0]
		return single[n : n+1 : n+1]
	}
	out := make([]int8, len(seats))
	for i, s := range seats {
		out[i] = int8(s)
	}
	return out
}

// tries is the maximum number of attempts of an act when other processes are faster.
const tries = 5

// act judges and stores an arrival's act and, if that finished the game, waits for its consequences.
func (t *Tables) act(ctx context.Context, a *Arrival, do func(*draft, int64) error) (*Snapshot, error) {
	s, finished, err := t.judge(ctx, a, do)
	if finished {
		t.follow(ctx, a)
	}
	return s, err
}

// follow waits until the consequences of a finished game are stored, so that a client which reads next sees the new
// ratings and standings: until followTimeout after the arrival, and answerTime before a forwarded request expires.
func (t *Tables) follow(ctx context.Context, a *Arrival) {
	until := min(a.At+followTimeout.Milliseconds(), a.expiry()-answerTime.Milliseconds())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Duration(until-t.now())*time.Millisecond)
	defer cancel()
	t.Follower.Follow(ctx)
}

// breakOff is act for a game that may be aborted: it does not wait for the consequences.
func (t *Tables) breakOff(ctx context.Context, a *Arrival, do func(*draft, int64) error) (*Snapshot, error) {
	s, finished, err := t.judge(ctx, a, do)
	if finished {
		t.Follower.Wake()
	}
	return s, err
}

// judge waits for the arrival's turn, records flags that fell before its stamp, and commits the step of do, or the
// flags alone if do refuses. It reports whether the game is over by this.
func (t *Tables) judge(ctx context.Context, a *Arrival, do func(*draft, int64) error) (*Snapshot, bool, error) {
	defer a.Done()
	if err := t.cluster.holdBack(ctx, a); err != nil {
		return nil, false, err
	}
	if err := a.wait(ctx); err != nil {
		return nil, false, err
	}
	t.acting.RLock()
	defer t.acting.RUnlock()
	t.restamp(a)
	t.suspension.creditStop(ctx, t.time.steady())
	g := a.game
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.suspension.active() {
		return nil, false, ErrUnavailable
	}
	if err := t.outages.credit(ctx, g); err != nil {
		return nil, false, err
	}
	for try := range tries {
		s, finished, err := t.attempt(ctx, a, do, try > 0)
		if !errors.Is(err, errStale) {
			return s, finished, err
		}
	}
	return nil, false, fmt.Errorf("game %s: %w", g.id, ErrConflict)
}

// errStale means that an act was not judged on the latest version of its game.
var errStale = errors.New("the game has changed elsewhere")

// attempt is judge once. It returns errStale, with nothing stored, if the act has to be judged again.
//
// The first attempt builds on the cached snapshot. If the step is stored, that was the latest version. An act that
// stores nothing is answered from the latest version alone, and a flag falls only after a look at the journal, which
// may have been away at the deadline.
func (t *Tables) attempt(ctx context.Context, a *Arrival, do func(*draft, int64) error, again bool) (
	*Snapshot, bool, error,
) {
	g := a.game
	if t.now() > a.expiry() {
		return nil, false, ErrUnavailable
	}
	s, latest, err := t.toJudge(ctx, g, again)
	if err != nil {
		return nil, false, err
	}
	if err := t.cluster.checkAnswer(ctx, g); err != nil {
		return nil, false, err
	}
	d := draftOf(s)
	at := max(a.At, s.lastAt())
	if err := d.fallFlags(at); err != nil {
		return nil, false, err
	}
	fell := len(d.news())
	refusal := do(d, at)
	if !latest && (fell > 0 || len(d.news()) == 0) {
		if err := t.checkLatest(ctx, g, s); err != nil {
			return nil, false, err
		}
	}
	if len(d.news()) == 0 {
		return s, false, refusal
	}
	if a.Expires != 0 {
		// the monotonic clock may stop while the machine sleeps
		d.until = time.Now().Add(time.Duration(a.Expires-t.now()) * time.Millisecond).Round(0)
	}
	stored, err := t.commit(ctx, g, d)
	switch {
	case errors.Is(err, ErrConflict):
		return nil, false, errStale
	case err != nil:
		return nil, false, err
	}
	return stored, d.Game.Status.Over(), refusal
}

// toJudge returns the cached snapshot of a game, or the stored snapshot if none is cached or again is set. It reports
// whether that is certainly the latest version.
func (t *Tables) toJudge(ctx context.Context, g *live, again bool) (s *Snapshot, latest bool, err error) {
	s = g.snap.Load()
	if s == nil || again || s.Game.Hall {
		s, err = t.read(ctx, g)
		return s, true, err
	}
	return s, !t.mayBeOld(s), nil
}

// checkLatest returns errStale if a later version of a game is stored.
func (t *Tables) checkLatest(ctx context.Context, g *live, s *Snapshot) error {
	switch version, err := t.Journal.Version(ctx, g.id); {
	case err != nil:
		return err
	case version != s.Game.Version:
		return errStale
	}
	return t.cluster.checkAnswer(ctx, g)
}

// lastAt returns the latest time in the game; nothing may happen before it.
func (s *Snapshot) lastAt() int64 {
	last := s.Game.Clock.LastAt()
	if n := len(s.Lines); n > 0 {
		last = max(last, s.Lines[n-1].At)
	}
	return last
}

// commit stores a step and then notifies. The game's mutex is held. Cancellation is ignored, because the result must be
// known.
func (t *Tables) commit(ctx context.Context, g *live, d *draft) (*Snapshot, error) {
	return t.commitBy(ctx, g, d, t.Journal.Append)
}

// commitBy is commit by a way to store a step.
func (t *Tables) commitBy(ctx context.Context, g *live, d *draft, store func(context.Context, Step) error) (
	*Snapshot, error,
) {
	news := d.news()
	err := store(context.WithoutCancel(ctx), d.step())
	if err != nil {
		if !errors.Is(err, ErrConflict) || !t.mayBeOld(d.Snapshot) {
			g.snap.Store(nil) // invalidate: the stored version is not known
		}
		t.suspension.begin(err)
		return nil, err
	}
	stored := t.Time()
	steady := stored.UnixMilli() - t.time.aheadMs()
	t.suspension.answered(steady, steady)
	for i := range news {
		if news[i].fallen() {
			t.FlagFell(stored.Sub(time.UnixMilli(news[i].At)))
		}
	}
	s := d.Snapshot
	g.snap.Store(s)
	t.arm(s.Game.ID, s.Game.Deadline)
	t.cluster.watch(&s.Game, news)
	t.Notifier.GameChanged(s, news)
	return s, nil
}

// step returns the step that stores the draft.
func (d *draft) step() Step {
	step := Step{Game: &d.Game, From: d.from, Lines: d.news(), Until: d.until}
	if d.Game.Status.Over() {
		step.Moved, step.Fewest = MovedIn(d.Lines), FewestMoves(d.Lines)
	}
	return step
}

// fallFlags records every flag with a deadline before at, each as a leaving at its deadline, and the end of a time for
// acceptances, commitments or nonces.
func (d *draft) fallFlags(at int64) error {
	if err := d.lapse(at); err != nil {
		return err
	}
	for d.Game.Status == Running {
		flag, ok := d.Game.Clock.Next()
		if !ok || flag.At >= at {
			return nil
		}
		if err := d.fall(flag); err != nil {
			return err
		}
	}
	return nil
}

// errUnread means that a flag cannot be recorded before the game's log has been read.
var errUnread = errors.New("the game's log is needed")

func (d *draft) fall(flag clock.Flag) error {
	if d.Match == nil {
		return errUnread
	}
	l := Line{Kind: LineLeft, Seat: flag.Seat, Text: string(engine.ReasonTime), At: flag.At}
	if flag.Grace {
		l.Text, l.Said = noShow, sentence.Fixed("no first move in time").Stored()
	}
	leaving, _ := l.event()
	after, err := d.Match.After(leaving)
	if err != nil {
		return fmt.Errorf("game %s: seat %d's flag: %w", d.Game.ID, flag.Seat, err)
	}
	d.note(l)
	d.advance(after, d.Game.Clock.Fall(flag.Seat, seatNumbers(after.Pending().Awaited)))
	d.finish(flag.At)
	return nil
}

// Arrival is a request that has come in for a game. Its stamp is the time that counts, however long the request queues
// afterwards; arrivals of the same game act in the order of their stamps. The game is pinned in memory until Done.
type Arrival struct {
	At      int64 // ms UTC
	Expires int64 // deadline of a forwarded request, ms UTC, after which nothing is stored for it; 0 for none
	jumps   int64 // of the games' time before the stamp
	game    *live
	cache   *cache
	turn    atomic.Int32  // waits, free or begun
	head    chan struct{} // closed when no earlier arrival is left; nil for the first of a queue. cache.mu guards it

	before, after *Arrival // its neighbours in the game's queue
	done          bool
}

// The states of an arrival in its game's queue.
const (
	waits int32 = iota // for earlier arrivals
	free               // to act, as the first
	begun              // to act; none goes before it any more
)

// Arrive stamps a request for a game. Call it when the whole request has been read, so that no player gains time by
// sending slowly, and call Done when the request is answered.
func (t *Tables) Arrive(game string) *Arrival {
	a := &Arrival{cache: t.cache}
	t.cache.mu.Lock()
	defer t.cache.mu.Unlock()
	a.jumps = t.time.jumps.Load() // first: a jump in between stamps again
	a.At = t.now()
	a.game = t.cache.pin(game)
	a.queue(a.game.last)
	return a
}

// oldestStamp is the maximum age of the stamp of a forwarded request.
const oldestStamp = 5 * time.Second

// ArriveAt is Arrive for a forwarded request, which was stamped where it arrived: it overtakes queued arrivals with
// later stamps. The stamp is clamped to the last 5 s.
func (t *Tables) ArriveAt(game string, at int64) *Arrival {
	a := &Arrival{cache: t.cache}
	t.cache.mu.Lock()
	defer t.cache.mu.Unlock()
	now := t.now()
	a.At = min(max(at, now-oldestStamp.Milliseconds()), now)
	t.cluster.forwarded(now, now-a.At)
	a.game = t.cache.pin(game)
	before := a.game.last
	for before != nil && before.At > a.At && before.yield() {
		before = before.before
	}
	a.queue(before)
	return a
}

// queue puts the arrival behind another of its game, or first. cache.mu is held.
func (a *Arrival) queue(before *Arrival) {
	if a.before = before; before != nil {
		a.head = make(chan struct{})
		a.after, before.after = before.after, a
	} else {
		a.turn.Store(free)
		if a.game.last != nil {
			a.after = a.game.first()
		}
	}
	if a.after != nil {
		a.after.before = a
	} else {
		a.game.last = a
	}
}

// first returns the head of the queue. cache.mu is held.
func (g *live) first() *Arrival {
	a := g.last
	for a.before != nil {
		a = a.before
	}
	return a
}

// yield reports whether the arrival has not begun to act; then it waits for another arrival. cache.mu is held.
func (a *Arrival) yield() bool {
	if a.turn.CompareAndSwap(free, waits) {
		a.head = make(chan struct{})
	}
	return a.turn.Load() == waits
}

// expiry returns the time after which nothing is stored for the arrival, ms UTC; a time that never comes if it has
// none.
func (a *Arrival) expiry() int64 {
	if a.Expires == 0 {
		return math.MaxInt64
	}
	return a.Expires
}

// Known returns the cached snapshot of the game, or nil. It may be stale: use it only for parts that never change, for
// example the players of a game that has begun.
func (a *Arrival) Known() *Snapshot { return a.game.snap.Load() }

// Done takes the arrival out of its game's queue; the next may act. Repeated calls do no harm.
func (a *Arrival) Done() {
	a.cache.mu.Lock()
	defer a.cache.mu.Unlock()
	if a.done {
		return
	}
	a.done = true
	if a.after != nil {
		a.after.before = a.before
	} else {
		a.game.last = a.before
	}
	switch {
	case a.before != nil:
		a.before.after = a.after
	case a.after != nil:
		a.after.turn.Store(free)
		close(a.after.head)
	}
	a.before, a.after = nil, nil // so that a reference to this arrival keeps no other alive
	a.cache.unpin(a.game)
}

// wait returns when every earlier arrival of the game is done, and the arrival has begun to act.
func (a *Arrival) wait(ctx context.Context) error {
	for !a.turn.CompareAndSwap(free, begun) {
		a.cache.mu.Lock()
		head := a.head
		a.cache.mu.Unlock()
		if a.turn.Load() == begun {
			return nil
		}
		select {
		case <-head:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
