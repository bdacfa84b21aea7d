// Package table runs live games: it loads, judges, stores, and only then tells.
//
// Every act on a game (a move, a resignation, a draw offer, a look for fallen flags) is an arrival: it is stamped
// once the request is complete, and the arrivals of one game act in the order of their stamps. A flag is looked for
// by an arrival too, stamped after the deadline, so that it waits for every request that came in time. An act that
// finds the deadline of an awaited seat before its own stamp first records that seat's leaving, at the deadline.
//
// The log of lines is the truth; the game's row is its fold. A step (lines and row) is appended in one transaction
// guarded by the row's version; a step that lost against another process is judged again on the reloaded game.
//
// While the journal cannot be written, all games stand still: acts are refused, no flag falls, and once it can be
// written again the time is given back to every running clock, as after a crash. So is the time in which this process
// was there but did not run, because it or its machine was stopped: whatever comes first afterwards waits until every
// clock has it back.
//
// Several processes may work on one journal. Each looks, before an act is judged, whether it still knows the latest
// version, and each lets fall what another one should have and did not.
//
// Draw offers: an offer stands until the other side accepts, declines, or moves. A side may offer again once the
// other side has moved. In team games any partner acts for the side, as with resigning.
package table

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"
)

// Config is what tables need. Journal is required; the rest has defaults fit for a single process.
type Config struct {
	Journal  Journal
	Notifier Notifier // told of every stored step
	Follower Follower // carries out what follows a finished game
	Now      func() time.Time
	NewSeed  func() [32]byte // secret seeds of games with chance
	Logger   *slog.Logger
	Instance string // names this process in the heartbeat
	Shared   bool   // other processes may work on the same journal at the same time
	// FlagFell is told of every flag that was stored: how long after its deadline that was. It must return at once.
	FlagFell func(late time.Duration)
}

// Tables coordinates all running games of this process. It is safe for concurrent use.
type Tables struct {
	Config
	epoch   time.Time            // wall and monotonic reading that all stamps are counted from
	since   func() time.Duration // how long ago that was; it reads the monotonic clock alone, which takes half the time
	ahead   time.Duration
	cache   cache
	flags   *schedule
	falling sync.WaitGroup
	still   standstill
	owed    owed
}

// followTimeout bounds how long the request that finished a game waits for ratings and standings.
const followTimeout = 2 * time.Second

// New gives tables on a journal. Call Recover once, then Run.
func New(c Config) *Tables {
	if c.NewSeed == nil {
		c.NewSeed = randomSeed
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Notifier == nil {
		c.Notifier = silent{}
	}
	if c.Follower == nil {
		c.Follower = silent{}
	}
	if c.FlagFell == nil {
		c.FlagFell = func(time.Duration) {}
	}
	t := &Tables{Config: c, epoch: time.Now()}
	t.since = func() time.Duration { return time.Since(t.epoch) }
	if c.Now != nil {
		t.epoch = c.Now()
		t.since = func() time.Duration { return c.Now().Sub(t.epoch) }
	}
	t.cache = newCache()
	t.flags = newSchedule()
	t.owed.wake = make(chan struct{}, 1)
	return t
}

func randomSeed() (seed [32]byte) {
	_, _ = rand.Read(seed[:]) // never fails: the runtime aborts the program instead
	return seed
}

// silent is who is told when nobody listens.
type silent struct{}

func (silent) GameChanged(*Snapshot, []Line) {}
func (silent) Wake()                         {}
func (silent) Follow(context.Context)        {}

// now is the time in ms UTC. It follows the monotonic reading since the start, so that a wall clock set back or
// forward while games run changes nobody's time.
func (t *Tables) now() int64 { return t.Time().UnixMilli() }

// Time is the time by which the clocks of all games run. Whoever shows them must read it, and not the wall clock.
func (t *Tables) Time() time.Time { return t.epoch.Add(t.since() + t.ahead) }

// Run keeps the heartbeat and lets flags fall until ctx ends; then it waits for what has begun.
func (t *Tables) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	t.still.pulse.Store(t.now())
	wg.Go(func() { t.feelPulse(ctx) })
	wg.Go(func() { t.beat(ctx) })
	wg.Go(func() { t.giveBackAll(ctx) })
	if t.Shared {
		wg.Go(func() { t.sweep(ctx) })
	}
	t.watchFlags(ctx)
	wg.Wait()
	t.falling.Wait()
	return nil
}
