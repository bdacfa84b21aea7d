package table

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// skipping is a clock that can jump, as time does for a process that was stopped: its timers are stopped as well.
type skipping struct{ skipped atomic.Int64 }

func (s *skipping) now() time.Time          { return time.Now().Add(time.Duration(s.skipped.Load())) }
func (s *skipping) stopped(d time.Duration) { s.skipped.Add(int64(d)) }

// startBy runs tables on a journal by a clock of the test's own.
func startBy(t *testing.T, journal *memory, now func() time.Time) *evening {
	return startWith(t, Config{Storage: stored(journal), Now: now})
}

func startWith(t *testing.T, c Config) *evening {
	e := &evening{t: t, journal: c.Journal.(*memory), ended: make(chan struct{})}
	c.Notifier = e
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Shared {
		c.Peers = e.journal
	}
	e.Tables = New(c)
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

// TestTimeInWhichTheProcessDidNotRun stops the process for ten minutes. Whatever comes first when it runs again, be it
// a move, a flag's timer, a reader, the heartbeat or the pulse: no player has lost the time, and the record has a line
// about it.
func TestTimeInWhichTheProcessDidNotRun(t *testing.T) {
	for name, first := range map[string]func(*testing.T, *evening, string){
		"a move":        func(_ *testing.T, e *evening, id string) { e.mustPlay(id, 1, 1, "a1-a5") },
		"a flag":        func(_ *testing.T, e *evening, id string) { e.fall(context.Background(), id, false) },
		"the heartbeat": func(t *testing.T, e *evening, _ string) { e.suspension.beatOnce(t.Context()) },
		"a look":        func(_ *testing.T, e *evening, id string) { e.see(id) },
		"the pulse":     func(*testing.T, *evening, string) { time.Sleep(watchdogInterval) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := &skipping{}
				e := startBy(t, newMemory(), clock.now)
				defer e.stop()
				one, two := e.open("quixo/duel", "60").Game.ID, e.open("quixo/duel", "25.5").Game.ID
				time.Sleep(20*time.Second + watchdogInterval/2)
				synctest.Wait()
				clock.stopped(10 * time.Minute)
				first(t, e, one)
				synctest.Wait()
				for id, had := range map[string]int64{one: 40_000, two: 5_500} {
					s := e.see(id)
					if len(s.Lines) < 2 {
						t.Fatalf("lines %+v", s.Lines)
					}
					outage := s.Lines[1]
					length, err := time.ParseDuration(outage.Text + "ms")
					if outage.Kind != LineOutage || err != nil || length < 10*time.Minute || length > 10*time.Minute+watchdogInterval {
						t.Errorf("the line after the start is %+v", outage)
					}
					if left := s.Clocks(outage.At)[0].Remaining; left > had || left < had-watchdogInterval.Milliseconds() {
						t.Errorf("%d ms remain after the standstill of a clock that had %d", left, had)
					}
				}
				deadline := e.see(two).Game.Deadline
				time.Sleep(6 * time.Second)
				synctest.Wait()
				if s := e.see(two); s.Game.Outcome == nil || s.Game.FinishedAt != deadline {
					t.Errorf("afterwards the flag falls as ever: %+v, want at %d", s.Game, deadline)
				}
			})
		})
	}
}

// TestMoveThatArrivedBeforeTheProcessWasStopped judges, after a stop, a move that was stamped before it.
func TestMoveThatArrivedBeforeTheProcessWasStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &skipping{}
		e := startBy(t, newMemory(), clock.now)
		defer e.stop()
		id := e.open("quixo/duel", "60").Game.ID
		time.Sleep(59 * time.Second)
		inTime := e.Arrive(id)
		synctest.Wait()
		clock.stopped(time.Hour)
		s, err := e.Play(t.Context(), inTime, Move{Act: Act{Game: id, Seat: 1}, Turn: 1, Token: "a1-a5"})
		if err != nil {
			t.Fatal(err)
		}
		if left := s.Clocks(e.now())[0].Remaining; left < 1_000 || left > 1_000+watchdogInterval.Milliseconds() {
			t.Errorf("%d ms remain, want the second that was left", left)
		}
	})
}

// TestStoppedWhileTheJournalIsAway stops the process while nothing can be stored: all of the time is given back once.
func TestStoppedWhileTheJournalIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &skipping{}
		journal := newMemory()
		e := startBy(t, journal, clock.now)
		defer e.stop()
		id := e.open("quixo/duel", "60").Game.ID
		time.Sleep(20 * time.Second)
		synctest.Wait()
		clock.stopped(5 * time.Minute)
		journal.fail(ErrUnavailable)
		if _, err := e.play(id, 1, 1, "a1-a5"); !errors.Is(err, ErrUnavailable) {
			t.Fatalf("a move that cannot be stored: %v", err)
		}
		time.Sleep(5 * time.Minute)
		journal.fail(nil)
		time.Sleep(2 * beatInterval)
		synctest.Wait()
		s := e.see(id)
		if left := s.Clocks(e.now())[0].Remaining; len(s.Lines) != 2 || left > 40_000 || left < 37_000 {
			t.Errorf("%d ms remain after %+v", left, s.Lines)
		}
	})
}

// TestProcessThatWasStoppedWhileAnotherServed credits nothing: the other process served the players.
func TestProcessThatWasStoppedWhileAnotherServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock, journal := &skipping{}, newMemory()
		journal.now = clock.now
		one := startWith(t, Config{Storage: stored(journal), Now: clock.now, Shared: true})
		defer one.stop()
		id := one.open("quixo/duel", "600").Game.ID
		time.Sleep(20 * time.Second)
		synctest.Wait()
		clock.stopped(time.Minute)
		journal.runs["two"] = Run{From: one.now() - 80_000, To: one.now() - 500}
		one.mustPlay(id, 1, 1, "a1-a5")
		if s := one.see(id); len(s.Lines) != 2 {
			t.Errorf("lines %+v", s.Lines)
		}
	})
}

// TestFlagsAreMeasured measures the delay from a flag's deadline until it is stored: the millisecond after it, by a
// journal that takes no time, and as much more as the journal was away.
func TestFlagsAreMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var late atomic.Int64
		var slow atomic.Bool
		journal := newMemory()
		journal.before = func(s Step) {
			if slow.Load() && s.Game.Status.Over() {
				time.Sleep(70 * time.Millisecond)
			}
		}
		e := startWith(t, Config{Storage: stored(journal), FlagFell: func(d time.Duration) { late.Store(int64(d)) }})
		defer e.stop()
		e.open("quixo/duel", "60")
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if got := time.Duration(late.Load()); got != time.Millisecond {
			t.Errorf("a flag was stored %s after its deadline", got)
		}
		e.open("quixo/duel", "60")
		slow.Store(true)
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if got := time.Duration(late.Load()); got != 71*time.Millisecond {
			t.Errorf("a flag that took 70 ms to store was stored %s after its deadline", got)
		}
	})
}

// wallMoved returns a time with a changed wall clock and the same monotonic reading, as after the machine's clock was
// set. Package time cannot make it, so the test puts it together from the parts that time.Time documents: a wall clock
// of seconds above 30 bits of nanoseconds.
func wallMoved(t *testing.T, at time.Time, by time.Duration) time.Time {
	t.Helper()
	moved := at
	*(*uint64)(unsafe.Pointer(&moved)) += uint64(int64(by/time.Second)) << 30
	if wall := moved.Round(0).Sub(at.Round(0)); wall != by || moved.Sub(at) != 0 {
		t.Fatalf("the wall clock moved by %s and the monotonic one by %s, want %s and 0", wall, moved.Sub(at), by)
	}
	return moved
}

// TestWallClockIsSetWhileGamesRun sets the machine's clock an hour back and an hour forward under a running game. Its
// clocks follow the monotonic reading: no player gains or loses a millisecond, and times in the log never run
// backwards.
func TestWallClockIsSetWhileGamesRun(t *testing.T) {
	real := time.Now() // with a monotonic reading, which a bubble's time has not
	for _, by := range []time.Duration{-time.Hour, time.Hour} {
		t.Run(by.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var set atomic.Bool
				began := time.Now()
				e := startBy(t, newMemory(), func() time.Time {
					now := real.Add(time.Since(began))
					if set.Load() {
						return wallMoved(t, now, by)
					}
					return now
				})
				defer e.stop()
				id := e.open("quixo/duel", "60").Game.ID
				time.Sleep(20 * time.Second)
				synctest.Wait()
				set.Store(true)
				time.Sleep(10 * time.Second)
				synctest.Wait()
				s := e.mustPlay(id, 1, 1, "a1-a5")
				if move := s.Lines[1]; move.Elapsed != 30_000 || move.Remaining != 30_000 || move.At != s.Lines[0].At+30_000 {
					t.Errorf("the move after the clock was set: %+v", move)
				}
				time.Sleep(60 * time.Second)
				synctest.Wait()
				if s := e.see(id); s.Game.Status != Running {
					t.Fatalf("a flag fell at its deadline instead of after it: %+v", s.Game.Outcome)
				}
				time.Sleep(time.Millisecond)
				synctest.Wait()
				if s := e.see(id); s.Game.Outcome == nil || s.Game.FinishedAt != s.Lines[1].At+60_000 || len(s.Lines) != 3 {
					t.Errorf("the flag after the clock was set: %+v", s.Lines)
				}
			})
		})
	}
}

// TestWallClockIsSetBackWhileTheServerIsAway starts again by a clock that is behind what is stored: time in the log
// goes on from there, and no clock has run.
func TestWallClockIsSetBackWhileTheServerIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		id := e.open("quixo/duel", "60").Game.ID
		time.Sleep(20 * time.Second)
		e.stop()
		time.Sleep(10 * time.Minute)
		again := startBy(t, journal, func() time.Time { return time.Now().Add(-time.Hour) })
		defer again.stop()
		if s := again.see(id); s.Clocks(again.now())[0].Remaining != 40_000 {
			t.Errorf("remaining %d, want 40000", s.Clocks(again.now())[0].Remaining)
		}
		time.Sleep(10 * time.Second)
		s := again.mustPlay(id, 1, 1, "a1-a5")
		if move := s.Lines[len(s.Lines)-1]; move.Elapsed != 30_000 || move.At != s.Lines[0].At+30_000 {
			t.Errorf("the move after the restart: %+v", s.Lines)
		}
	})
}

// TestABrokenGameIsLoggedOnce: every process finds it overdue each second, logs it once, and tries it again now and
// then until it is mended. The flags of others fall as ever.
func TestABrokenGameIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var log strings.Builder
		journal := newMemory()
		first := start(t, journal)
		id := first.open("quixo/duel", "60").Game.ID
		first.mustPlay(id, 1, 1, "a1-a5")
		first.cancel()
		<-first.ended
		journal.logs[id][1].Text = "a1-a1"
		e := startWith(t, Config{
			Storage: stored(journal), Shared: true, Logger: slog.New(slog.NewTextHandler(&locked{mu: &mu, to: &log}, nil)),
		})
		defer e.stop()
		time.Sleep(30 * time.Minute)
		mu.Lock()
		if said := strings.Count(log.String(), "cannot be recorded"); said != 1 {
			t.Errorf("logged %d times:\n%s", said, &log)
		}
		mu.Unlock()
		e.broken.mu.Lock()
		if rest := e.broken.games[id].rest; rest != 32*time.Minute { // it was tried after 0, 1, 3, 7 and 15 minutes
			t.Errorf("the rest after the next one is %s, want 32 minutes", rest)
		}
		e.broken.mu.Unlock()
		other := e.open("quixo/duel", "60").Game.ID
		time.Sleep(61 * time.Second)
		if game, _, err := journal.Load(t.Context(), other); err != nil || game.Status != Finished || e.Broken() != 1 {
			t.Errorf("another game is %v, error %v; %d are broken", game.Status, err, e.Broken())
		}
		journal.mu.Lock()
		journal.logs[id][1].Text = "a1-a5"
		journal.mu.Unlock()
		time.Sleep(longestBrokenRest + 2*overdue)
		if game, _, err := journal.Load(t.Context(), id); err != nil || game.Status != Finished || e.Broken() != 0 {
			t.Errorf("once it is mended it is %v, error %v; %d are broken", game.Status, err, e.Broken())
		}
	})
}
