package face_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/player"
	"quatuor/engine/player/maxn"
	"quatuor/engine/quivive"
	quiviveface "quatuor/engine/quivive/face"
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
	return quiviveface.Face.Search(seen(state, variant, seat), player.MaxLevel).Game.Value()
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

// TestBotsKeepTheLastMove plays at random until a move wins: every level makes one that does. In a melee level 1 makes
// half of its moves at random.
func TestBotsKeepTheLastMove(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		variant      string
		seats, level int // from this level on
	}{{"quivive/duel", 2, 1}, {"quivive/teams", 4, 1}, {"quivive/melee", 3, 3}} {
		for found := 0; found < 5; {
			state := play(t, tt.variant, tt.seats, "", "").after
			for !state.Pending().Over() {
				seat := state.Pending().Awaited[0]
				legal := state.Legal(seat)
				if few := len(legal) < 40 && legal[0][0] != '+' && legal[0][0] != '@'; few {
					if wins := winning(t, state, seat); len(wins) > 0 && len(wins) < len(legal) {
						chooseAmong(t, state, tt.variant, seat, tt.level, wins)
						found++
					}
				}
				state = after(t, state, seat, legal[chance.IntN(len(legal))])
			}
		}
	}
}

// chooseAmong has levels choose, and demands a move that wins.
func chooseAmong(
	t *testing.T, state engine.State, variant string, seat engine.Seat, level int, wins []engine.Move,
) {
	t.Helper()
	for ; level <= player.MaxLevel; level++ {
		choice, err := player.New().Choose(seen(state, variant, seat), level, 1, player.Budget{Nodes: 300})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(wins, choice.Move) {
			t.Errorf("%s %s: level %d chooses %s, want one of %v", variant, state.Position(), level, choice.Move, wins)
		}
	}
}

// TestValueIsFair plays at random: what a position is worth to one of two sides it costs the other, and in a melee a
// side that is out is worth less than each that is in, and less than each that went later.
func TestValueIsFair(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		for _, variant := range []string{"quivive/duel", "quivive/teams"} {
			state := atRandom(t, r, variant, map[string]int{"quivive/duel": 2, "quivive/teams": 4}[variant])
			if own, other := value(state, variant, 1), value(state, variant, 2); own != -other {
				r.Errorf("%s is worth %d to side 1 and %d to side 2", state.Position(), own, other)
			}
		}
		melee := atRandom(t, r, "quivive/melee", 5)
		values := quiviveface.Face.Search(seen(melee, "quivive/melee", 1), 3).Game.(maxn.Game).Values()
		gone := melee.View(engine.Viewer{}).(quivive.View).Gone
		for seat := engine.Seat(1); seat <= 5; seat++ {
			place := slices.Index(gone, seat)
			for other := engine.Seat(1); other <= 5 && place >= 0 && !melee.Pending().Over(); other++ {
				later := slices.Index(gone, other)
				if (later < 0 || later > place) && values[seat-1] > values[other-1] {
					r.Errorf("%s: seat %d went before seat %d, but the values are %v", melee.Position(), seat, other, values)
				}
			}
		}
	})
}

// atRandom plays some moves.
func atRandom(t *testing.T, r *rapid.T, variant string, seats int) engine.State {
	t.Helper()
	state := play(t, variant, seats, "", "").after
	for range rapid.IntRange(12, 60).Draw(r, "moves") {
		if state.Pending().Over() {
			break
		}
		seat := state.Pending().Awaited[0]
		state = after(t, state, seat, rapid.SampledFrom(state.Legal(seat)).Draw(r, "move"))
	}
	return state
}

// TestValueSeesFreedom compares positions of side 1, on turn: pawns with podiums around them are better than pawns
// beside pits, and stuck opponents are better than free ones.
func TestValueSeesFreedom(t *testing.T) {
	for _, tt := range []struct{ name, better, worse string }{
		{
			"podiums around the own pawn", "1b10/00000/0000000/2100001/1a100001a/00000/011b 1 play",
			"1b30/00000/0000000/2000001/1a000001a/00000/011b 1 play",
		},
		{
			"none around the other side's", "1b00/00000/0000000/3000001/1a000001a/00000/011b 1 play",
			"1b10/00000/0000000/2000001/1a000001a/00000/011b 1 play",
		},
		{
			"podiums two steps away", "1b10/00000/1000000/1000001/1a000001a/00000/011b 1 play",
			"1b10/00000/0010000/1000001/1a000001a/00000/011b 1 play",
		},
	} {
		better := value(play(t, "quivive/duel", 2, tt.better, "").after, "quivive/duel", 1)
		worse := value(play(t, "quivive/duel", 2, tt.worse, "").after, "quivive/duel", 1)
		if better <= worse {
			t.Errorf("%s: worth %d, and %d without", tt.name, better, worse)
		}
	}
}

// TestSearchTakesFromOthers looks at the moves that a search examines: those that take a podium beside a pawn of another
// side, and of these the last of its cell; any move where there is none.
func TestSearchTakesFromOthers(t *testing.T) {
	for _, tt := range []struct {
		name, from string
		taken      []string
	}{
		{"a last podium", "1b10/00000/0000000/1000001/1a000001a/00000/021b 1 play", []string{"d7"}},
		{"no last podium", "1b20/00000/0000000/1000001/1a000001a/00000/002b 1 play", []string{"d7"}},
	} {
		state := play(t, "quivive/duel", 2, tt.from, "").after
		game := quiviveface.Face.Search(seen(state, "quivive/duel", 1), 3).Game
		steps := game.Candidates(nil)
		for _, step := range steps {
			_, taken, _ := strings.Cut(string(game.Move(step)), "x")
			if !slices.Contains(tt.taken, taken) {
				t.Errorf("%s: it looks at %s, want moves that take one of %v", tt.name, game.Move(step), tt.taken)
			}
		}
		if len(steps) == 0 {
			t.Errorf("%s: it looks at no move", tt.name)
		}
	}
}

// TestMeleeModelsOpponents checks the search of a melee: level 3 looks at a single move of each other seat, level 2 at
// several.
func TestMeleeModelsOpponents(t *testing.T) {
	state := play(t, "quivive/melee", 3, "", "").after
	for state.View(engine.Viewer{}).(quivive.View).Phase != "play" {
		seat := state.Pending().Awaited[0]
		state = after(t, state, seat, state.Legal(seat)[0])
	}
	turn := state.Pending().Awaited[0]
	for seat := engine.Seat(1); seat <= 3; seat++ {
		second := len(quiviveface.Face.Search(seen(state, "quivive/melee", seat), 2).Game.Candidates(nil))
		third := len(quiviveface.Face.Search(seen(state, "quivive/melee", seat), 3).Game.Candidates(nil))
		want := second
		if seat != turn {
			want = 1
		}
		if second < 2 || third != want {
			t.Errorf("for seat %d level 2 looks at %d moves of seat %d, level 3 at %d, want %d", seat, second, turn, third, want)
		}
	}
}
