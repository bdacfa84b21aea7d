package face_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/player"
	"quatuor/engine/player/maxn"
	quitsface "quatuor/engine/quits/face"
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
	return quitsface.Face.Search(seen(state, variant, seat), player.MaxLevel).Game.Value()
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

// TestBotsBringMarblesOut plays at random until a move wins: every level makes one that does, but for level 2 in a game
// for four, which does not look at all moves.
func TestBotsBringMarblesOut(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, variant := range []string{"quits/duel", "quits/short", "quits/four"} {
		for found := 0; found < 10; {
			state := play(t, variant, "", "").after
			for ply := 0; ply < 80 && !state.Pending().Over(); ply++ {
				seat := state.Pending().Awaited[0]
				legal := state.Legal(seat)
				if wins := winning(t, state, seat); len(wins) > 0 && len(wins) < len(legal) {
					chooseAmong(t, state, variant, seat, wins)
					found++
				}
				state = after(t, state, seat, legal[chance.IntN(len(legal))])
			}
		}
	}
}

// chooseAmong has every level choose, and demands a move that wins.
func chooseAmong(t *testing.T, state engine.State, variant string, seat engine.Seat, wins []engine.Move) {
	t.Helper()
	for level := player.MinLevel; level <= player.MaxLevel; level++ {
		if level == 2 && variant == "quits/four" {
			continue
		}
		choice, err := player.New().Choose(seen(state, variant, seat), level, 1, player.Budget{Nodes: 100})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(wins, choice.Move) {
			t.Errorf("%s %s: level %d chooses %s, want one of %v", variant, state.Position(), level, choice.Move, wins)
		}
	}
}

// TestBotsStopMarbles plays the short game at random until the other seat is about to win and not every move prevents
// it: level 3 chooses one that does.
func TestBotsStopMarbles(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	for stopped := 0; stopped < 10; {
		state := play(t, "quits/short", "", "").after
		for ply := 0; ply < 80 && !state.Pending().Over(); ply++ {
			seat := state.Pending().Awaited[0]
			legal := state.Legal(seat)
			var safe []engine.Move
			for _, move := range legal {
				next := after(t, state, seat, move)
				if !next.Pending().Over() && len(winning(t, next, 3-seat)) == 0 {
					safe = append(safe, move)
				}
			}
			if len(winning(t, state, seat)) == 0 && len(safe) > 0 && len(safe) < len(legal)/2 {
				choice, err := player.New().Choose(seen(state, "quits/short", seat), 3, 1, player.Budget{Nodes: 2000})
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

// atRandom plays some moves.
func atRandom(t *testing.T, r *rapid.T, variant string) engine.State {
	t.Helper()
	state := play(t, variant, "", "").after
	for range rapid.IntRange(0, 40).Draw(r, "moves") {
		if state.Pending().Over() {
			break
		}
		seat := state.Pending().Awaited[0]
		state = after(t, state, seat, rapid.SampledFrom(state.Legal(seat)).Draw(r, "move"))
	}
	return state
}

// TestValueIsFair plays at random: what a position is worth to one of two seats it costs the other, and of four the seat
// that is ahead in its own eyes is so in the eyes of all.
func TestValueIsFair(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		duel := atRandom(t, r, "quits/duel")
		if own, other := value(duel, "quits/duel", 1), value(duel, "quits/duel", 2); own != -other {
			r.Errorf("%s is worth %d to seat 1 and %d to seat 2", duel.Position(), own, other)
		}
		four := atRandom(t, r, "quits/four")
		values := quitsface.Face.Search(seen(four, "quits/four", 1), player.MaxLevel).Game.(maxn.Game).Values()
		for seat := range engine.Seat(4) {
			for other := range engine.Seat(4) {
				if value(four, "quits/four", seat+1) > 0 && other != seat && values[seat] <= values[other] {
					r.Errorf("%s: seat %d is ahead, but the values are %v", four.Position(), seat+1, values)
				}
			}
		}
	})
}

// TestValueSeesTheWay compares positions of seat 1: marbles near their goal are better than far ones, and marbles out
// better still; of those on the board the ones that are no longer needed count less.
func TestValueSeesTheWay(t *testing.T) {
	for _, tt := range []struct{ name, better, worse string }{
		{"a step nearer", "...22/...22/..1.2/1..../11..1 1 - 0,0 0", "...22/...22/....2/11.../11..1 1 - 0,0 0"},
		{"a marble out", "...22/...22/....2/1..../11..1 1 - 1,0 0", "...22/...22/...12/1..../11..1 1 - 0,0 0"},
		{"the needed one is nearest", "222../22.1./...../1..../1.... 1 - 2,0 0", "222../221../..11./...../..... 1 - 2,0 0"},
	} {
		better := value(play(t, "quits/duel", tt.better, "").after, "quits/duel", 1)
		worse := value(play(t, "quits/duel", tt.worse, "").after, "quits/duel", 1)
		if better <= worse {
			t.Errorf("%s: worth %d, and %d without", tt.name, better, worse)
		}
	}
}

// TestOthersMoveAtOnce checks the search of a game for four: it looks at all moves of the own seat, and at one of each
// other seat.
func TestOthersMoveAtOnce(t *testing.T) {
	state := play(t, "quits/four", "", "").after
	for seat := engine.Seat(1); seat <= 4; seat++ {
		want := 1
		if seat == 1 {
			want = len(state.Legal(1))
		}
		search := quitsface.Face.Search(seen(state, "quits/four", seat), player.MaxLevel)
		if got := search.Game.Candidates(nil); len(got) != want {
			t.Errorf("for seat %d the search looks at %d moves of seat 1, want %d", seat, len(got), want)
		}
	}
}
