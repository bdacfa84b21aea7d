package maxn

import (
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/quits"
)

// four is Quits for four, valued by the marbles' squares so that most positions differ.
type four struct{ *quits.Cursor }

func (four) SideOf(seat engine.Seat) engine.Side           { return engine.Side(seat) }
func (g four) Candidates(list []engine.Step) []engine.Step { return g.Steps(list) }

func (g four) Values() (v Values) {
	for i := range 4 {
		switch {
		case g.Winner() == engine.Side(i+1):
			v[i] = Win
		case g.Winner() == 0:
			v[i] = 1000 + int32(g.Marbles(engine.Seat(i+1))%1009)
		}
	}
	return v
}

// plain is max^n without anything that makes it fast: each move's values are those of its own side at its best.
func plain(g four, depth int) Values {
	if depth == 0 || g.Turn() == 0 {
		return g.Values()
	}
	side := int(g.Turn()) - 1
	best := Values{-1, -1, -1, -1, -1}
	for _, step := range g.Steps(nil) {
		g.Make(step)
		v := plain(g, depth-1)
		g.Unmake()
		for i := range v {
			if v[i] > Win-64 {
				v[i]--
			} else if v[i] < 64 {
				v[i]++
			}
		}
		if v[side] > best[side] {
			best = v
		}
	}
	return best
}

// TestFirstPlies compares with plain max^n. At depths of one and two plies the best value of the side on turn does not
// depend on how ties are broken.
func TestFirstPlies(t *testing.T) {
	rules := quits.Variants()[2]
	search := New(10)
	rapid.Check(t, func(rt *rapid.T) {
		state, err := rules.Start(engine.Setup{Seats: 4})
		if err != nil {
			rt.Fatal(err)
		}
		cursor, ok := state.(engine.Walkable).Cursor().(*quits.Cursor)
		if !ok {
			rt.Fatal("no cursor of Quits")
		}
		for range rapid.IntRange(0, 20).Draw(rt, "plies") {
			if steps := cursor.Steps(nil); len(steps) > 0 {
				cursor.Make(rapid.SampledFrom(steps).Draw(rt, "step"))
			}
		}
		g, steps := four{cursor}, cursor.Steps(nil)
		if len(steps) < 2 {
			return
		}
		side, before := int(cursor.Turn())-1, cursor.Key()
		r := search.Best(g, cursor.Steps(nil), Limits{Nodes: len(steps) + 1}) // the first ply, and no more
		if cursor.Key() != before {
			rt.Fatal("the search leaves another position behind")
		}
		want := plain(g, 1)[side]
		cursor.Make(r.Step)
		got := plain(g, 0)[side]
		cursor.Unmake()
		if got > Win-64 {
			got--
		} else if got < 64 {
			got++
		}
		if got != want || r.Nodes > len(steps)+1 {
			rt.Fatalf("the move found is worth %d after %d nodes, the best %d", got, r.Nodes, want)
		}
	})
}
