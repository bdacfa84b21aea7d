package table

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Peers is the knowledge of each other that processes with the same journal share through it.
type Peers interface {
	// Clock returns the time by the journal's own clock.
	Clock(ctx context.Context) (time.Time, error)
	// Runs returns when each process was last alive without a break, by the journal's own clock. Its heartbeats make up a
	// run as long as they follow each other within MaxSilence.
	Runs(ctx context.Context) ([]Run, error)
}

// Run is a period of a process's life, ms UTC.
type Run struct {
	From, To int64
	Before   int64 // the last heartbeat of the run before; 0 for none
}

// Owners assigns games to the processes that share a journal. It may be wrong for a moment: then a flag is recorded
// late, or two processes try to record it, and the journal takes it once.
type Owners interface {
	// Mine reports whether this process is the owner.
	Mine(game string) bool
	// Alone reports whether no other process lives.
	Alone() bool
}

// cluster is this process's part among those that share a journal: [instances], or [alone] without others.
type cluster interface {
	// run sweeps for overdue flags and follows changes of owners until ctx ends.
	run(ctx context.Context)
	// owns reports whether this process waits for a game's deadline.
	owns(game string) bool
	// ownersChanged drops the deadlines of games lost and arms those gained. It returns at once.
	ownersChanged()
	// changedElsewhere arms the deadlines of games that other processes have changed. It returns at once.
	changedElsewhere(games []string)
	// watch adds a game to the sweep index if its clocks have begun to run or were changed.
	watch(g *Game, news []Line)

	// grace returns the in-flight allowance in ms: how long a flag is held back for acts that other processes forward. It
	// falls at its deadline nevertheless.
	grace() int64
	// forwarded records the time that an act took to get here, in ms.
	forwarded(now, took int64)
	// holdBack returns when the in-flight allowance is over, if a flag falls before the arrival's stamp.
	holdBack(ctx context.Context, a *Arrival) error
	// mayBeOld reports whether a cached snapshot may be older than the stored game.
	mayBeOld(s *Snapshot) bool
	// checkAnswer returns an error if the journal was away while it was read: ErrUnavailable, or errStale where the games
	// have been credited for it by now.
	checkAnswer(ctx context.Context, g *live) error

	// slew moves the time towards the journal's clock, by at most limit.
	slew(ctx context.Context, limit time.Duration) error
	// absence returns the period until now when no process served the games. This process has not served them since
	// from; last is the latest heartbeat of all.
	absence(ctx context.Context, from, last int64) (Outage, error)
}

// alone is the cluster of a single process.
type alone struct{ time *timebase }

func (alone) run(context.Context)                       {}
func (alone) owns(string) bool                          { return true }
func (alone) ownersChanged()                            {}
func (alone) changedElsewhere([]string)                 {}
func (alone) watch(*Game, []Line)                       {}
func (alone) grace() int64                              { return 0 }
func (alone) forwarded(int64, int64)                    {}
func (alone) holdBack(context.Context, *Arrival) error  { return nil }
func (alone) mayBeOld(*Snapshot) bool                   { return false }
func (alone) checkAnswer(context.Context, *live) error  { return nil }
func (alone) slew(context.Context, time.Duration) error { return nil }
func (a alone) absence(_ context.Context, from, last int64) (Outage, error) {
	return Outage{max(from, last), a.time.now()}, nil
}

// absence returns the longest part of a time when neither this process nor another was alive.
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
