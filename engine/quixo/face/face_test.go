package face_test

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quixo"
	quixoface "quatuor/engine/quixo/face"
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
	rules := quixo.Variants()[0]
	if variant == "quixo/teams" {
		rules = quixo.Variants()[1]
	}
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

// TestDid describes pushes in words: what was taken, from where to where, and in teams to whom the dot points.
func TestDid(t *testing.T) {
	for _, tt := range []struct{ name, variant, moves, want string }{
		{"a blank cube down a file", "quixo/duel", "c1-c5", "did.push What blank From c1 End c5 Line did.column File c"},
		{"a blank cube along a rank", "quixo/duel", "a3-e3", "did.push What blank From a3 End e3 Line did.row Rank 3"},
		{"the mover's own cube", "quixo/duel", "c1-c5 a1-e1 c5-c1", "did.push What x From c5 End c1 Line did.column File c"},
		{
			"the other side's own cube", "quixo/duel", "c1-c5 a1-e1 c5-c1 e1-a1",
			"did.push What o From e1 End a1 Line did.row Rank 1",
		},
		{
			"a dot to the partner", "quixo/teams", "c1-c5>3",
			"did.push What blank From c1 End c5 Line did.column File cthendid.dot Seat 3",
		},
		{"a pass", "quixo/teams", "pass", "did.pass"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			move := face.Move{Event: engine.Event{Kind: engine.Moved, Text: tt.moves}}
			if tt.moves != "pass" {
				g := play(t, tt.variant, "", tt.moves)
				move = face.Move{
					Event: g.events[len(g.events)-1], Before: g.before.View(engine.Viewer{}), After: g.after.View(engine.Viewer{}),
				}
			}
			if got, named := quixoface.Face.Did(words, move); got != tt.want || named {
				t.Errorf("%q (names players: %v), want %q", got, named, tt.want)
			}
		})
	}
}

// TestCells describes what is on the squares.
func TestCells(t *testing.T) {
	g := play(t, "quixo/teams", "", "c1-c5>3 a1-a5>4")
	edge, cells := quixoface.Face.Cells(words, g.after.View(engine.Viewer{}))
	got := map[string]string{}
	for _, cell := range cells {
		got[cell.Square] = cell.Words
	}
	if edge != 5 || len(got) != 25 {
		t.Fatalf("an edge of %d with %d squares, want 5 and 25", edge, len(got))
	}
	for square, want := range map[string]string{
		"c5": "mark_for_seat Mark x Seat 3", "a5": "mark_for_seat Mark o Seat 4", "a1": "blank", "c1": "blank",
	} {
		if got[square] != want {
			t.Errorf("%s: %q, want %q", square, got[square], want)
		}
	}
	_, cells = quixoface.Face.Cells(words, play(t, "quixo/duel", "", "c1-c5").after.View(engine.Viewer{}))
	if cells[2] != (face.Cell{Square: "c5", Words: "x"}) {
		t.Errorf("in a game of two c5 is %+v, want the mark alone", cells[2])
	}
}

// drawn draws a game as seen after some quarter turns.
func drawn(g game, turn int) string {
	p := engine.Projection{View: g.after.View(engine.Viewer{}), Events: g.events, Pending: g.after.Pending()}
	return face.Draw(quixoface.Face, p, words, turn, "b", "title")
}

// TestDraw draws the cubes, the last push, and the lines that won.
func TestDraw(t *testing.T) {
	const (
		fourOfX = "xxxx./...../...../...../oooo. 1"
		both    = "ooo.o/...../...../...x./xxx.x 2"
		twice   = "xx.xx/..x../xx.xx/...../..... 1"
	)
	for _, tt := range []struct {
		name, variant, from, moves string
		turn                       int
		has, lacks                 []string
		won                        int // squares that are highlighted
	}{
		{
			name: "the first position", variant: "quixo/duel",
			has:   []string{"rank Rank 5 Squares blank, blank, blank, blank, blank", `class="b-cube b-inner" x="56" y="56"`},
			lacks: []string{"last_move", "b-to", "b-push", "b-x", "b-o"},
		},
		{
			name: "a push", variant: "quixo/duel", moves: "c1-c5",
			has:   []string{"last_move Move c1-c5", `class="b-last b-to" x="95" y="15"`, `class="b-push" d="M114 11.5L`, "b-x"},
			lacks: []string{"b-o\"", "won", "b-dot"},
		},
		{
			name: "a line", variant: "quixo/duel", from: fourOfX, moves: "e4-e5", won: 5,
			has: []string{"won_line Squares a5 b5 c5 d5 e5", "b-won-line", "M34 34L194 34"},
		},
		{
			name: "a diagonal", variant: "quixo/duel", from: "x..../.x.../..x../...x./..... 1", moves: "e5-e1", won: 5,
			has: []string{"won_line Squares a5 b4 c3 d2 e1", "M34 34L194 194"},
		},
		{
			name: "two lines", variant: "quixo/duel", from: twice, moves: "c1-c5", won: 10,
			has: []string{"won_line Squares a5 b5 c5 d5 e5", "won_line Squares a3 b3 c3 d3 e3"},
		},
		{
			name: "lines of both sides, of which the mover's does not count", variant: "quixo/duel", from: both, moves: "d1-d5",
			has: []string{"won_line Squares a1 b1 c1 d1 e1"}, lacks: []string{"won_line Squares a5"}, won: 5,
		},
		{
			name: "a dot to the seat opposite, from seat 1", variant: "quixo/teams", moves: "c1-c5>3",
			has: []string{`class="b-dot" cx="114" cy="20.5"`, "mark_for_seat Mark x Seat 3"},
		},
		{
			name: "the same from seat 2", variant: "quixo/teams", moves: "c1-c5>3", turn: 1,
			has: []string{`class="b-dot" cx="20.5" cy="114"`},
		},
		{
			name: "the same from seat 3, to whom it points", variant: "quixo/teams", moves: "c1-c5>3", turn: 2,
			has: []string{`class="b-dot" cx="114" cy="207.5"`},
		},
		{
			name: "the same from seat 4", variant: "quixo/teams", moves: "c1-c5>3", turn: 3,
			has: []string{`class="b-dot" cx="207.5" cy="114"`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			svg := drawn(play(t, tt.variant, tt.from, tt.moves), tt.turn)
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
			if n := strings.Count(svg, `class="b-won"`); n != tt.won {
				t.Errorf("%d squares are highlighted as won, want %d", n, tt.won)
			}
		})
	}
}

// TestResignedGameHasNoLine resigns a game: nothing on the board won it.
func TestResignedGameHasNoLine(t *testing.T) {
	g := play(t, "quixo/duel", "", "c1-c5")
	left := engine.Event{Kind: engine.Left, Seat: 2, Text: string(engine.ReasonResignation)}
	state, err := g.after.Apply(left)
	if err != nil {
		t.Fatal(err)
	}
	svg := drawn(game{g.after, state, append(g.events, left)}, 0)
	if strings.Contains(svg, "won") || !strings.Contains(svg, "last_move Move c1-c5") {
		t.Errorf("a line is drawn, or the last move is not:\n%s", svg)
	}
}

// TestFigures plays the games that illustrate the rules: the figure of a line ends with one.
func TestFigures(t *testing.T) {
	figures := quixoface.Face.Figures()
	for name, f := range figures {
		g := play(t, f.Variant, "", f.Moves)
		if over := g.after.Pending().Over(); over != (name == "quixo-line") {
			t.Errorf("%s: the game is over: %v", name, over)
		}
	}
	line := figures["quixo-line"]
	if o := play(t, line.Variant, "", line.Moves).after.Pending().Outcome; o == nil || o.Reason != engine.ReasonLine {
		t.Errorf("the figure of a line ends by %v", o)
	}
}
