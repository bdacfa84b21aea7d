package table

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine/sentence"
)

// setClock is a machine's clock that is set while its monotonic clock goes on. It shows the time of the bubble plus wrong.
type setClock struct {
	wrong atomic.Int64
	log   bytes.Buffer
	// the journal is shared, and its clock counts
	shared bool
}

func (c *setClock) set(wrong time.Duration) { c.wrong.Store(int64(wrong)) }

// start runs tables by the clock, as a process that starts now.
func (c *setClock) start(t *testing.T, journal *memory) *evening {
	atStart := time.Duration(c.wrong.Load())
	e := &evening{t: t, journal: journal, ended: make(chan struct{})}
	e.Tables = New(Config{
		Storage: stored(journal), Notifier: e, Instance: time.Now().String(), Logger: slog.New(slog.NewTextHandler(&c.log, nil)),
		Now: func() time.Time { return time.Now().Add(atStart) }, Shared: c.shared,
	})
	journal.alone = !c.shared
	if c.shared {
		e.cluster.(*instances).peers = journal
	}
	e.time.wall = func() time.Time { return time.Now().Add(time.Duration(c.wrong.Load())) }
	if err := e.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e.cancel = cancel
	go func() {
		defer close(e.ended)
		_ = e.Run(ctx)
	}()
	return e
}

// wantTimes compares both times with those of the bubble.
func (e *evening) wantTimes(when string, service, games time.Duration) {
	e.t.Helper()
	synctest.Wait()
	if wrong := time.Until(e.ServiceTime()); wrong != service {
		e.t.Errorf("%s the service's time is wrong by %s, want %s", when, wrong, service)
	}
	if wrong := time.Until(e.Time()); wrong != games {
		e.t.Errorf("%s the games' time is wrong by %s, want %s", when, wrong, games)
	}
}

const week = 7 * 24 * time.Hour

// TestTheClockIsSet sets the machine's clock while a game's clock runs, and while none does. Everything but running
// clocks follows it after a minute, and they neither lose nor gain. Then the service starts again.
func TestTheClockIsSet(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to time.Duration // how wrong the clock is
	}{
		{"a week behind, then NTP", -week, 0},
		{"a week ahead, then NTP", week, 0},
		{"an hour forward", 0, time.Hour},
		{"an hour back", 0, -time.Hour},
		{"two seconds back", 2 * time.Second, 0},
	} {
		for _, runs := range []bool{true, false} {
			name := c.name + ", none runs"
			if runs {
				name = c.name + ", a game runs"
			}
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					clock, journal := &setClock{}, newMemory()
					clock.set(c.from)
					e := clock.start(t, journal)
					id, had := "", int64(0)
					if runs {
						id = e.open("quixo/duel", "600").Game.ID
					}
					time.Sleep(time.Minute)
					e.wantTimes("before", c.from, c.from)
					clock.set(c.to)
					time.Sleep(50 * time.Second)
					e.wantTimes("before a minute is over", c.from, c.from)
					time.Sleep(15 * time.Second)
					if !runs {
						e.wantTimes("after a minute", c.to, c.to)
					} else {
						e.wantTimes("while the game runs", c.to, c.from)
						s := e.see(id)
						if left := s.Clocks(e.now())[0].Remaining; left != 600_000-125_000 || len(s.Lines) != 1 {
							t.Errorf("%d ms remain after 125 s of 600, and the log has %d lines", left, len(s.Lines))
						}
						e.mustPlay(id, 1, 1, "a1-a5")
						had = e.see(id).Clocks(e.now())[1].Remaining
					}
					e.stop()
					e = clock.start(t, journal)
					if runs {
						if left := e.see(id).Clocks(e.now())[1].Remaining; left != had {
							t.Errorf("a start leaves %d ms of %d", left, had)
						}
						time.Sleep(time.Minute)
						if left := e.see(id).Clocks(e.now())[1].Remaining; left != had-60_000 {
							t.Errorf("a minute after a start %d ms are left of %d", left, had)
						}
						if _, err := e.Abort(t.Context(), id, "x", sentence.Fixed("over")); err != nil {
							t.Fatal(err)
						}
					}
					time.Sleep(2 * time.Minute)
					e.wantTimes("with no game, after a start", c.to, c.to)
					e.stop()
					e = clock.start(t, journal)
					defer e.stop()
					e.wantTimes("after another start", c.to, c.to)
				})
			})
		}
	}
}

// TestTheClockIsSetInAPause lets the games' time follow forward, but not back to before the pause: the turn that goes on
// would begin at a time that is still to come.
func TestTheClockIsSetInAPause(t *testing.T) {
	for jump, games := range map[time.Duration]time.Duration{time.Hour: time.Hour, -time.Hour: 0} {
		synctest.Test(t, func(t *testing.T) {
			clock, journal := &setClock{}, newMemory()
			e := clock.start(t, journal)
			defer e.stop()
			id := e.open("quixo/duel", "600").Game.ID
			time.Sleep(time.Minute)
			if _, err := e.Pause(t.Context(), e.Arrive(id), Ruling{By: "x", Reason: "a fire alarm"}, ""); err != nil {
				t.Fatal(err)
			}
			clock.set(jump)
			time.Sleep(2 * time.Minute)
			e.wantTimes("in the pause", jump, games)
			if _, err := e.Resume(t.Context(), e.Arrive(id), Ruling{By: "x", Reason: "a fire alarm"}, ""); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			if left := e.see(id).Clocks(e.now())[0].Remaining; left != 480_000 {
				t.Errorf("set by %s: %d ms remain after two minutes of ten", jump, left)
			}
		})
	}
}

// TestStampsFromBeforeAJump plays with an arrival that was stamped before the games' time jumped.
func TestStampsFromBeforeAJump(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			clock := &setClock{}
			e := clock.start(t, newMemory())
			defer e.stop()
			games, err := e.Open(t.Context(), NewGame{Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"60"}})
			if err != nil {
				t.Fatal(err)
			}
			id := games[0].Game.ID
			early := e.Arrive(id)
			clock.set(jump)
			time.Sleep(2 * time.Minute)
			e.wantTimes("after the jump", jump, jump)
			if _, err := e.Start(t.Context(), early, "x"); err != nil {
				t.Fatal(err)
			}
			if s := e.see(id); s.Clocks(e.now())[0].Remaining != 60_000 || s.Game.StartedAt != e.now() {
				t.Errorf("by %s: %d ms remain at the start", jump, s.Clocks(e.now())[0].Remaining)
			}
			time.Sleep(61 * time.Second)
			synctest.Wait()
			if s := e.see(id); !s.Game.Status.Over() {
				t.Errorf("by %s: no flag falls afterwards", jump)
			}
		})
	}
}

// TestAnHourAheadIsLoud logs a single error where the last heartbeat is ahead by more than an hour, and none for less.
func TestAnHourAheadIsLoud(t *testing.T) {
	for ahead, want := range map[time.Duration]int{59 * time.Minute: 0, 61 * time.Minute: 1} {
		synctest.Test(t, func(t *testing.T) {
			clock, journal := &setClock{}, newMemory()
			clock.set(ahead)
			clock.start(t, journal).stop()
			clock.set(0)
			e := clock.start(t, journal)
			defer e.stop()
			if got := strings.Count(clock.log.String(), "level=ERROR"); got != want {
				t.Errorf("%s ahead: %d errors\n%s", ahead, got, clock.log.String())
			}
			if behind := e.Ahead(); behind != ahead {
				t.Errorf("the games' time is ahead by %s, want %s", behind, ahead)
			}
		})
	}
}

// TestAStopAfterTheClockWasSet takes the journal away while the games' time is ahead of the service's: the clocks get the time back.
func TestAStopAfterTheClockWasSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock, journal := &setClock{}, newMemory()
		clock.set(week)
		e := clock.start(t, journal)
		defer e.stop()
		id := e.open("quixo/duel", "600").Game.ID
		clock.set(0)
		time.Sleep(2*time.Minute + watchdogInterval/2)
		synctest.Wait()
		e.wantTimes("while the game runs", 0, week)
		journal.fail(ErrUnavailable)
		if _, err := e.play(id, 1, 1, "a1-a5"); !errors.Is(err, ErrUnavailable) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		journal.fail(nil)
		time.Sleep(2 * beatInterval)
		synctest.Wait()
		if left := e.see(id).Clocks(e.now())[0].Remaining; left < 475_000 || left > 480_000 {
			t.Errorf("%d ms remain after two minutes of ten and an outage of ten", left)
		}
	})
}

// TestTheClockOfASharedJournalCounts sets the clock of a machine among several, and then that of the journal: the first
// changes nothing, and the second moves both times at once; a running clock is credited the jump.
func TestTheClockOfASharedJournalCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock, journal := &setClock{}, newMemory()
		clock.shared = true
		e := clock.start(t, journal)
		defer e.stop()
		id := e.open("quixo/duel", "600").Game.ID
		clock.set(-time.Hour)
		time.Sleep(2*time.Minute + watchdogInterval/2)
		e.wantTimes("with a machine's clock that is set", 0, 0)
		journal.set(time.Hour)
		time.Sleep(2 * time.Minute)
		e.wantTimes("with a journal's clock that is set", time.Hour, time.Hour)
		left := e.see(id).Clocks(e.now())[0].Remaining
		seen := samples * sharedBeatInterval // until all measurements are of the new clock; that time may be lost
		if left > 360_000 || left < 360_000-seen.Milliseconds()-1_000 {
			t.Errorf("%d ms remain after four minutes of ten", left)
		}
	})
}
