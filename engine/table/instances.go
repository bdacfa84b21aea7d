package table

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"
)

// MaxSilence is the duration without an answer of the journal, or without a heartbeat, after which it or the process
// was away.
const MaxSilence = time.Second

// instances is the cluster of several processes that share a journal.
type instances struct {
	alone
	deadlines  Deadlines
	peers      Peers  // nil: their heartbeats are not known
	owners     Owners // nil: all games are this process's own
	flags      *schedule
	broken     *brokenGames
	suspension *suspension
	outages    *outages
	logger     *slog.Logger
	transits   transits

	changes chan struct{} // the processes have changed
	heard   chan struct{} // remote is not empty
	began   chan struct{} // watched is not empty
	mu      sync.Mutex
	remote  map[string]bool  // own games that were changed by other processes
	watched map[string]int64 // games for the sweep index, with a time before which no flag falls
}

func (i *instances) run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { i.sweep(ctx) })
	wg.Go(func() { i.followOwners(ctx) })
	wg.Go(func() { i.storeWatched(ctx) })
	wg.Wait()
}

func (i *instances) slew(ctx context.Context, limit time.Duration) error {
	if i.peers == nil {
		return nil
	}
	moved, err := i.time.slew(ctx, i.peers, limit)
	if moved {
		i.flags.rearm()
	}
	return err
}

func (i *instances) absence(ctx context.Context, from, last int64) (Outage, error) {
	o, err := i.alone.absence(ctx, from, last)
	if i.peers != nil {
		var runs []Run
		if runs, err = i.peers.Runs(ctx); err != nil {
			return Outage{}, err
		}
		// stored times continue from those before, should the journal's clock be behind them
		for n := range runs {
			ahead := i.time.aheadMs()
			runs[n] = Run{runs[n].From + ahead, runs[n].To + ahead, runs[n].Before + ahead}
		}
		o = absence(from, i.time.now(), runs)
	}
	if o.To-o.From < MaxSilence.Milliseconds() {
		o.From = o.To
	}
	return o, err
}

func (i *instances) mayBeOld(s *Snapshot) bool { return !s.Game.Status.Over() }

func (i *instances) checkAnswer(ctx context.Context, g *live) error {
	if i.suspension.suspendIfSilent(i.time.steady()); i.suspension.active() {
		return ErrUnavailable
	}
	if i.outages.pending(g.id) == nil {
		return nil
	}
	return cmp.Or(i.outages.credit(ctx, g), errStale)
}

func (i *instances) owns(game string) bool { return i.owners == nil || i.owners.Mine(game) }

// own returns those games that are this process's own.
func own(c cluster, games []Armed) (owned []Armed) {
	for _, g := range games {
		if c.owns(g.ID) {
			owned = append(owned, g)
		}
	}
	return owned
}

func (i *instances) ownersChanged() { signal(i.changes) }

func (i *instances) changedElsewhere(games []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, id := range games {
		if i.owns(id) {
			i.remote[id] = true
		}
	}
	if len(i.remote) > 0 {
		signal(i.heard)
	}
}

// signal wakes the goroutine that reads from a channel with room for a single signal.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

const (
	// settled is the time after which all processes know of a change of them: each has had a heartbeat. The games that
	// another process has created in between are then read once more.
	settled = 2 * sharedBeatInterval
	// retryTakeOver is the delay before deadlines are read again that could not be read.
	retryTakeOver = time.Second
)

// followOwners arms the deadlines of games that become this process's own until ctx ends.
func (i *instances) followOwners(ctx context.Context) {
	again := time.NewTimer(longWait)
	defer again.Stop()
	for {
		games, wait := []string(nil), longWait
		select {
		case <-ctx.Done():
			return
		case <-i.heard:
			if games, wait = i.takeRemote(), 0; games == nil {
				continue
			}
		case <-i.changes:
			i.flags.keep(i.owns)
			wait = settled
		case <-again.C:
			// those that a process had not stored when it died
			if err := i.deadlines.Watch(ctx, nil); err != nil && ctx.Err() == nil {
				i.logger.Warn("games that nothing watches could not be looked for", "error", err)
			}
		}
		began := i.time.since()
		armed, err := i.deadlines.Armed(ctx, games)
		if err != nil {
			if ctx.Err() == nil {
				i.logger.Warn("the deadlines of games that another instance had could not be read; trying again", "error", err)
			}
			wait = retryTakeOver // all of them
		} else {
			i.flags.adopt(own(i, armed), games == nil)
		}
		if wait > 0 {
			again.Reset(wait)
		}
		if games == nil { // reading all games takes half of the time at most
			sleep(ctx, i.time.since()-began)
		}
	}
}

// takeRemote returns the games that other processes have changed since the last call.
func (i *instances) takeRemote() (games []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for id := range i.remote {
		games = append(games, id)
	}
	clear(i.remote)
	return games
}

// sleep returns after a time, or when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

const (
	// minGrace and maxGrace bound the in-flight allowance.
	minGrace = 30 * time.Millisecond
	maxGrace = 500 * time.Millisecond
	// transitSeconds is the time that a transit is remembered.
	transitSeconds = 10
)

// grace is 2 × the slowest forward of the last 10 s.
func (i *instances) grace() int64 {
	if i.owners == nil || i.owners.Alone() {
		return 0
	}
	return min(max(2*i.transits.longest(i.time.now()), minGrace.Milliseconds()), maxGrace.Milliseconds())
}

func (i *instances) forwarded(now, took int64) { i.transits.note(now, took) }

func (i *instances) holdBack(ctx context.Context, a *Arrival) error {
	s := a.Known()
	if i.owners == nil || s == nil || s.Game.Deadline == 0 || s.Game.Deadline >= a.At {
		return nil
	}
	wait := s.Game.Deadline + i.grace() - i.time.now()
	if wait < 0 {
		return nil
	}
	sleep(ctx, time.Duration(wait+1)*time.Millisecond)
	return ctx.Err()
}

// transits are the longest times that acts took from the process of their arrival to this process, second by second.
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
