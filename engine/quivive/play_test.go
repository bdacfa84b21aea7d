package quivive_test

import (
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/quivive"
)

// table is a variant of Quivive with its number of seats.
type table struct {
	rules engine.Rules
	setup engine.Setup
}

// tables lists every variant with every number of seats and every option.
func tables(tb testing.TB) []table {
	tb.Helper()
	var list []table
	for _, rules := range quivive.Variants() {
		for _, seats := range rules.Info().Seats {
			for _, options := range []map[string]string{nil, {"stuck": "kept"}} {
				if setup, err := engine.NewSetup(rules.Info(), seats, "", options); err == nil {
					list = append(list, table{rules, setup})
				}
			}
		}
	}
	if len(list) != 7 {
		tb.Fatalf("%d ways to play, want 7", len(list))
	}
	return list
}

func (tb table) start(t rapid.TB) engine.State {
	s, err := tb.rules.Start(tb.setup)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func apply(t rapid.TB, s engine.State, mv engine.Move) engine.State {
	next, err := s.Apply(engine.Event{Kind: engine.Moved, Text: string(mv)})
	if err != nil {
		t.Fatalf("legal move %s in %s: %v", mv, s.Position(), err)
	}
	return next
}

// drawState plays a drawn number of random moves on a drawn table.
func drawState(rt *rapid.T, tables []table) (table, engine.State) {
	tb := rapid.SampledFrom(tables).Draw(rt, "table")
	s := tb.start(rt)
	choice := rapid.Uint32Range(0, 1<<20)
	for range 70 - rapid.IntRange(0, 70).Draw(rt, "short") {
		if s.Pending().Over() {
			break
		}
		moves := s.Legal(s.Pending().Awaited[0])
		s = apply(rt, s, moves[int(choice.Draw(rt, "move"))%len(moves)])
	}
	return tb, s
}

// TestRandomGames plays to the end: a game has at most 47 turns of play, loses a podium in each, and leaves a single
// side.
func TestRandomGames(t *testing.T) {
	tables := tables(t)
	rapid.Check(t, func(rt *rapid.T) {
		tb := rapid.SampledFrom(tables).Draw(rt, "table")
		s, turns := tb.start(rt), 0
		for !s.Pending().Over() {
			moves := s.Legal(s.Pending().Awaited[0])
			mv := moves[int(rapid.Uint32Range(0, 1<<20).Draw(rt, "move"))%len(moves)]
			if strings.Contains(string(mv), "x") {
				turns++
			}
			s = apply(rt, s, mv)
			if view := s.View(engine.Viewer{}).(quivive.View); turns > 0 && podiums(view) != 49-turns {
				rt.Fatalf("%d podiums after %d turns: %s", podiums(view), turns, s.Position())
			}
		}
		if turns > 47 {
			rt.Errorf("%d turns of play", turns)
		}
		out := s.Pending().Outcome
		if out.Reason != engine.ReasonLast || !slices.Contains(out.Ranks, 1) || !strings.Contains(s.Position(), "play") {
			rt.Errorf("the game ended as %s", s.Position())
		}
	})
}

func podiums(v quivive.View) int {
	n := 0
	for _, row := range v.Rows {
		for _, c := range row {
			n += c.Height
		}
	}
	return n
}

// TestLegalMovesByTheView works the legal moves out again from what a viewer sees, square by square.
func TestLegalMovesByTheView(t *testing.T) {
	tables := tables(t)
	rapid.Check(t, func(rt *rapid.T) {
		tb, s := drawState(rt, tables)
		if s.Pending().Over() {
			return
		}
		seat := s.Pending().Awaited[0]
		want := slowMoves(s.View(engine.Viewer{}).(quivive.View), int(tb.rules.Info().SideOf(seat)))
		var got []string
		for _, mv := range s.Legal(seat) {
			got = append(got, string(mv))
		}
		if !slices.Equal(got, want) {
			rt.Errorf("%s: legal moves are\n%v, want\n%v", s.Position(), got, want)
		}
	})
}

func slowMoves(v quivive.View, side int) []string {
	var cells []quivive.Cell
	for _, row := range v.Rows {
		cells = append(cells, row...)
	}
	var moves []string
	for _, from := range cells {
		switch {
		case v.Phase == "build" && from.Height == v.PodiumsOn:
			moves = append(moves, "+"+from.Square)
		case v.Phase == "pawns" && from.Pawn == 0:
			moves = append(moves, "@"+from.Square)
		case v.Phase == "play" && from.Pawn == side:
			moves = append(moves, slowSteps(cells, from)...)
		}
	}
	sort.Strings(moves)
	return moves
}

func slowSteps(cells []quivive.Cell, from quivive.Cell) []string {
	apart := func(i int, a, b quivive.Cell) int {
		return max(int(a.Square[i])-int(b.Square[i]), int(b.Square[i])-int(a.Square[i]))
	}
	var moves []string
	for _, to := range cells {
		if to == from || to.Pawn != 0 || to.Height == 0 || apart(0, from, to) > 1 || apart(1, from, to) > 1 {
			continue
		}
		for _, stack := range cells {
			if stack == from || stack.Height > 0 && stack.Pawn == 0 && stack != to {
				moves = append(moves, from.Square+"-"+to.Square+"x"+stack.Square)
			}
		}
	}
	return moves
}

// slow hides a state's own way of counting.
type slow struct{ engine.State }

func (s slow) Apply(e engine.Event) (engine.State, error) {
	next, err := s.State.Apply(e)
	return slow{next}, err
}

// TestPerftCountsWhatCanBePlayed compares the fast count with playing everything out.
func TestPerftCountsWhatCanBePlayed(t *testing.T) {
	tables := tables(t)
	rapid.Check(t, func(rt *rapid.T) {
		_, s := drawState(rt, tables)
		for depth := 1; depth <= 3; depth++ {
			got := s.(engine.Counter).Perft(depth)
			if got > 100_000 {
				break
			}
			if want := engine.Perft(slow{s}, depth); got != want {
				rt.Fatalf("%s: depth %d counts %d, want %d", s.Position(), depth, got, want)
			}
		}
	})
}
