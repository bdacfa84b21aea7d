package table

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine/sentence"
)

// plan opens a game of a tournament between ada and bob with clocks that start later.
func (e *evening) plan(after time.Duration, together bool) *Snapshot {
	e.t.Helper()
	games, err := e.Open(e.t.Context(), NewGame{
		ID: "g1", Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"60"}, Start: true,
		Tournament: &Place{ID: "t1", Round: 1, Board: 1}, StartsAt: e.now() + after.Milliseconds(), Together: together,
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return games[0]
}

func (e *evening) wantStarted(when string, at int64, kinds string) {
	e.t.Helper()
	synctest.Wait()
	s := e.see("g1")
	if s.Game.Status != Running || s.Game.StartedAt != at || s.Game.Deadline != at+60_000 || kindsOf(s.Lines) != kinds {
		e.t.Errorf("%s: %s, started at %d (want %d), deadline %d, %s (want %s)", when, s.Game.Status, s.Game.StartedAt, at,
			s.Game.Deadline, kindsOf(s.Lines), kinds)
	}
}

func TestClocksStartAtTheirTime(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		start := e.now() + 600_000
		s := e.plan(10*time.Minute, false)
		if s.Game.Status != Waiting || s.Game.Deadline != start || s.Game.Invited != 0 {
			t.Errorf("opened: %+v", s.Game)
		}
		if _, err := e.play("g1", 1, 1, "a1-a5"); !errors.Is(err, ErrNotStarted) {
			t.Errorf("a move before the time: %v", err)
		}
		time.Sleep(10*time.Minute - time.Millisecond)
		synctest.Wait()
		if s := e.see("g1"); s.Game.Status != Waiting {
			t.Errorf("it is %s before its time", s.Game.Status)
		}
		time.Sleep(time.Second)
		e.wantStarted("at its time", start, "start")
		e.mustPlay("g1", 1, 1, "a1-a5")
	})
}

func TestClocksStartWhenAllAreThere(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		e.plan(10*time.Minute, true)
		time.Sleep(time.Minute)
		s := must(t)(e.accept("g1", "bob"))
		if s.Game.Status != Waiting || s.Game.Invited != 0b01 {
			t.Errorf("with one player: %+v", s.Game)
		}
		if again := must(t)(e.accept("g1", "bob")); again.Game.Version != s.Game.Version {
			t.Error("coming again changes the game")
		}
		if err := second(e.accept("g1", "eve")); !errors.Is(err, ErrNotYourSeat) {
			t.Errorf("a stranger comes: %v", err)
		}
		if err := second(e.decline("g1", "bob")); !errors.Is(err, ErrNoInvitation) {
			t.Errorf("declining a tournament's game: %v", err)
		}
		time.Sleep(time.Minute)
		now := e.now()
		must(t)(e.accept("g1", "ada"))
		e.wantStarted("with both", now, "accept accept start")
	})
}

func TestClocksStartWithoutAbsentPlayers(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		start := e.now() + 600_000
		e.plan(10*time.Minute, true)
		must(t)(e.accept("g1", "bob"))
		time.Sleep(10*time.Minute + time.Second)
		e.wantStarted("after its time", start, "accept start")
		if s := e.see("g1"); s.Game.Invited != 0b01 {
			t.Errorf("missing were %b", s.Game.Invited)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := e.see("g1"); s.Game.Status != Finished || s.Game.Outcome.Ranks[1] != 1 {
			t.Errorf("the one who did not come does not lose on time: %+v", s.Game)
		}
	})
}

func TestAnArbiterStartsBeforeTheTime(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		e.plan(10*time.Minute, true)
		time.Sleep(time.Minute)
		now := e.now()
		must(t)(e.StartPlanned(t.Context(), e.Arrive("g1"), "olga"))
		e.wantStarted("started by hand", now, "start")
		if s := must(t)(e.StartPlanned(t.Context(), e.Arrive("g1"), "olga")); len(s.Lines) != 1 || s.Lines[0].By != "olga" {
			t.Errorf("started twice: %+v", s.Lines)
		}
		must(t)(e.Abort(t.Context(), "g1", "olga", sentence.Typed("over")))
		if err := second(e.StartPlanned(t.Context(), e.Arrive("g1"), "olga")); !errors.Is(err, ErrGameOver) {
			t.Errorf("started after its end: %v", err)
		}
	})
}

func TestAPlannedGameIsAdjourned(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		e.plan(10*time.Minute, true)
		s := must(t)(e.Adjourn(t.Context(), e.Arrive("g1"), Ruling{By: "olga", Reason: "tomorrow"}, "adjourned"))
		if s.Game.Status != Paused || kindsOf(s.Lines) != "start pause" {
			t.Errorf("%s, %s", s.Game.Status, kindsOf(s.Lines))
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if s := e.see("g1"); s.Clocks(e.now())[0].Remaining != 60_000 {
			t.Errorf("the clock shows %d", s.Clocks(e.now())[0].Remaining)
		}
	})
}

// TestAnOutagePostponesTheStart has the server away while the clocks should have started.
func TestAnOutagePostponesTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		begins := e.now() + 600_000
		e.plan(10*time.Minute, false)
		time.Sleep(5 * time.Minute)
		e.stop()
		time.Sleep(20 * time.Minute)
		e = start(t, journal)
		defer e.stop()
		e.see("g1")
		time.Sleep(4 * time.Minute)
		synctest.Wait()
		if s := e.see("g1"); s.Game.Status != Waiting {
			t.Errorf("it is %s, though the time of the outage is not over", s.Game.Status)
		}
		time.Sleep(2 * time.Minute)
		e.wantStarted("after the outage", begins+20*60_000, "outage start")
	})
}

func TestAPlannedGameIsOneOfATournament(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		w := invitationOf("quixo/duel", "ada", "bob")
		w.StartsAt = e.now() + 1000
		if _, err := e.Open(t.Context(), w); !errors.Is(err, ErrSetup) {
			t.Errorf("a casual one: %v", err)
		}
		time.Sleep(time.Hour)
		s := e.plan(-time.Minute, false)
		if s.Game.StartsAt < s.Game.CreatedAt {
			t.Errorf("it starts at %d, before it was opened at %d", s.Game.StartsAt, s.Game.CreatedAt)
		}
		time.Sleep(time.Second)
		e.wantStarted("opened late", s.Game.CreatedAt, "start")
	})
}
