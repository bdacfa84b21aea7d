package table

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func (e *evening) openWithGrace(grace time.Duration) *Snapshot {
	e.t.Helper()
	games, err := e.Open(e.t.Context(), NewGame{
		Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"3600"}, Start: true,
		Grace: grace.Milliseconds(),
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return games[0]
}

// TestNoShowsForfeit lets the first moves come too late, or just in time, across a restart.
func TestNoShowsForfeit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		never, half, both := e.openWithGrace(time.Minute), e.openWithGrace(time.Minute), e.openWithGrace(time.Minute)
		time.Sleep(time.Minute)
		e.mustPlay(half.Game.ID, 1, 1, "a1-a5") // at the very deadline
		e.mustPlay(both.Game.ID, 1, 1, "a1-a5")
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if s := e.see(never.Game.ID); s.Game.Status != Finished || s.Game.Outcome.String() != "=2,1:forfeit" ||
			s.Lines[1].Reason() != "no first move in time" || s.Lines[1].At != never.Game.StartedAt+60_000 {
			t.Errorf("who did not come: %s %s", s.Game.Status, s.Game.Outcome)
		}
		if _, err := e.play(never.Game.ID, 1, 1, "a1-a5"); !errors.Is(err, ErrFlagFallen) {
			t.Errorf("a first move that came too late: %v", err)
		}
		time.Sleep(29 * time.Second)
		e.stop()
		time.Sleep(time.Hour) // no player's fault
		e = start(t, journal)
		defer e.stop()
		time.Sleep(30 * time.Second)
		e.mustPlay(both.Game.ID, 2, 2, "e1-e5")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if s := e.see(half.Game.ID); s.Game.Status != Finished || s.Game.Outcome.String() != "=1,2:forfeit" ||
			s.Game.Plies != 1 {
			t.Errorf("the second player did not come: %s", s.Game.Status)
		}
		if s := e.see(both.Game.ID); s.Game.Status != Running || s.Game.Deadline < e.now()+3_000_000 {
			t.Errorf("both came: %s, deadline %d", s.Game.Status, s.Game.Deadline)
		}
	})
}
