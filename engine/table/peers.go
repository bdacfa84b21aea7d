package table

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"quatuor/engine/sentence"
)

// Peers is what processes that share a journal know of each other through it.
type Peers interface {
	// Clock returns the time by the journal's own clock.
	Clock(ctx context.Context) (time.Time, error)
	// Runs returns when each process was last alive without a break, by the journal's own clock. Its heartbeats make up a
	// run as long as they follow each other within MaxSilence.
	Runs(ctx context.Context) ([]Run, error)
}

// Run is a time in which a process was alive, ms UTC.
type Run struct {
	From, To int64
	Before   int64 // the last heartbeat of the run before; 0 for none
}

// MaxSilence is the duration without a word from the journal, or without a heartbeat, after which it or the process was away.
const MaxSilence = time.Second

// sharedBeatInterval is the interval of the heartbeat where others judge by it whether this process was alive.
const sharedBeatInterval = MaxSilence / 2

// beatInterval returns the interval of the heartbeat.
func (t *Tables) beatInterval() time.Duration {
	if t.Shared {
		return sharedBeatInterval
	}
	return beatInterval
}

// absence returns the longest part of a time in which neither this process nor another one was alive.
func absence(from, to int64, runs []Run) Outage {
	var alive []Run
	for _, r := range runs {
		alive = append(alive, Run{From: r.From, To: r.To}, Run{From: r.Before, To: r.Before})
	}
	slices.SortFunc(alive, func(a, b Run) int { return cmp.Compare(a.From, b.From) })
	longest, end := Outage{from, from}, from
	for _, r := range append(alive, Run{From: to, To: to}) {
		if start := min(r.From, to); start-end > longest.To-longest.From {
			longest = Outage{end, start}
		}
		end = max(end, min(r.To, to))
	}
	return longest
}

// away returns the part of a time that ends now in which the games were served by no process: the time for which they stood
// still here, less what others did meanwhile.
func (t *Tables) away(ctx context.Context, from int64) (Outage, error) {
	if t.Peers == nil {
		return Outage{from, t.now()}, nil
	}
	runs, err := t.Peers.Runs(ctx)
	if err != nil {
		return Outage{}, err
	}
	for i := range runs { // what is stored continues from what was stored before, should the journal's clock be behind that
		ahead := t.ahead.Milliseconds()
		runs[i] = Run{runs[i].From + ahead, runs[i].To + ahead, runs[i].Before + ahead}
	}
	return absence(from, t.now(), runs), nil
}

// errSilent says that the journal has not answered for MaxSilence, neither the heartbeat nor anyone.
var errSilent = sentence.Errorf("%w: it does not answer", ErrUnavailable)

// listen suspends the games if a journal that others use too has not answered for MaxSilence. What it does not answer it does
// not refuse either, so a journal of this process alone, which is a file, is waited for.
func (t *Tables) listen(now int64) {
	heard := t.still.heard.Load()
	if t.Shared && heard != 0 && now-heard >= MaxSilence.Milliseconds() && !t.still.active() {
		t.stop(errSilent)
	}
}

const (
	// samples is how many measurements of the journal's clock are compared; the one with the shortest round trip counts.
	samples = 8
	// maxSlew is by how much the time is moved with each heartbeat, so that a correction takes no one by surprise: a 20th.
	maxSlew = sharedBeatInterval / 20
	// warnOffset is the offset of this machine's clock that is warned of, and maxOffset the one with which the process is
	// not ready.
	warnOffset = 50 * time.Millisecond
	maxOffset  = time.Second
)

// ErrOffset says that this machine's clock is wrong. The games' clocks go by the journal's, but whatever else has a time of
// this machine is wrong too.
var ErrOffset = sentence.Errorf("the clock of this machine and that of the database differ by a second or more; set it, and keep it right with NTP")

// offset is how far the journal's clock is ahead of this process's.
type offset struct {
	applied atomic.Int64 // ns, part of Tables.Time
	wall    atomic.Int64 // ns, of the machine's clock as it is set now
	warned  atomic.Bool

	mu    sync.Mutex
	known []sample // the last ones
}

// sample is one measurement.
type sample struct{ offset, wall, trip time.Duration }

// measure asks the journal for its time and returns the best of the last measurements. The journal is taken to have looked
// at its clock in the middle of the round trip, so it is wrong by half the trip at most.
func (t *Tables) measure(ctx context.Context) (sample, error) {
	began := t.since()
	at, err := t.Peers.Clock(ctx)
	if err != nil {
		return sample{}, err
	}
	trip := t.since() - began
	s := sample{at.Sub(t.epoch.Round(0).Add(began + trip/2)), at.Sub(t.wall().Round(0).Add(-trip / 2)), trip}
	o := &t.offset
	o.mu.Lock()
	defer o.mu.Unlock()
	o.known = append(o.known, s)
	o.known = o.known[max(0, len(o.known)-samples):]
	return slices.MinFunc(o.known, func(a, b sample) int { return cmp.Compare(a.trip, b.trip) }), nil
}

// followClock moves the time towards the journal's clock, by at most so much.
func (t *Tables) followClock(ctx context.Context, most time.Duration) error {
	if t.Peers == nil {
		return nil
	}
	s, err := t.measure(ctx)
	if err != nil {
		return err
	}
	o := &t.offset
	o.wall.Store(int64(s.wall))
	t.warnOfOffset(s.wall)
	applied := time.Duration(o.applied.Load())
	if wrong := s.offset - applied; wrong.Abs() > s.trip/2 {
		if wrong.Abs() >= maxOffset { // the machine slept, or the journal has moved to another one
			most = wrong.Abs()
		}
		o.applied.Store(int64(applied + min(max(wrong, -most), most)))
		t.flags.again() // deadlines are nearer, or further
	}
	return nil
}

// warnOfOffset logs once that the machine's clock is wrong, and once that it is right again.
func (t *Tables) warnOfOffset(by time.Duration) {
	switch wrong := by.Abs() >= warnOffset; {
	case wrong && !t.offset.warned.Swap(true):
		t.Logger.Warn("this machine's clock is not that of the database, which the games go by; keep it right with NTP", "behind_ms", by.Milliseconds())
	case !wrong && t.offset.warned.Swap(false):
		t.Logger.Info("this machine's clock is that of the database again", "behind_ms", by.Milliseconds())
	}
}

// Offset returns how far the journal's clock is ahead of this machine's; 0 where it has none.
func (t *Tables) Offset() time.Duration { return time.Duration(t.offset.wall.Load()) }

// hear records that the journal has answered a write, once the heartbeat runs.
func (s *suspension) hear(at int64) {
	if s.heard.Load() != 0 {
		s.heard.Store(at)
	}
}

// Owners says which process owns a game, where several share a journal. What it says may be wrong for a moment: then a flag
// is recorded late, or two processes try to record it, and the journal takes it once.
type Owners interface {
	// Mine reports whether this process is the owner.
	Mine(game string) bool
	// Alone reports whether no other process lives.
	Alone() bool
}

// owners is what a process does about games that become its own.
type owners struct {
	changed  chan struct{} // the processes have changed
	heard    chan struct{} // games is not empty
	began    chan struct{} // watched is not empty
	transits transits

	mu      sync.Mutex
	games   map[string]bool  // that have changed elsewhere
	watched map[string]int64 // games whose clocks began or were changed, with a time before which no flag falls
}

// mine reports whether this process waits for a game's deadline.
func (t *Tables) mine(game string) bool { return t.Owners == nil || t.Owners.Mine(game) }

// Owned returns the number of games whose deadline this process waits for.
func (t *Tables) Owned() int { return t.flags.size() }

// arm waits for a game's deadline if the game is this process's own; 0 is none.
func (t *Tables) arm(game string, deadline int64) {
	if deadline != 0 && !t.mine(game) {
		deadline = 0
	}
	t.flags.set(game, deadline)
}

// own returns those games that are this process's own.
func (t *Tables) own(games []Armed) []Armed {
	if t.Owners == nil {
		return games
	}
	var own []Armed
	for _, g := range games {
		if t.Owners.Mine(g.ID) {
			own = append(own, g)
		}
	}
	return own
}

// newID returns the id of a new game. It is made so that the game is this process's own, for here are its players.
func (t *Tables) newID() string {
	id := uuid.Must(uuid.NewV7()).String()
	for range 100 { // with ten processes one id in ten will do
		if t.mine(id) {
			break
		}
		id = uuid.Must(uuid.NewV7()).String()
	}
	return id
}

// OwnersChanged has the deadlines dropped that are no longer for this process to wait for, and those taken over that are now.
// It returns at once.
func (t *Tables) OwnersChanged() {
	select {
	case t.owners.changed <- struct{}{}:
	default:
	}
}

// ChangedElsewhere says that other processes have changed games. The deadlines of this process's own are looked up. It
// returns at once.
func (t *Tables) ChangedElsewhere(games ...string) {
	if t.Owners == nil {
		return
	}
	o := &t.owners
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, id := range games {
		if t.Owners.Mine(id) {
			if o.games == nil {
				o.games = map[string]bool{}
			}
			o.games[id] = true
		}
	}
	if o.games != nil {
		select {
		case o.heard <- struct{}{}:
		default:
		}
	}
}

const (
	// settled is when all processes know of a change of them: each has had a heartbeat. What another one has created
	// meanwhile for its own is then read once more.
	settled = 2 * sharedBeatInterval
	// retryTakeOver is the delay before deadlines are read again that could not be read.
	retryTakeOver = time.Second
)

// followOwners arms what becomes this process's own until ctx ends.
func (t *Tables) followOwners(ctx context.Context) {
	again := time.NewTimer(longWait)
	defer again.Stop()
	for {
		games, wait := []string(nil), longWait
		select {
		case <-ctx.Done():
			return
		case <-t.owners.heard:
			if games, wait = t.owners.take(), 0; games == nil {
				continue
			}
		case <-t.owners.changed:
			t.flags.keep(t.mine)
			wait = settled
		case <-again.C:
			if err := t.Journal.Watch(ctx, nil); err != nil && ctx.Err() == nil { // those of which a process that died did not say
				t.Logger.Warn("games that nothing watches could not be looked for", "error", err)
			}
		}
		began := t.since()
		armed, err := t.Journal.Armed(ctx, games)
		if err != nil {
			if ctx.Err() == nil {
				t.Logger.Warn("the deadlines of games that another instance had could not be read; trying again", "error", err)
			}
			wait = retryTakeOver // all of them
		} else {
			t.flags.adopt(t.own(armed), games == nil)
		}
		if wait > 0 {
			again.Reset(wait)
		}
		if games == nil { // whatever others do, half of the time at most is for reading all games
			sleep(ctx, t.since()-began)
		}
	}
}

// sleep returns after a time, or when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// take returns the games that have changed elsewhere since it was last called.
func (o *owners) take() (games []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id := range o.games {
		games = append(games, id)
	}
	o.games = nil
	return games
}

const (
	// leastGrace and mostGrace bound how long the owner of a game waits after a deadline for acts from elsewhere.
	leastGrace = 30 * time.Millisecond
	mostGrace  = 500 * time.Millisecond
	// transitSeconds is how long a transit is remembered.
	transitSeconds = 10
)

// grace returns how long after a deadline, in ms, acts may still come that came in time elsewhere: twice as long as the
// slowest of late took. The flag falls at its deadline nevertheless.
func (t *Tables) grace() int64 {
	if t.Owners == nil || t.Owners.Alone() {
		return 0
	}
	return min(max(2*t.owners.transits.longest(t.now()), leastGrace.Milliseconds()), mostGrace.Milliseconds())
}

// holdBack returns when every act that came in time elsewhere has arrived, if a flag falls before the arrival's stamp.
func (t *Tables) holdBack(ctx context.Context, a *Arrival) error {
	s := a.Known()
	if s == nil || s.Game.Deadline == 0 || s.Game.Deadline >= a.At {
		return nil
	}
	wait := s.Game.Deadline + t.grace() - t.now()
	if wait < 0 {
		return nil
	}
	sleep(ctx, time.Duration(wait+1)*time.Millisecond)
	return ctx.Err()
}

// transits are the longest times that acts took from the process at which they came in to this one, second by second.
type transits struct {
	mu      sync.Mutex
	seconds [transitSeconds + 1]struct{ second, longest int64 }
}

func (t *transits) note(now, took int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.seconds[now/1000%int64(len(t.seconds))]
	if s.second != now/1000 {
		s.second, s.longest = now/1000, 0
	}
	s.longest = max(s.longest, took)
}

// longest returns the longest of the last ten seconds, in ms.
func (t *transits) longest(now int64) (longest int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.seconds {
		if s.second >= now/1000-transitSeconds {
			longest = max(longest, s.longest)
		}
	}
	return longest
}
