package quixo_test

import (
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/enginetest"
	"quatuor/engine/quixo"
)

func TestLaws(t *testing.T) {
	for _, rules := range quixo.Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) { enginetest.Run(t, rules, enginetest.Hooks{}) })
	}
}

func TestGoldenGames(t *testing.T) { enginetest.Golden(t, quixo.Variants(), "testdata/*.game") }

func FuzzMoves(f *testing.F) { enginetest.FuzzMoves(f, quixo.Variants()) }

func FuzzPositions(f *testing.F) { enginetest.FuzzPositions(f, quixo.Variants()) }

// TestEnds plays a move and looks at how it ends the game.
func TestEnds(t *testing.T) {
	tests := []struct{ name, from, move, want string }{
		{"no line yet", "...../...../...../...../oooo. 2", "e1-e5", "....o/...../...../...../oooo. 1"},
		{"a column", "x..../x..../x..../x..../.o.oo 1", "a1-a5", "x..../x..../x..../x..../xo.oo =1,2:line"},
		{"a row", "...../...../...../....o/oooo. 2", "e5-e1", "...../...../....o/...../ooooo =2,1:line"},
		{"the rising diagonal", "....o/...x./..x../.x.../x...x 1", "e1-e5", "....x/...xo/..x../.x.../x.... =1,2:line"},
		{"the falling diagonal", "o..../.o.../..o../...o./xxxx. 2", "e2-e1", "o..../.o.../..o../...o./xxxxo =2,1:line"},
		{"lines of both sides lose for the mover", "ooo.o/...../...../...x./xxx.x 2", "d1-d5", "ooooo/...../...../...../xxxxx =1,2:opponent-line"},
		{"two own lines", "xxx.x/...../...../...x./xxx.x 1", "d1-d5", "xxxxx/...../...../...../xxxxx =1,2:line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := after(t, quixo.Variants()[0], tt.from, tt.move); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// after returns the position after a move, or the kind of refusal.
func after(t *testing.T, rules engine.Rules, position, move string) string {
	t.Helper()
	s, err := rules.Parse(engine.Setup{Seats: rules.Info().Seats[0]}, position)
	if err != nil {
		t.Fatal(err)
	}
	next, err := s.Apply(engine.Event{Kind: engine.Moved, Text: move})
	if err != nil {
		return engine.KindOf(err)
	}
	return next.Position()
}

// TestParseRefuses reads texts that are no positions.
func TestParseRefuses(t *testing.T) {
	duel, teams := quixo.Variants()[0], quixo.Variants()[1]
	tests := []struct {
		rules            engine.Rules
		position, reason string
	}{
		{duel, "", "a board and a status"},
		{duel, "...../...../...../..... 1", "4 ranks, want 5"},
		{duel, "...../...../......./...../..... 1", "rank 3 has 7 squares, want 5"},
		{duel, "...../...../..s../...../..... 1", "'s' on c3 means nothing"},
		{teams, "...../...../..x../...../..... 1", "'x' on c3 means nothing"},
		{duel, "...../...../...../...../..... 3", "names no seat"},
		{duel, "...../...../...../...../..... 01", "names no seat"},
		{duel, "...../...../...../...../.....  1", "names no seat"},
		{duel, "...../...../...../...../..... =1,2", "does not go with"},
		{duel, "...../...../...../...../..... =1,2:line", "does not go with"},
		{duel, "...../...../...../...../..... =1,2:tiers", "does not go with"},
		{duel, "...../...../...../...../..... =1,1:time", "does not go with"},
		{duel, "...../...../...../...../..... =1,1:line", "does not go with"},
		{duel, "xxxxx/...../...../...../..... =1,1:line", "does not go with"},
		{duel, "xxxxx/...../...../...../ooooo =1,1:opponent-line", "does not go with"},
		{duel, "ooooo/...../...../...../..... =1,2:opponent-line", "does not go with"},
		{duel, "...../...../...../...../..... =1,2:agreement", "does not go with"},
		{duel, "...../...../...../...../..... =2,1:length", "does not go with"},
		{duel, "xxxxx/...../...../...../..... =1,1:repetition", "does not go with"},
		{duel, "...../...../...../...../..... =2,2:agreement", "no result"},
		{duel, "...../...../...../...../..... =1:agreement", "no result"},
		{duel, "...../...../...../...../..... =1,2,3:time", "want 2 ranks"},
		{teams, "...../...../...../...../..... =1,2,2,1:time", "no result"},
		{duel, "xxxxx/...../...../...../..... 2", "a line stands"},
		{duel, "xxxxx/...../...../...../..... =2,1:line", "does not go with"},
		{duel, "xxxxx/...../...../...../ooooo =1,2:line", "does not go with"},
		{duel, "xxxxx/...../...../...../..... =1,2:time", "does not go with"},
		{duel, "xxxxx/...../...../...../..... =1,1:length", "does not go with"},
	}
	for _, tt := range tests {
		s, err := tt.rules.Parse(engine.Setup{Seats: tt.rules.Info().Seats[0]}, tt.position)
		if err == nil || s != nil || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%q: error %v, want one with %q", tt.position, err, tt.reason)
		}
	}
}

// TestParseTakesEveryEnd reads a position for every end of a game, and prints it again.
func TestParseTakesEveryEnd(t *testing.T) {
	duel, teams := quixo.Variants()[0], quixo.Variants()[1]
	tests := map[string]engine.Rules{
		"xxxxx/...../...../...../..... =1,2:line":              duel,
		"ooooo/...../...../...../..... =2,1:line":              duel,
		"xxxxx/...../...../...../ooooo =1,2:opponent-line":     duel,
		"ooooo/...../...../...../..... =2,1:opponent-line":     duel,
		"...../...../...../...../..... =1,2:time":              duel,
		"...../...../...../...../..... =2,1:forfeit":           duel,
		"...../...../...../...../..... =1,1:agreement":         duel,
		"...../...../...../...../..x.. =1,1:repetition":        duel,
		"...../...../...../...../..x.. =1,1:length":            duel,
		"sns.s/...../...../...../..... =2,1,2,1:resignation":   teams,
		"snsss/...../...../...../wewwe =2,1,2,1:opponent-line": teams,
		"...../...../...../...../wewwe =2,1,2,1:line":          teams,
	}
	for text, rules := range tests {
		s, err := rules.Parse(engine.Setup{Seats: rules.Info().Seats[0]}, text)
		if err != nil || s.Position() != text || !s.Pending().Over() {
			t.Errorf("%s reads as %v, error %v", text, s, err)
		}
	}
}

// TestViewShowsMarksDotsAndBorder looks at three squares of a game in teams.
func TestViewShowsMarksDotsAndBorder(t *testing.T) {
	rules := quixo.Variants()[1]
	s, err := rules.Parse(engine.Setup{Seats: 4}, "e.n../...../..w../...../..... 3")
	if err != nil {
		t.Fatal(err)
	}
	view := s.View(engine.Viewer{}).(quixo.View)
	want := []quixo.Cube{
		{Square: "a5", Mark: "o", Dot: 4, Border: true},
		{Square: "b5", Border: true},
		{Square: "c5", Mark: "x", Dot: 3, Border: true},
	}
	if got := view.Rows[0][:3]; !slices.Equal(got, want) || view.Size != 5 || len(view.Rows) != 5 {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := view.Rows[2][2]; got != (quixo.Cube{Square: "c3", Mark: "o", Dot: 2}) {
		t.Errorf("c3 is %v", got)
	}
}
