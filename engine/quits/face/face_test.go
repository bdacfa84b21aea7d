package face_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quits"
	quitsface "quatuor/engine/quits/face"
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
func play(t *testing.T, variant, from, moves string) game {
	t.Helper()
	i := slices.IndexFunc(quits.Variants(), func(r engine.Rules) bool { return r.Info().ID == variant })
	rules := quits.Variants()[i]
	setup, err := engine.NewSetup(rules.Info(), rules.Info().Seats[0], "", nil)
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

// beforeTheEnd is a game in which seat 1 has two of three marbles out, and the third beside its goal.
const beforeTheEnd = "22.../22.1./2..../1..../1.... 1 - 2,0 0"

// TestDid describes moves in words: a step, a slide along a row and along a column, and the marbles that leave the board
// by them, whoever's they are.
func TestDid(t *testing.T) {
	for _, tt := range []struct{ name, variant, from, moves, want string }{
		{"a step", "quits/duel", "", "b2-c3", "did.step From b2 To c3"},
		{"a slide of a row", "quits/duel", "", "a1>e1", "did.slide Line did.row Rank 1 From a1 To e1"},
		{"a slide of a column", "quits/duel", "", "a5>a1", "did.slide Line did.column File a From a5 To a1"},
		{
			"a marble out", "quits/duel", beforeTheEnd, "d4-e5",
			"did.step From d4 To e5thendid.out Name seat 1 Goal e5 Out 3 Needed 3",
		},
		{
			"the other seat's marble slid out", "quits/duel", "22.../22..1/....2/1..../1.... 2 - 2,0 0", "e5>e1",
			"did.slide Line did.column File e From e5 To e1thendid.out Name seat 1 Goal e5 Out 3 Needed 3",
		},
		{"a pass", "quits/four", "", "pass", "did.pass"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			move := face.Move{Event: engine.Event{Kind: engine.Moved, Text: tt.moves}}
			if tt.moves != "pass" {
				g := play(t, tt.variant, tt.from, tt.moves)
				move = face.Move{
					Event: g.events[len(g.events)-1], Before: g.before.View(engine.Viewer{}), After: g.after.View(engine.Viewer{}),
					Name: func(seat engine.Seat) string { return fmt.Sprint("seat ", seat) },
				}
			}
			if got, named := quitsface.Face.Did(words, move); got != tt.want || named {
				t.Errorf("%q (names players: %v), want %q", got, named, tt.want)
			}
		})
	}
}

// TestCells describes what is on the squares.
func TestCells(t *testing.T) {
	edge, cells := quitsface.Face.Cells(words, play(t, "quits/duel", "", "b2-c3").after.View(engine.Viewer{}))
	got := map[string]string{}
	for _, cell := range cells {
		got[cell.Square] = cell.Words
	}
	if edge != 5 || len(got) != 25 {
		t.Fatalf("an edge of %d with %d squares, want 5 and 25", edge, len(got))
	}
	for square, want := range map[string]string{"c3": "seat Seat 1", "b2": "empty", "d4": "seat Seat 2"} {
		if got[square] != want {
			t.Errorf("%s: %q, want %q", square, got[square], want)
		}
	}
}

// TestDraw draws tiles, goals and marbles, and marks the last move.
func TestDraw(t *testing.T) {
	for _, tt := range []struct {
		name, variant, from, moves string
		has, lacks                 []string
		slid, won                  int // squares that are highlighted
	}{
		{
			name: "the first position", variant: "quits/duel",
			has: []string{
				"goal Seat 1 Goal e5 Out 0 Needed 3", "goal Seat 2 Goal a1 Out 0 Needed 3",
				`class="b-goal b-seat-1" cx="194" cy="34"`, `class="b-goal b-seat-2" cx="34" cy="194"`,
				`class="b-piece b-seat-1" cx="74" cy="154"`,
			},
			lacks: []string{"last_move", "b-from", "b-to", "b-push"},
		},
		{
			name: "a step", variant: "quits/duel", moves: "b2-c3",
			has: []string{
				"last_move Move b2-c3", `class="b-last b-from" x="55" y="135"`, `class="b-last b-to" x="95" y="95"`,
				`class="b-piece b-seat-1" cx="114" cy="114"`,
			},
			lacks: []string{"b-push"},
		},
		{
			name: "a slide of a row", variant: "quits/duel", moves: "a1>e1", slid: 5,
			has:   []string{"last_move Move a1&gt;e1", `class="b-push" d="M216.5 194L`, `class="b-tile b-slid" x="15.5" y="175.5"`},
			lacks: []string{"b-from", "b-to"},
		},
		{
			name: "a slide of a column", variant: "quits/duel", moves: "a5>a1", slid: 5,
			has: []string{`class="b-push" d="M34 216.5L`, `class="b-tile b-slid" x="15.5" y="15.5"`},
		},
		{
			name: "the last marble out", variant: "quits/duel", from: beforeTheEnd, moves: "d4-e5", won: 1,
			has:   []string{"goal Seat 1 Goal e5 Out 3 Needed 3", `class="b-won" x="176.5" y="16.5"`},
			lacks: []string{`class="b-piece b-seat-1" cx="194" cy="34"`},
		},
		{
			name: "four seats", variant: "quits/four",
			has: []string{"goal Seat 3 Goal a1 Out 0 Needed 1", "goal Seat 4 Goal a5 Out 0 Needed 1", "b-piece b-seat-4"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := play(t, tt.variant, tt.from, tt.moves)
			p := engine.Projection{View: g.after.View(engine.Viewer{}), Events: g.events, Pending: g.after.Pending()}
			svg := face.Draw(quitsface.Face, p, words, 0, "b", "title")
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
			if slid, won := strings.Count(svg, "b-slid"), strings.Count(svg, `class="b-won"`); slid != tt.slid || won != tt.won {
				t.Errorf("%d squares have slid and %d won, want %d and %d", slid, won, tt.slid, tt.won)
			}
		})
	}
}

// TestFigures plays the games that illustrate the rules.
func TestFigures(t *testing.T) {
	for name, f := range quitsface.Face.Figures() {
		if g := play(t, f.Variant, "", f.Moves); len(g.events) != len(strings.Fields(f.Moves)) {
			t.Errorf("%s: %d moves were made, want %s", name, len(g.events), f.Moves)
		}
	}
}
