// Package table runs live games: it loads, judges, stores, and only then notifies.
//
// Every act on a game (a move, a resignation, a draw offer, a check for fallen flags) is an arrival: it is stamped once
// the request is complete, and the arrivals of one game act in the order of their stamps. A check for flags is an arrival
// too, stamped after the deadline, so that it waits for every request that came in time. An act that finds the deadline of
// an awaited seat before its own stamp first records that seat's leaving, at the deadline.
//
// The log of lines is the source of truth; the game's row is a fold of it. A step (lines and row) is appended in one
// transaction guarded by the row's version (optimistic locking); on a conflict with another process it is judged again on
// the reloaded game.
//
// While the journal cannot be written, all games are suspended: acts are refused and no flag falls. Once it can be written
// again the time is credited to every running clock, as after a crash. So is a time in which this process was suspended
// because it or its machine was stopped: the first act afterwards waits until every clock has been credited.
//
// Several processes may work on one journal. An act is judged by what this process knows of the game: if its step is
// stored, that was the latest version; if it is refused or changes nothing, the version is looked at, and the act judged again
// where it had changed. Each game has an owner among the processes ([Owners]), which alone waits for its deadline. The others
// record a flag only if it is long overdue.
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

// Config configures tables. Journal is required; the rest has defaults for a single process.
type Config struct {
	Journal  Journal
	Notifier Notifier // called after every stored step
	Follower Follower // applies the consequences of finished games
	Now      func() time.Time
	NewSeed  func() [32]byte // secret seeds of games with chance
	NewCode  func() string   // secret codes of open games that are not listed
	Logger   *slog.Logger
	Instance string // names this process in the heartbeat
	Shared   bool   // other processes may work on the same journal at the same time
	Peers    Peers  // the other processes; nil if the journal is not shared
	Owners   Owners // which games are this process's own; nil if all are
	// FlagTaken is called for every stored flag of a game whose owner was to record it and did not. It must return at once.
	FlagTaken func()
	// FlagFell is called for every stored flag with the time since its deadline. It must return at once.
	FlagFell func(late time.Duration)
}

// Tables coordinates all running games of this process. It is safe for concurrent use.
type Tables struct {
	Config
	epoch   time.Time            // wall and monotonic reading that all stamps are counted from
	since   func() time.Duration // time since epoch; it reads only the monotonic clock, which takes half the time
	wall    func() time.Time     // the machine's clock
	ahead   time.Duration
	cache   *cache
	flags   *schedule
	broken  brokenGames
	falling sync.WaitGroup
	offset  offset
	still   suspension
	owed    owed
	owners  owners
	quotas  quotaLocks
}

// followTimeout is the maximum time after its arrival that the request that finished a game waits for ratings and standings.
// What it waited for an instance that did not answer counts.
const followTimeout = 1400 * time.Millisecond

// answerTime is what an answer to another instance may take on its way.
const answerTime = 200 * time.Millisecond

// New returns tables on a journal. Call Recover once, then Run.
func New(c Config) *Tables {
	if c.NewSeed == nil {
		c.NewSeed = randomSeed
	}
	if c.NewCode == nil {
		c.NewCode = rand.Text
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Notifier == nil {
		c.Notifier = nopNotifier{}
	}
	if c.Follower == nil {
		c.Follower = nopFollower{}
	}
	if c.FlagFell == nil {
		c.FlagFell = func(time.Duration) {}
	}
	if c.FlagTaken == nil {
		c.FlagTaken = func() {}
	}
	t := &Tables{Config: c, epoch: time.Now(), wall: time.Now}
	t.since = func() time.Duration { return time.Since(t.epoch) }
	if c.Now != nil {
		t.epoch, t.wall = c.Now(), c.Now
		t.since = func() time.Duration { return c.Now().Sub(t.epoch) }
	}
	t.cache = newCache()
	t.flags = newSchedule()
	t.owed.wake = make(chan struct{}, 1)
	t.owners.changed, t.owners.heard, t.owners.began = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	return t
}

func randomSeed() (seed [32]byte) {
	_, _ = rand.Read(seed[:]) // never fails: the runtime aborts the program instead
	return seed
}

type nopNotifier struct{}

func (nopNotifier) GameChanged(*Snapshot, []Line) {}

type nopFollower struct{}

func (nopFollower) Wake()                  {}
func (nopFollower) Follow(context.Context) {}

// now returns the time in ms UTC. It follows the monotonic reading since the start, so that setting the wall clock while
// games run changes no player's time.
func (t *Tables) now() int64 { return t.Time().UnixMilli() }

// Time returns the time by which the clocks of all games run. Use it to show them, and not the wall clock.
func (t *Tables) Time() time.Time {
	return t.epoch.Add(t.since() + t.ahead + time.Duration(t.offset.applied.Load()))
}

// Run runs the heartbeat, the watchdog, the outage credit and the flags until ctx ends; then it waits for work in
// progress.
func (t *Tables) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	t.still.pulse.Store(t.now())
	t.still.heard.Store(t.now())
	wg.Go(func() { t.watchdog(ctx) })
	wg.Go(func() { t.beat(ctx) })
	wg.Go(func() { t.creditOutages(ctx) })
	if t.Shared {
		wg.Go(func() { t.sweep(ctx) })
		wg.Go(func() { t.followOwners(ctx) })
		wg.Go(func() { t.watchBegun(ctx) })
	}
	t.watchFlags(ctx)
	wg.Wait()
	t.falling.Wait()
	return nil
}
