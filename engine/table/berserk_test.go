package table

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine"
)

// TestBerserkHalvesTheTime takes half of the time and the increment, once, before the seat's first move.
func TestBerserkHalvesTheTime(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		ctx, id := t.Context(), e.open("quixo/duel", "60+5").Game.ID
		time.Sleep(10 * time.Second)
		s := must(t)(e.Berserk(ctx, e.Arrive(id), Act{Game: id, Seat: 1}))
		if left := s.Clocks(e.now())[0].Remaining; left != 25_000 || !s.PlaysBerserk(1) || s.PlaysBerserk(2) {
			t.Fatalf("%d ms are left of 50,000", left)
		}
		if again := must(t)(e.Berserk(ctx, e.Arrive(id), Act{Game: id, Seat: 1})); again.Game.Version != s.Game.Version {
			t.Error("a second time is another line")
		}
		time.Sleep(5 * time.Second)
		if _, err := e.play(id, 1, 1, "a1-a5"); err != nil {
			t.Fatal(err)
		}
		if left := e.see(id).Clocks(e.now())[0].Remaining; left != 20_000 {
			t.Errorf("%d ms are left after the move, want 20,000 without an increment", left)
		}
		if !e.see(id).MayBerserk(2) || e.see(id).MayBerserk(1) {
			t.Error("who has moved can take it, or who has not cannot")
		}
		if _, err := e.Berserk(ctx, e.Arrive(id), Act{Game: id, Seat: 2}); err != nil {
			t.Error(err)
		}
		if left := e.see(id).Clocks(e.now())[1].Remaining; left != 30_000 {
			t.Errorf("%d ms are left of the other's 60,000", left)
		}
		s = must(t)(e.TakeBack(ctx, e.Arrive(id), ruling, s.Match.Turn()+1, 1))
		if left := s.Clocks(e.now())[0].Remaining; left != 30_000 || !s.PlaysBerserk(1) {
			t.Errorf("%d ms after the move was taken back; the choice stays", left)
		}
		if faults := Audit(s.Game, s.Lines); faults != nil {
			t.Errorf("audit: %q", faults)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := e.see(id); s.Game.Outcome == nil || s.Game.Outcome.Reason != engine.ReasonTime {
			t.Error("the flag does not fall")
		}
		if _, err := e.Berserk(ctx, e.Arrive(id), Act{Game: id, Seat: 2}); !errors.Is(err, ErrGameOver) {
			t.Errorf("after the end: %v", err)
		}
		untimed := e.open("quixo/duel", "none").Game.ID
		if _, err := e.Berserk(ctx, e.Arrive(untimed), Act{Game: untimed, Seat: 1}); !errors.Is(err, ErrBerserk) {
			t.Errorf("without a clock: %v", err)
		}
	})
}
