package face_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quivive"
	quiviveface "quatuor/engine/quivive/face"
)

// words spells a text as its name and its arguments.
func words(name string, args ...any) string {
	return strings.TrimSpace(fmt.Sprintln(append([]any{name}, args...)...))
}

// game is a game with its last move.
type game struct {
	before, after engine.State
	events        []engine.Event
}

// play makes moves from a position; from the first without one.
func play(t *testing.T, variant string, seats int, from, moves string) game {
	t.Helper()
	i := slices.IndexFunc(quivive.Variants(), func(r engine.Rules) bool { return r.Info().ID == variant })
	rules := quivive.Variants()[i]
	setup, err := engine.NewSetup(rules.Info(), seats, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	state, err := rules.Start(setup)
	if from != "" {
		state, err = rules.Parse(setup, from)
	}
	if err != nil {
		t.Fatal(err)
	}
	g := game{before: state, after: state}
	for token := range strings.FieldsSeq(moves) {
		e := engine.Event{Kind: engine.Moved, Seat: g.after.Pending().Awaited[0], Text: token}
		g.before = g.after
		if g.after, err = g.before.Apply(e); err != nil {
			t.Fatal(err)
		}
		g.events = append(g.events, e)
	}
	return g
}

// Positions of two players: a step of a pawn of side 1 away from taking both pawns of side 2 their last podium, and one
// in which the pawn on c7 alone is stuck next.
const (
	beforeTheEnd = "1b11b/00000/0000000/1000001/1a000001a/00000/000 1 play"
	beforeStuck  = "1b10/00000/0000000/2000001/1a000001a/00000/011b 1 play"
)

// TestDid describes moves in words: a podium placed, a pawn placed, a step with the podium that it takes, and the pawns
// that are stuck after it.
func TestDid(t *testing.T) {
	for _, tt := range []struct{ name, from, moves, want string }{
		{"a podium", "", "+d4", "did.build Square d4 Height 2"},
		{"a pawn", "111/11111/2222221/1111111/3a3b31111/11111/111 1 pawns", "@e4", "did.pawn Square e4"},
		{
			"a step that lowers a stack", "111/11111/2222a221/1111b111/3a3b31111/11111/111 1 play", "d5-d6xd5",
			"did.walk From d5 To d6thendid.lower Square d5 Height 1",
		},
		{
			"a step that leaves a pit", "111/11111/2222a221/1111b111/3a3b31111/11111/111 1 play", "d5-d6xa4",
			"did.walk From d5 To d6thendid.pit Square a4",
		},
		{
			"pawns stuck", beforeTheEnd, "a3-a4xd7",
			"did.walk From a3 To a4thendid.pit Square d7thendid.stuck Square c7 Side 2thendid.stuck Square e7 Side 2",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := play(t, "quivive/duel", 2, tt.from, tt.moves)
			move := face.Move{
				Event: g.events[len(g.events)-1], Before: g.before.View(engine.Viewer{}), After: g.after.View(engine.Viewer{}),
			}
			if got, named := quiviveface.Face.Did(words, move); got != tt.want || named {
				t.Errorf("%q (names players: %v), want %q", got, named, tt.want)
			}
		})
	}
}

// TestCells describes what is on the cells; the corners have none.
func TestCells(t *testing.T) {
	edge, cells := quiviveface.Face.Cells(words, play(t, "quivive/duel", 2, beforeStuck, "").after.View(engine.Viewer{}))
	got := map[string]string{}
	for _, cell := range cells {
		got[cell.Square] = cell.Words
	}
	if edge != 7 || len(got) != 37 {
		t.Fatalf("an edge of %d with %d cells, want 7 and 37", edge, len(got))
	}
	for square, want := range map[string]string{
		"c7": "cell_with_pawn Height 1 Side 2", "a3": "cell_with_pawn Height 1 Side 1", "a4": "cell Height 2",
		"d4": "cell Height 0", "a1": "",
	} {
		if got[square] != want {
			t.Errorf("%s: %q, want %q", square, got[square], want)
		}
	}
}

// TestDraw draws stacks with their heights, pawns, and the last move.
func TestDraw(t *testing.T) {
	for _, tt := range []struct {
		name, from, moves string
		has, lacks        []string
		pips, pawns       int
	}{
		{
			name: "the first position", pips: 37,
			has: []string{
				"rank Rank 7 Squares podium Square c7 Height 1, podium Square d7 Height 1, podium Square e7 Height 1",
				`class="b-pip" cx="154" cy="154" r="2.7"`, "b-level-1",
			},
			lacks: []string{"last_move", "b-to", "b-hole", "b-level-2"},
		},
		{
			name: "a podium placed", moves: "+d4", pips: 38,
			has: []string{
				"last_move Move +d4", `class="b-last b-to" x="135" y="135"`, "b-level-2",
				`class="b-pip" cx="150.5" cy="154"`, `class="b-pip" cx="157.5" cy="154"`,
			},
			lacks: []string{"b-from", "b-taken"},
		},
		{
			name: "a pawn placed", from: "111/11111/2222221/1111111/3a3b31111/11111/111 1 pawns", moves: "@e4", pips: 49, pawns: 3,
			has: []string{
				"last_move Move @e4", "podium_with_pawn Square e4 Height 1 Side 1", `class="b-piece b-seat-1" cx="194" cy="151.5"`,
				`class="b-pip" cx="194" cy="167.5" r="2.2"`,
			},
			lacks: []string{"b-from"},
		},
		{
			name: "a step", from: beforeStuck, moves: "a3-a4xd7", pips: 8, pawns: 3,
			has: []string{
				"last_move Move a3-a4xd7", `class="b-last b-from" x="15" y="175"`, `class="b-last b-to" x="15" y="135"`,
				`class="b-last b-taken" d="M146 26L`, "b-hole",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := play(t, "quivive/duel", 2, tt.from, tt.moves)
			p := engine.Projection{View: g.after.View(engine.Viewer{}), Events: g.events, Pending: g.after.Pending()}
			svg := face.Draw(quiviveface.Face, p, words, 0, "b", "title")
			for _, part := range tt.has {
				if !strings.Contains(svg, part) {
					t.Errorf("it lacks %s:\n%s", part, svg)
				}
			}
			for _, part := range tt.lacks {
				if strings.Contains(svg, part) {
					t.Errorf("it has %s:\n%s", part, svg)
				}
			}
			if pips, pawns := strings.Count(svg, "b-pip"), strings.Count(svg, "b-piece"); pips != tt.pips || pawns != tt.pawns {
				t.Errorf("%d podiums and %d pawns, want %d and %d", pips, pawns, tt.pips, tt.pawns)
			}
		})
	}
}

// TestFigures plays the games that illustrate the rules: the pawns stand, and the figure of a turn has a turn more.
func TestFigures(t *testing.T) {
	figures := quiviveface.Face.Figures()
	for name, plies := range map[string]int{"quivive-start": 16, "quivive-turn": 17} {
		g := play(t, figures[name].Variant, 2, "", figures[name].Moves)
		if phase := g.after.View(engine.Viewer{}).(quivive.View).Phase; phase != "play" || len(g.events) != plies {
			t.Errorf("%s: phase %s after %d moves, want play after %d", name, phase, len(g.events), plies)
		}
	}
	if len(figures) != 2 {
		t.Errorf("%d figures, want 2", len(figures))
	}
}
