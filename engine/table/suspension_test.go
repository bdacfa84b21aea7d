package table

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestGamesAreSuspendedWithoutJournal takes the journal away for ten minutes: no seat may lose time or a game.
func TestGamesAreSuspendedWithoutJournal(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		moved, waiting := e.open("quixo/duel", "60"), e.open("quixo/duel", "25.5")
		time.Sleep(20 * time.Second)
		e.mustPlay(moved.Game.ID, 1, 1, "a1-a5")
		synctest.Wait()
		e.journal.fail(fmt.Errorf("disk full: %w", ErrUnavailable))
		if _, err := e.play(moved.Game.ID, 2, 2, "b1-b5"); !errors.Is(err, ErrUnavailable) {
			t.Fatalf("a move that cannot be stored: %v", err)
		}
		synctest.Wait()
		tried := e.journal.refusals()
		if _, err := e.play(waiting.Game.ID, 1, 1, "a1-a5"); !errors.Is(err, ErrUnavailable) ||
			e.journal.refusals() != tried {
			t.Errorf("a move while all games stand still: %v; the journal was asked %d times", err, e.journal.refusals()-tried)
		}
		if err := e.Ready(); !errors.Is(err, ErrUnavailable) {
			t.Errorf("ready without a journal: %v", err)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if s := e.see(waiting.Game.ID); s.Game.Status != Running {
			t.Fatalf("a flag has fallen that could not be answered: %+v", s.Game.Outcome)
		}
		e.journal.fail(nil)
		time.Sleep(beatInterval)
		synctest.Wait()
		for game, want := range map[string]int64{moved.Game.ID: 60_000, waiting.Game.ID: 5_500} {
			s := e.see(game)
			last := s.Lines[len(s.Lines)-1]
			if got := s.Clocks(last.At)[s.Game.Awaited[0]-1].Remaining; last.Kind != LineOutage || got != want {
				t.Errorf("the last line is %+v, and %d ms remain; want an outage and %d ms", last, got, want)
			}
		}
		if err := e.Ready(); err != nil {
			t.Error(err)
		}
		e.mustPlay(moved.Game.ID, 2, 2, "b1-b5")
		deadline := e.see(waiting.Game.ID).Game.Deadline
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if s := e.see(waiting.Game.ID); s.Game.Outcome == nil || s.Game.FinishedAt != deadline {
			t.Errorf("after the standstill the flag falls as ever: %+v, want at %d", s.Game, deadline)
		}
	})
}

// TestCrashWhileSuspended ends the process before the journal is back: the next process finds no heartbeat from within
// the suspension, and credits all of it.
func TestCrashWhileSuspended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		id := e.open("quixo/duel", "60").Game.ID
		time.Sleep(20 * time.Second)
		synctest.Wait()
		journal.fail(ErrUnavailable)
		time.Sleep(5 * time.Minute)
		e.stop()
		journal.fail(nil)
		time.Sleep(time.Minute)
		again := start(t, journal)
		defer again.stop()
		if got := again.see(id).Clocks(again.now())[0].Remaining; got != 40_000 {
			t.Errorf("remaining %d, want 40000", got)
		}
	})
}

// pair runs f on two processes that share a journal.
func pair(t *testing.T, f func(t *testing.T, one, two *evening)) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		one, two := startAs(t, journal, "one", true), startAs(t, journal, "two", true)
		defer two.stop()
		defer one.stop()
		f(t, one, two)
	})
}

func TestDeadProcessLeavesItsFlagsToAnother(t *testing.T) {
	pair(t, func(t *testing.T, one, two *evening) {
		unseen, seen := one.open("quixo/duel", "60"), one.open("quixo/duel", "60")
		two.see(seen.Game.ID) // two remembers it as it was before the move
		one.mustPlay(seen.Game.ID, 1, 1, "a1-a5")
		deadline := one.see(seen.Game.ID).Game.Deadline
		one.stop()
		time.Sleep(60*time.Second + 2*overdue)
		synctest.Wait()
		for _, c := range []struct{ game, outcome string }{
			{unseen.Game.ID, "=2,1:time"}, {seen.Game.ID, "=1,2:time"},
		} {
			if s := two.see(c.game); s.Game.Outcome == nil || s.Game.Outcome.String() != c.outcome ||
				s.Game.FinishedAt != deadline {
				t.Errorf("outcome %v at %d, want %s at %d", s.Game.Outcome, s.Game.FinishedAt, c.outcome, deadline)
			}
		}
		if n := two.journal.ends(); n != 2 {
			t.Errorf("%d ends were told, want 2", n)
		}
	})
}

// TestTwoProcessesKnowWhatTheOtherStored plays a game in turns on two processes.
func TestTwoProcessesKnowWhatTheOtherStored(t *testing.T) {
	pair(t, func(t *testing.T, one, two *evening) {
		id := one.open("quixo/duel", "60").Game.ID
		two.see(id)
		one.mustPlay(id, 1, 1, "a1-a5")
		two.mustPlay(id, 2, 2, "b1-b5")
		one.mustPlay(id, 1, 3, "c1-c5")
		if s := two.see(id); s.Game.Plies != 3 {
			t.Errorf("the other process sees %d plies", s.Game.Plies)
		}
	})
}

// TestAnotherProcessServedInBetween takes the journal away from a process beside another: the other serves on, so no
// seat has lost any time.
func TestAnotherProcessServedInBetween(t *testing.T) {
	pair(t, func(t *testing.T, one, two *evening) {
		id := two.open("quixo/duel", "60").Game.ID
		synctest.Wait()
		one.suspension.begin(ErrUnavailable)
		time.Sleep(sharedBeatInterval / 2)
		if _, err := one.play(id, 1, 1, "a1-a5"); !errors.Is(err, ErrUnavailable) {
			t.Errorf("err = %v", err)
		}
		two.mustPlay(id, 1, 1, "a1-a5")
		time.Sleep(beatInterval)
		synctest.Wait()
		if s := one.mustPlay(id, 2, 2, "b1-b5"); len(s.Lines) != 3 {
			t.Errorf("lines %+v", s.Lines)
		}
		time.Sleep(time.Second)
		third := startAs(t, one.journal, "three", true)
		defer third.stop()
		if s := third.see(id); len(s.Lines) != 3 {
			t.Errorf("a process that joins gave time back: %+v", s.Lines)
		}
	})
}
