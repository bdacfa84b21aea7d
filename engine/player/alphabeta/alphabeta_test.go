package alphabeta

import (
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/quits"
)

// short is Quits with three marbles, valued by the marbles' squares so that most positions differ.
type short struct {
	*quits.Cursor
	me engine.Seat
}

func (g short) Over() bool { return g.Turn() == 0 }
func (g short) Mine() bool { return g.Turn() == g.me }
func (g short) Candidates(list []engine.Step) []engine.Step {
	return g.Steps(list)
}

func (g short) Value() int {
	switch g.Winner() {
	case engine.Side(g.me):
		return Win
	case engine.Side(3 - g.me):
		return Loss
	}
	if g.Over() {
		return 0
	}
	return int(g.Marbles(g.me)%1009) - int(g.Marbles(3-g.me)%1013)
}

// apart is a game with different positions after different numbers of moves: two pushes of a row can lead back to the
// position before, and there a search counts a repetition and may know the position's value to another depth; minimax
// does neither.
type apart struct {
	short
	ply *uint64
}

func (g apart) Make(step engine.Step) {
	g.short.Make(step)
	*g.ply++
}

func (g apart) Unmake() {
	g.short.Unmake()
	*g.ply--
}

func (g apart) Key() uint64 { return g.short.Key() ^ *g.ply*0x9e3779b97f4a7c15 }

// minimax is the value of a position to a depth, without anything that makes it fast.
func minimax(g apart, depth, ply int) int {
	if g.Over() {
		return sooner(g.Value(), ply)
	}
	if depth == 0 {
		return g.Value()
	}
	best := Win + 1
	if g.Mine() {
		best = -best
	}
	for _, step := range g.Steps(nil) {
		g.Make(step)
		v := minimax(g, depth-1, ply+1)
		g.Unmake()
		if g.Mine() {
			best = max(best, v)
		} else {
			best = min(best, v)
		}
	}
	return best
}

// TestAgainstMinimax compares the values of searches with those of plain minimax in random positions.
func TestAgainstMinimax(t *testing.T) {
	rules := quits.Variants()[1]
	search := New(10)
	rapid.Check(t, func(rt *rapid.T) {
		state, err := rules.Start(engine.Setup{Seats: 2})
		if err != nil {
			rt.Fatal(err)
		}
		cursor, ok := state.(engine.Walkable).Cursor().(*quits.Cursor)
		if !ok {
			rt.Fatal("no cursor of Quits")
		}
		for range rapid.IntRange(0, 12).Draw(rt, "plies") {
			if steps := cursor.Steps(nil); len(steps) > 0 {
				cursor.Make(rapid.SampledFrom(steps).Draw(rt, "step"))
			}
		}
		g := apart{short{cursor, cursor.Turn()}, new(uint64)}
		steps := cursor.Steps(nil)
		if len(steps) < 2 {
			return // over, or nothing to choose
		}
		depth := rapid.IntRange(1, 3).Draw(rt, "depth")
		before := cursor.Key()
		got := search.Best(g, steps, nil, Limits{Depth: depth})
		if cursor.Key() != before {
			rt.Fatal("the search leaves another position behind")
		}
		want := minimax(g, max(got.Depth, 1), 0)
		if got.Value != want {
			rt.Fatalf("depth %d of %d: value %d, minimax %d", got.Depth, depth, got.Value, want)
		}
		g.Make(got.Step)
		if v := minimax(g, got.Depth-1, 1); v != want {
			rt.Fatalf("the move found is worth %d, the best %d", v, want)
		}
		g.Unmake()
	})
}

// TestPastCounts passes a search the keys of all but a single position that its moves lead to: they count as drawn, so
// that it picks by value which of them to avoid.
func TestPastCounts(t *testing.T) {
	state, err := quits.Variants()[1].Start(engine.Setup{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	cursor, _ := state.(engine.Walkable).Cursor().(*quits.Cursor)
	g := short{cursor, 1}
	past, values := map[uint64]bool{}, map[engine.Step]int{}
	for _, step := range cursor.Steps(nil) {
		cursor.Make(step)
		values[step] = g.Value()
		past[cursor.Key()] = true
		cursor.Unmake()
	}
	r := New(8).Best(g, cursor.Steps(nil), past, Limits{Depth: 1})
	if r.Value != 0 {
		t.Errorf("value %d where each move repeats a position, want 0; without past the moves are worth %v", r.Value, values)
	}
}
