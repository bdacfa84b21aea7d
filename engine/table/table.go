// Package table runs live games: it loads, judges, stores, and only then notifies.
//
// Every act on a game (a move, a resignation, a draw offer, a check for fallen flags) is an arrival: it is stamped once
// the request is complete, and the arrivals of the same game act in the order of their stamps. A check for flags is an
// arrival too, stamped after the deadline, so that it waits for every request that came in time. An act that finds the
// deadline of an awaited seat before its own stamp first records that seat's leaving, at the deadline.
//
// The log of lines is the source of truth; the game's row is a fold of it. A step (lines and row) is appended in a
// transaction guarded by the row's version (optimistic locking); on a conflict with another process it is judged again
// on the reloaded game.
//
// While the journal cannot be written, all games are suspended: acts are refused and no flag falls. Once it can be
// written again the time is credited to every running clock, as after a crash. So is the time of a suspension of this
// process because it or its machine was stopped: the first act afterwards waits until every clock has been credited.
//
// Several processes may work on the same journal. An act is judged by this process's version of the game: if its step
// is stored, that was the latest version; if it is refused or changes nothing, the version is looked at, and the act
// judged again where it had changed. Each game has an owner among the processes ([Owners]), which alone waits for its
// deadline. The others record a flag only if it is long overdue.
//
// Draw offers: an offer is open until the other side accepts, declines, or moves. A side may offer again once the other
// side has moved. In team games any partner acts for the side, as with resigning.
package table

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Config configures tables. Storage is required; the rest has defaults for a single process.
type Config struct {
	Storage
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
	// FlagTaken is called for every stored flag of another process's game that the owner failed to record. It must not
	// block.
	FlagTaken func()
	// FlagFell is called for every stored flag with the time since its deadline. It must return at once.
	FlagFell func(late time.Duration)
	// RatesBots reports whether a rated game of bots' accounts with people counts; nil for never.
	RatesBots func(g *Game) bool
}

// Tables coordinates all running games of this process. It is safe for concurrent use.
type Tables struct {
	Config
	time       *timebase
	cache      *cache
	flags      *schedule
	broken     brokenGames
	falling    sync.WaitGroup
	suspension *suspension
	outages    *outages
	cluster    cluster
	quotas     quotaLocks
	acting     sync.RWMutex // held while the games' time jumps; shared by all that judges or opens games
}

// followTimeout is the maximum time after its arrival that the request that finished a game waits for ratings and
// standings. The time it waited for an instance that did not answer counts.
const followTimeout = 1400 * time.Millisecond

// answerTime is the time allowed for an answer on its way to another instance.
const answerTime = 200 * time.Millisecond

// New returns tables on a journal. Call Recover once, then Run.
func New(c Config) *Tables {
	if c.NewSeed == nil {
		c.NewSeed = randomSeed
	}
	if c.NewCode == nil {
		c.NewCode = rand.Text
	}
	c.Logger = cmp.Or(c.Logger, slog.Default())
	c.Notifier = cmp.Or[Notifier](c.Notifier, nopNotifier{})
	c.Follower = cmp.Or[Follower](c.Follower, nopFollower{})
	if c.FlagFell == nil {
		c.FlagFell = func(time.Duration) {}
	}
	if c.RatesBots == nil {
		c.RatesBots = func(*Game) bool { return false }
	}
	if c.FlagTaken == nil {
		c.FlagTaken = func() {}
	}
	t := &Tables{Config: c, time: newTimebase(c.Now, c.Logger), cache: newCache(), flags: newSchedule()}
	t.outages = &outages{tables: t, wake: make(chan struct{}, 1)}
	t.suspension = &suspension{
		time: t.time, beats: c.Heartbeats, instance: c.Instance, shared: c.Shared, record: t.outages.record, followWall: t.followWall, logger: c.Logger,
	}
	t.cluster = alone{t.time}
	if c.Shared || c.Owners != nil {
		t.cluster = &instances{
			alone: alone{t.time}, deadlines: c.Deadlines, peers: c.Peers, owners: c.Owners, flags: t.flags, broken: &t.broken,
			suspension: t.suspension, outages: t.outages, logger: c.Logger,
			changes: make(chan struct{}, 1), heard: make(chan struct{}, 1), began: make(chan struct{}, 1),
			remote: map[string]bool{}, watched: map[string]int64{},
		}
	}
	t.suspension.cluster = t.cluster
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

// now returns the time in ms UTC.
func (t *Tables) now() int64 { return t.time.now() }

// Time returns the time that the clocks of all games run by. Use it to show them, and not the wall clock; for all else
// there is ServiceTime.
func (t *Tables) Time() time.Time { return t.time.time() }

// Offset returns the lead of the journal's clock over this machine's; 0 where it has none.
func (t *Tables) Offset() time.Duration { return time.Duration(t.time.offset.Load()) }

// Ready returns ErrUnavailable while all games are suspended because the journal cannot be written, and ErrOffset while
// this machine's clock is wrong.
func (t *Tables) Ready() error {
	switch {
	case t.suspension.active():
		return ErrUnavailable
	case t.Offset().Abs() >= maxOffset:
		return ErrOffset
	}
	return nil
}

// OwnersChanged drops the deadlines of games that other processes own now, and arms those of games gained. It returns
// at once.
func (t *Tables) OwnersChanged() { t.cluster.ownersChanged() }

// ChangedElsewhere arms the deadlines of this process's own games among those that other processes have changed. It
// returns at once.
func (t *Tables) ChangedElsewhere(games ...string) { t.cluster.changedElsewhere(games) }

// Owned returns the number of games with a deadline scheduled in this process.
func (t *Tables) Owned() int { return t.flags.size() }

// arm waits for a game's deadline if the game is this process's own; 0 is none.
func (t *Tables) arm(game string, deadline int64) {
	if deadline != 0 && !t.cluster.owns(game) {
		deadline = 0
	}
	t.flags.set(game, deadline)
}

// newID returns the id of a new game. It is made so that the game is this process's own, for here are its players.
func (t *Tables) newID() string {
	id := uuid.Must(uuid.NewV7()).String()
	for range 100 { // with ten processes every tenth id will do
		if t.cluster.owns(id) {
			break
		}
		id = uuid.Must(uuid.NewV7()).String()
	}
	return id
}

// Run runs the heartbeat, the watchdog, the outage credit and the flags until ctx ends; then it waits for work in
// progress.
func (t *Tables) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	wg.Go(func() { t.suspension.run(ctx) })
	wg.Go(func() { t.outages.run(ctx) })
	wg.Go(func() { t.cluster.run(ctx) })
	t.watchFlags(ctx)
	wg.Wait()
	t.falling.Wait()
	return nil
}
