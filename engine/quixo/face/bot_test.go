package face_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/player"
	quixoface "quatuor/engine/quixo/face"
)

// seen returns what a seat sees of a position.
func seen(state engine.State, variant string, seat engine.Seat) face.Seen {
	return face.Seen{
		Variant: variant, Seat: seat, Legal: state.Legal(seat), View: state.View(engine.ViewerOf(seat)),
		State: state.(engine.Walkable),
	}
}

// value is the value of a position to a seat.
func value(state engine.State, variant string, seat engine.Seat) int {
	return quixoface.Face.Search(seen(state, variant, seat), player.MaxLevel).Game.Value()
}

// TestBotsKnowLines puts bots before a push that decides: every level makes a line where it can, and completes none of
// the other side's.
func TestBotsKnowLines(t *testing.T) {
	for _, tt := range []struct {
		name, variant, from string
		good                []engine.Move
		bad                 []engine.Move
	}{
		{
			name: "a line to make", variant: "quixo/duel", from: "xxxx./...../...../...../oooo. 1",
			good: []engine.Move{"e1-e5", "e2-e5", "e3-e5", "e4-e5", "e5-a5"},
		},
		{
			name: "a line to make in teams", variant: "quixo/teams", from: "ssss./...../...../...../wwww. 1",
			good: []engine.Move{
				"e1-e5>1", "e1-e5>3", "e2-e5>1", "e2-e5>3", "e3-e5>1", "e3-e5>3", "e4-e5>1", "e4-e5>3", "e5-a5>1",
				"e5-a5>3",
			},
		},
		{
			name: "the other side's line to leave alone", variant: "quixo/duel", from: "ooo.o/...../...o./...../x.x.x 1",
			bad: []engine.Move{"d1-d5"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			state := play(t, tt.variant, tt.from, "").after
			for level := player.MinLevel; level <= player.MaxLevel; level++ {
				for seed := range uint64(5) {
					choice, err := player.New().Choose(seen(state, tt.variant, 1), level, seed, player.Budget{Nodes: 200})
					if err != nil {
						t.Fatal(err)
					}
					if tt.good != nil && !slices.Contains(tt.good, choice.Move) || slices.Contains(tt.bad, choice.Move) {
						t.Errorf("level %d, seed %d: it chooses %s, want one of %v and none of %v", level, seed, choice.Move, tt.good, tt.bad)
					}
				}
			}
		})
	}
}

// TestBotsStopLines plays at random until a side is about to make a line that not every push stops: level 3 chooses one
// that does.
func TestBotsStopLines(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	stopped := 0
	for stopped < 10 {
		state := play(t, "quixo/duel", "", "").after
		for !state.Pending().Over() {
			seat := state.Pending().Awaited[0]
			legal := state.Legal(seat)
			safe := safeMoves(t, state, seat)
			if len(winning(t, state, seat)) == 0 && len(safe) > 0 && len(safe) < len(legal)/2 {
				choice, err := player.New().Choose(seen(state, "quixo/duel", seat), 3, 1, player.Budget{Nodes: 4000})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(safe, choice.Move) {
					t.Errorf("%s: it chooses %s, want one of %v", state.Position(), choice.Move, safe)
				}
				stopped++
			}
			state = after(t, state, seat, legal[chance.IntN(len(legal))])
		}
	}
}

// after returns the position after a move.
func after(t *testing.T, state engine.State, seat engine.Seat, move engine.Move) engine.State {
	t.Helper()
	next, err := state.Apply(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(move)})
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// winning returns the moves that win at once.
func winning(t *testing.T, state engine.State, seat engine.Seat) (moves []engine.Move) {
	t.Helper()
	for _, move := range state.Legal(seat) {
		if o := after(t, state, seat, move).Pending().Outcome; o != nil && o.Ranks[seat-1] == 1 {
			moves = append(moves, move)
		}
	}
	return moves
}

// safeMoves returns the moves that leave the other side no win at once.
func safeMoves(t *testing.T, state engine.State, seat engine.Seat) (moves []engine.Move) {
	t.Helper()
	for _, move := range state.Legal(seat) {
		next := after(t, state, seat, move)
		if !next.Pending().Over() && len(winning(t, next, 3-seat)) == 0 {
			moves = append(moves, move)
		}
	}
	return moves
}

// TestValueIsFair plays at random: what a position is worth to one side it costs the other, and partners agree.
func TestValueIsFair(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		variant := rapid.SampledFrom([]string{"quixo/duel", "quixo/teams"}).Draw(r, "variant")
		state := play(t, variant, "", "").after
		for range rapid.IntRange(0, 25).Draw(r, "moves") {
			if state.Pending().Over() {
				break
			}
			seat := state.Pending().Awaited[0]
			move := rapid.SampledFrom(state.Legal(seat)).Draw(r, "move")
			state = after(t, state, seat, move)
		}
		own, other := value(state, variant, 1), value(state, variant, 2)
		if own != -other {
			r.Errorf("%s is worth %d to side 1 and %d to side 2", state.Position(), own, other)
		}
		if variant == "quixo/teams" && own != value(state, variant, 3) {
			r.Errorf("%s is worth %d to seat 1 and %d to its partner", state.Position(), own, value(state, variant, 3))
		}
	})
}

// TestValueSeesLines compares positions: more cubes in one line are better than the same number apart.
func TestValueSeesLines(t *testing.T) {
	for _, tt := range []struct{ name, better, worse string }{
		{"two in a line", "xx.../...../...../...../..... 2", "x..../..x../...../...../..... 2"},
		{"four in a line", "xxxx./...../...../...../..... 2", "xxx../.x.../...../...../..... 2"},
		{"a diagonal", "x..../.x.../..x../...../..... 2", "x..../.x.../...x./...../..... 2"},
		{"a cube more", "x..../...../...../...../..... 2", "...../...../...../...../..... 2"},
	} {
		better := value(play(t, "quixo/duel", tt.better, "").after, "quixo/duel", 1)
		worse := value(play(t, "quixo/duel", tt.worse, "").after, "quixo/duel", 1)
		if better <= worse {
			t.Errorf("%s: worth %d, and %d without", tt.name, better, worse)
		}
	}
}
