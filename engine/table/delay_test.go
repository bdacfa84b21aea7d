package table

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine"
)

// delayed opens a game with a delay.
func (e *evening) delayed(variant string, d Delay) string {
	e.t.Helper()
	games, err := e.Open(e.t.Context(), NewGame{
		Variant: variant, Players: []string{"ada", "bob"}, Controls: []string{"600"}, Start: true, Delay: d,
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return games[0].Game.ID
}

// spectate returns the spectators' view now.
func (e *evening) spectate(id string) (*Snapshot, int64) {
	e.t.Helper()
	seen, next, err := e.see(id).Spectated(e.now())
	if err != nil {
		e.t.Fatal(err)
	}
	return seen, next
}

// playAny makes a seat's first legal move.
func (e *evening) playAny(id string, seat int8) *Snapshot {
	e.t.Helper()
	s := e.see(id)
	moves := s.Project(engine.ViewerOf(engine.Seat(seat))).Legal[engine.Seat(seat)]
	return e.mustPlay(id, seat, s.Game.Turn, string(moves[0]))
}

// TestSpectatorsAreMovesBehind plays on and compares the spectators' view with the game as it was the delay's moves
// ago.
func TestSpectatorsAreMovesBehind(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.delayed("quixo/duel", Delay{Moves: 2})
		were := []*Snapshot{e.see(id), e.see(id), e.see(id)}
		for i := range 6 {
			time.Sleep(time.Second)
			s := e.playAny(id, int8(i%2+1))
			were = append(were, s)
			then := were[i+1]
			seen, next := e.spectate(id)
			if next != 0 || !sameAs(seen, then) {
				t.Errorf("after move %d: version %d, plies %d, next %d; want version %d", i+1, seen.Game.Version, seen.Game.Plies,
					next, then.Game.Version)
			}
			time.Sleep(time.Second)
			want := then.Clocks(then.Lines[len(then.Lines)-1].At)
			for j, got := range seen.Clocks(e.now()) {
				if got.Remaining != want[j].Remaining || got.HasDeadline {
					t.Errorf("after move %d the clock of seat %d shows %+v, want %d ms", i+1, j+1, got, want[j].Remaining)
				}
			}
		}
		if _, err := e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 1}); err != nil {
			t.Fatal(err)
		}
		if seen, _ := e.spectate(id); seen != e.see(id) {
			t.Error("a game that is over is still seen as it stood")
		}
	})
}

// TestSpectatorsAreSecondsBehind looks at a game every second, and half a minute later as a spectator.
func TestSpectatorsAreSecondsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, newMemory())
		defer e.stop()
		const delay = 30
		id := e.delayed("quixo/duel", Delay{Ms: delay * 1000})
		if seen, next := e.spectate(id); seen.Game.Status != Waiting || len(seen.Lines) != 0 || next != e.now()+delay*1000 {
			t.Errorf("right after the start: %s, %d lines, more at %d", seen.Game.Status, len(seen.Lines), next)
		}
		was := map[int]*Snapshot{}
		clocks := map[int]int64{}
		for second := range 100 {
			if second%7 == 3 && second < 50 {
				e.playAny(id, int8(second/7%2+1))
			}
			was[second], clocks[second] = e.see(id), e.see(id).Clocks(e.now())[0].Remaining
			if then := was[second-delay]; then != nil {
				seen, next := e.spectate(id)
				clock := seen.Clocks(e.now())[0]
				if !sameAs(seen, then) || clock.Remaining != clocks[second-delay] {
					t.Fatalf("second %d: version %d with %d ms left, want %d with %d", second, seen.Game.Version, clock.Remaining,
						then.Game.Version, clocks[second-delay])
				}
				if clock.Running && clock.Deadline-e.now() != clock.Remaining {
					t.Fatalf("second %d: %d ms are left and the deadline is in %d", second, clock.Remaining, clock.Deadline-e.now())
				}
				if hidden := len(e.see(id).Lines) > len(seen.Lines); hidden != (next > e.now()) {
					t.Fatalf("second %d: hidden lines: %v, more at %d", second, hidden, next)
				}
			}
			time.Sleep(time.Second)
		}
	})
}

// TestHandsStayHiddenBehindADelay: what is seen of an earlier moment is no more than was seen then.
func TestHandsStayHiddenBehindADelay(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.delayed("quiwin/duel", Delay{Moves: 1})
		then := e.see(id)
		for seat := int8(1); seat <= 2; seat++ {
			e.playAny(id, seat)
			if seen, _ := e.spectate(id); seat == 1 && !sameAs(seen, then) {
				t.Errorf("after one choice: %d lines", len(seen.Lines))
			}
		}
		seen, _ := e.spectate(id)
		if seen.Game.Plies != 1 || !reflect.DeepEqual(seen.Log(engine.Viewer{})[1].Text, "") {
			t.Errorf("the choice of seat 1 is seen: %+v", seen.Log(engine.Viewer{}))
		}
	})
}

// sameAs reports whether two snapshots show the game alike.
func sameAs(seen, then *Snapshot) bool {
	return reflect.DeepEqual(seen.Game, then.Game) && reflect.DeepEqual(seen.Lines, then.Lines) &&
		reflect.DeepEqual(seen.Project(engine.Viewer{}), then.Project(engine.Viewer{}))
}
