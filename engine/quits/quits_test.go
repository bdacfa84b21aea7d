package quits_test

import (
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/enginetest"
	"quatuor/engine/quits"
)

func TestLaws(t *testing.T) {
	for _, rules := range quits.Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) { enginetest.Run(t, rules, enginetest.Hooks{}) })
	}
}

func TestGoldenGames(t *testing.T) { enginetest.Golden(t, quits.Variants(), "testdata/*.game") }

func FuzzMoves(f *testing.F) { enginetest.FuzzMoves(f, quits.Variants()) }

func FuzzPositions(f *testing.F) { enginetest.FuzzPositions(f, quits.Variants()) }

// parse reads a position of a variant.
func parse(tb testing.TB, id, steps, position string) (engine.State, error) {
	tb.Helper()
	for _, rules := range quits.Variants() {
		if rules.Info().ID != id {
			continue
		}
		setup, err := engine.NewSetup(rules.Info(), 0, "", map[string]string{"steps": steps})
		if err != nil {
			tb.Fatal(err)
		}
		return rules.Parse(setup, position)
	}
	tb.Fatalf("no variant %s", id)
	return nil, nil
}

// TestMovesFrom plays a move from a position and looks at the next.
func TestMovesFrom(t *testing.T) {
	tests := []struct{ name, id, steps, from, move, want string }{
		{
			"a step out", "quits/duel", "diagonal",
			"..22./...12/1...2/1..../.11.2 1 - 0,0 0", "d4-e5", "..22./....2/1...2/1..../.11.2 2 - 1,0 0",
		},
		{
			"the slide of another seat carries a marble out and wins for its owner", "quits/duel", "diagonal",
			".2.1./..222/....2/11.../..... 2 - 2,0 0", "e5>a5", "..2../..222/....2/11.../..... =1,2:out a5>e5 3,0 0",
		},
		{
			"a slide may carry the own marble out", "quits/short", "diagonal",
			"...2./...21/..2../1..../.1... 1 - 0,0 0", "e5>e1", "...2./...2./..2../1..../.1... =1,2:out e1>e5 1,0 0",
		},
		{
			"the goal of one seat is an ordinary square for others", "quits/four", "diagonal",
			".2.3./22.33/...../11.44/.1.4. 1 - 0,0,0,0 0 -", "a1>e1", ".2.3./22.33/...../11.44/1.4.. 2 e1>a1 0,0,0,0 0 -",
		},
		{
			"a pass by the last of all who can pass draws", "quits/duel", "forward",
			"21112/...../...../...../.222. 1 - 2,0 1", "pass", "21112/...../...../...../.222. =1,1:blocked - 2,0 2",
		},
		{
			"a pass is counted", "quits/duel", "forward",
			"21112/...../...../...../.222. 1 - 2,0 0", "pass", "21112/...../...../...../.222. 2 - 2,0 1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := parse(t, tt.id, tt.steps, tt.from)
			if err != nil {
				t.Fatal(err)
			}
			next, err := s.Apply(engine.Event{Kind: engine.Moved, Text: tt.move})
			got := engine.KindOf(err)
			if err == nil {
				got = next.Position()
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestParseRefuses reads texts that are no positions.
func TestParseRefuses(t *testing.T) {
	tests := []struct{ id, position, reason string }{
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 - 0,0", "4 fields, want 5"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 - 0,0 0 -", "6 fields, want 5"},
		{"quits/four", ".2.3./22.33/...../11.44/.1.4. 1 - 0,0,0,0 0", "5 fields, want 6"},
		{"quits/duel", "..22./...22/1...2/11.../.113. 1 - 0,0 0", "'3' on d1"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 3 - 0,0 0", "names no seat"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 a3>c3 0,0 0", "forbidden slide"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 e3>a3 0,0 0", "no slide came just before"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 a1>e1 0,0 1", "no slide came just before"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 - 0 0", "want 2 numbers"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 - 0,x 0", "not a number of marbles"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 - 0,00 0", "is spelled"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 - 0,0 x", "not a number of passes"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 - 0,0 2", "does not go with"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. 1 - 1,0 0", "5 marbles on the board and 1 out"},
		{"quits/duel", "..22./...22/1...2/11.../.1... 1 - 0,0 0", "4 marbles on the board and 0 out"},
		{"quits/duel", "..221/...22/1...2/.1.../.11.. 1 - 0,0 0", "stands on its goal"},
		{"quits/duel", "..22./...22/1...2/...../.1... 1 - 3,0 0", "does not go with"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. =1,2:out - 0,0 0", "does not go with"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. =1,2:agreement - 0,0 0", "does not go with"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. =1,1:blocked - 0,0 0", "does not go with"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. =1,1:tiers - 0,0 0", "does not go with"},
		{"quits/duel", "..2../..222/....2/11.../..... =2,1:out a5>e5 3,0 0", "does not go with"},
		{"quits/duel", "..2../..222/....2/11.../..... =1,2:time - 3,0 0", "does not go with"},
		{"quits/duel", "..2../..222/....2/11.../..... =1,1:length - 3,0 0", "does not go with"},
		{"quits/duel", "..2../..222/....2/11.../..... =1,1:blocked - 3,0 2", "does not go with"},
		{"quits/duel", "21112/...../...../...../.222. =1,2:blocked - 2,0 2", "does not go with"},
		{"quits/duel", "21112/...../...../...../.222. =1,2:time - 2,0 2", "does not go with"},
		{"quits/duel", "21112/...../...../...../.222. =1,1:length - 2,0 2", "does not go with"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. =1,1:time - 0,0 0", "does not go with"},
		{"quits/four", "...../...../...../11.../.1... =1,4,3,2:time - 0,0,0,0 1 2,3,4", "does not go with"},
		{"quits/four", "...../...../...../.1.../.1... =1,4,3,2:out - 1,0,0,0 0 2,3,4", "does not go with"},
		{"quits/four", "...../...../...../11.../.1... =1,4,3,2:blocked - 0,0,0,0 1 2,3,4", "does not go with"},
		{"quits/four", "...../...../...../11.../.1... =1,4,3,2:length - 0,0,0,0 0 2,3,4", "does not go with"},
		{"quits/four", ".2.3./22.33/...../11.44/.1.4. 1 - 0,0,0,0 0 2", "seat 2 is out of the game"},
		{"quits/four", "...3./...33/...../11.44/.1.4. 2 - 0,0,0,0 0 2", "does not go with"},
		{"quits/four", "...3./...33/...../11.44/.1.4. 1 - 0,0,0,0 0 2,2", "want different seats"},
		{"quits/four", "...3./...33/...../11.44/.1.4. 1 - 0,0,0,0 0 5", "want different seats"},
		{"quits/four", "...../...../...../11.../.1... 1 - 0,0,0,0 0 2,3,4", "does not go with"},
		{"quits/four", "...../...../...../11.44/.1.4. =1,4,3,1:time - 0,0,0,0 0 2,3", "does not go with"},
	}
	for _, tt := range tests {
		s, err := parse(t, tt.id, "diagonal", tt.position)
		if err == nil || s != nil || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%s %q: error %v, want one with %q", tt.id, tt.position, err, tt.reason)
		}
	}
}

// TestParseTakesEveryEnd reads a position for every end of a game, and prints it again.
func TestParseTakesEveryEnd(t *testing.T) {
	for _, tt := range []struct{ id, position string }{
		{"quits/duel", "..2../..222/....2/11.../..... =1,2:out a5>e5 3,0 0"},
		{"quits/duel", "21112/...../...../...../.222. =1,1:blocked - 2,0 2"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. =1,2:time - 0,0 0"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. =2,1:forfeit - 0,0 0"},
		{"quits/duel", "..22./...22/1...2/11.../.11.. =1,1:agreement - 0,0 0"},
		{"quits/short", "...22/...2./..1../1..../.1... =1,1:length e1>e5 0,0 0"},
		{"quits/four", ".2.33/2.2../.1..4/.1.4./.14.. =2,2,1,2:out e1>a1 0,0,1,0 0 -"},
		{"quits/four", "13..2/3...1/...../....2/23..1 =1,1,1,4:blocked - 0,0,0,0 3 4"},
		{"quits/four", "...3./...33/...../.11../.1... =1,4,1,3:repetition a2>e2 0,0,0,0 0 2,4"},
		{"quits/four", ".2.../22.../...../...../..... =3,1,4,2:resignation - 0,0,0,0 0 3,1,4"},
	} {
		s, err := parse(t, tt.id, "diagonal", tt.position)
		if err != nil || s.Position() != tt.position || !s.Pending().Over() {
			t.Errorf("%s %q: error %v", tt.id, tt.position, err)
		}
	}
}

// TestViewShowsMarblesAndPlayers looks at a game for four that a seat has left.
func TestViewShowsMarblesAndPlayers(t *testing.T) {
	s, err := parse(t, "quits/four", "diagonal", "...3./...33/...../11.44/1.4.. 3 e1>a1 0,0,0,0 0 2")
	if err != nil {
		t.Fatal(err)
	}
	view := s.View(engine.ViewerOf(1)).(quits.View)
	want := []quits.Player{
		{Seat: 1, Goal: "e5"}, {Seat: 2, Goal: "e1", Gone: 1}, {Seat: 3, Goal: "a1"}, {Seat: 4, Goal: "a5"},
	}
	if !slices.Equal(view.Players, want) {
		t.Errorf("players are %v, want %v", view.Players, want)
	}
	if view.Forbidden != "e1>a1" || view.Needed != 1 || view.Passes != 0 || view.Size != 5 {
		t.Errorf("got %+v", view)
	}
	if row := view.Rows[4]; row[0] != (quits.Tile{Square: "a1", Owner: 1}) || row[1] != (quits.Tile{Square: "b1"}) {
		t.Errorf("rank 1 is %v", row)
	}
}
