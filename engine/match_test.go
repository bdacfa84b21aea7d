package engine_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/quits"
	"quatuor/engine/quiwin"
	"quatuor/engine/quixo"
)

// start begins a game of a variant.
func start(t *testing.T, id string, options map[string]string) *engine.Match {
	t.Helper()
	for _, rules := range append(quixo.Variants(), quits.Variants()...) {
		if rules.Info().ID != id {
			continue
		}
		setup, err := engine.NewSetup(rules.Info(), 0, "", options)
		if err != nil {
			t.Fatal(err)
		}
		m, err := engine.NewMatch(rules, setup)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	t.Fatalf("no variant %s", id)
	return nil
}

// play goes on with the tokens of a record.
func play(t *testing.T, m *engine.Match, tokens string) *engine.Match {
	t.Helper()
	for _, token := range strings.Fields(tokens) {
		next, err := m.AfterToken(token)
		if err != nil {
			t.Fatalf("%s: %v", token, err)
		}
		m = next
	}
	return m
}

// opening puts cubes that can be pushed where they are, so that nothing changes from then on: a4-a5 for seat 1 and
// e4-e5 for seat 2. The position after it occurs for the first time.
const opening = "a1-a5 e1-e5 a2-a5 e2-e5 "

// TestMatchEndsByItsRegulations plays games of moves that change nothing.
func TestMatchEndsByItsRegulations(t *testing.T) {
	const still = "a4-a5 e4-e5 "
	tests := []struct {
		name    string
		options map[string]string
		moves   string
		want    string // the outcome, or "" if the game goes on
	}{
		{"twice is not enough", nil, opening + still + "a4-a5", ""},
		{"the third time is a draw", nil, opening + still + still, "=1,1:repetition"},
		{"two times, as chosen", map[string]string{"repetition": "2"}, opening + still, "=1,1:repetition"},
		{"four times, as chosen", map[string]string{"repetition": "4"}, opening + still + still, ""},
		{"off", map[string]string{"repetition": "0"}, opening + strings.Repeat(still, 100), ""},
		{"once, as chosen", map[string]string{"repetition": "1"}, "a1-a5", "=1,1:repetition"},
		{"length", map[string]string{"max_plies": "3"}, "a1-a5 e1-e5 a2-a5", "=1,1:length"},
		{"not yet the length", map[string]string{"max_plies": "3"}, "a1-a5 e1-e5", ""},
		{"400 plies", map[string]string{"repetition": "0"}, opening + strings.Repeat(still, 198), "=1,1:length"},
		{"length off", map[string]string{"repetition": "0", "max_plies": "0"}, opening + strings.Repeat(still, 300), ""},
		{"repetition goes before length", map[string]string{"max_plies": "8"}, opening + still + still, "=1,1:repetition"},
		{
			"the game's own end goes before both",
			map[string]string{"max_plies": "9", "repetition": "1000"},
			"a1-a5 a2-a1 b1-b5 a3-a1 c1-c5 a4-a1 d1-d5 e2-a2 e1-e5", "=1,2:line",
		},
		{"agreement", nil, "a1-a5 !agreement", "=1,1:agreement"},
		{"leaving", nil, "a1-a5 1:!time", "=2,1:time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := play(t, start(t, "quixo/duel", tt.options), tt.moves)
			got := ""
			if o := m.Pending().Outcome; o != nil {
				got = o.String()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q after %d plies", got, tt.want, m.Plies())
			}
		})
	}
}

// TestTheStartIsAnOccurrence: marbles that step aside and back lead to the first position of all.
func TestTheStartIsAnOccurrence(t *testing.T) {
	m := play(t, start(t, "quits/short", map[string]string{"repetition": "2"}), aside[:len(aside)-len("c5-d4")])
	if m.Pending().Over() {
		t.Fatalf("over too early: %s", m.Pending().Outcome)
	}
	if m = play(t, m, "c5-d4"); m.Pending().Outcome == nil || m.Pending().Outcome.String() != "=1,1:repetition" {
		t.Errorf("the game stands at %v", m.Pending())
	}
}

// aside leads back to where it began, in quits/short and, between seats 1 and 3, in quits/four.
const aside = "b2-a3 d4-c5 a3-b2 c5-d4"

// TestLeavingCountsAsAnOccurrence: in a game for four a leaving leads to a position that is counted, but only a ply is
// tested for repetition.
func TestLeavingCountsAsAnOccurrence(t *testing.T) {
	m := play(t, start(t, "quits/four", map[string]string{"repetition": "1"}), "2:!time 3:!forfeit")
	if m.Pending().Over() {
		t.Fatalf("over after leavings: %s", m.Pending().Outcome)
	}
	if m = play(t, m, "a2-b3"); m.Pending().Outcome == nil || m.Pending().Outcome.String() != "=1,4,3,1:repetition" {
		t.Errorf("after a ply the game stands at %v", m.Pending())
	}
	m = play(t, start(t, "quits/four", map[string]string{"repetition": "2"}), "2:!time 4:!forfeit "+aside)
	if m.Pending().Outcome == nil || m.Pending().Outcome.String() != "=1,4,1,3:repetition" {
		t.Errorf("back at the position after the second leaving the game stands at %v", m.Pending())
	}
}

// TestAfterTheEndNothingElseMatters: whatever comes then is refused for that reason alone.
func TestAfterTheEndNothingElseMatters(t *testing.T) {
	m := play(t, start(t, "quixo/duel", nil), "c1-c5 2:!resignation")
	for _, token := range []string{
		"c3-c5", "1:c1-c5", "9:c1-c5", "nonsense", "", "!agreement", "1:!time", "!time",
		"!nonsense",
	} {
		if next, err := m.AfterToken(token); next != nil || !errors.Is(err, engine.ErrOver) {
			t.Errorf("%q: error %v", token, err)
		}
	}
}

// TestAgreement is refused where the regulations or the number of sides forbid it.
func TestAgreement(t *testing.T) {
	agreed := engine.Event{Kind: engine.Agreed}
	if _, err := start(t, "quixo/duel", map[string]string{"draws": "forbidden"}).
		After(agreed); !errors.Is(err, engine.ErrIllegal) {
		t.Errorf("with draws forbidden: error %v", err)
	}
	if _, err := start(t, "quits/four", nil).After(agreed); !errors.Is(err, engine.ErrIllegal) {
		t.Errorf("with four sides: error %v", err)
	}
	over := play(t, start(t, "quixo/teams", nil), "!agreement")
	if _, err := over.After(agreed); !errors.Is(err, engine.ErrOver) {
		t.Errorf("after the end: error %v", err)
	}
	if got := over.Pending().Outcome.String(); got != "=1,1,1,1:agreement" {
		t.Errorf("outcome %s", got)
	}
}

// TestLeavingNeedsASeatAndAReason: leavings that no record can hold are refused.
func TestLeavingNeedsASeatAndAReason(t *testing.T) {
	m := start(t, "quixo/duel", nil)
	for _, e := range []engine.Event{
		{Kind: engine.Left, Seat: 0, Text: "time"},
		{Kind: engine.Left, Seat: 3, Text: "time"},
		{Kind: engine.Left, Seat: 1, Text: "line"},
	} {
		if _, err := m.After(e); !errors.Is(err, engine.ErrNotation) {
			t.Errorf("%v: error %v", e, err)
		}
	}
}

// TestGamesThatCannotStart: a game of chance without a seed is refused before its log is looked at.
func TestGamesThatCannotStart(t *testing.T) {
	rules := quiwin.Variants()[0]
	if m, err := engine.NewMatch(rules, engine.Setup{Seats: 2}); m != nil || !errors.Is(err, engine.ErrSetup) {
		t.Errorf("match %v, error %v", m, err)
	}
	if m, err := engine.Replay(rules, engine.Setup{Seats: 2}, []engine.Event{{}}); m != nil ||
		!errors.Is(err, engine.ErrSetup) {
		t.Errorf("match %v, error %v", m, err)
	}
}

// TestTurnsAndPlies: a turn begins when a seat is newly awaited; moves alone are plies.
func TestTurnsAndPlies(t *testing.T) {
	m := start(t, "quits/four", nil)
	steps := []struct {
		token       string
		turn, plies int
	}{
		{"a2-b3", 2, 1},
		{"4:!time", 2, 1}, // seat 2 goes on waiting
		{"2:!time", 3, 1}, // seat 3 is on turn now
		{"e4-d3", 4, 2},
	}
	for _, step := range steps {
		m = play(t, m, step.token)
		if m.Turn() != step.turn || m.Plies() != step.plies {
			t.Errorf("after %s turn %d and %d plies, want %d and %d", step.token, m.Turn(), m.Plies(), step.turn, step.plies)
		}
	}
	want := []engine.Event{
		{Kind: engine.Moved, Seat: 1, Text: "a2-b3"},
		{Kind: engine.Left, Seat: 4, Text: "time"},
		{Kind: engine.Left, Seat: 2, Text: "time"},
		{Kind: engine.Moved, Seat: 3, Text: "e4-d3"},
	}
	if got := m.Events(); !reflect.DeepEqual(got, want) || m.Len() != len(want) {
		t.Errorf("log %v of length %d, want %v", got, m.Len(), want)
	}
}

// TestMatchesShareTheirPast: two moves from a match make two matches, and leave it as it was.
func TestMatchesShareTheirPast(t *testing.T) {
	before := play(t, start(t, "quixo/duel", nil), opening)
	one, other := play(t, before, "a4-a5"), play(t, before, "b1-b5")
	if one.Len() != 5 || other.Len() != 5 || before.Len() != 4 || before.Events()[3].Text != "e2-e5" {
		t.Errorf("lengths %d, %d, %d", one.Len(), other.Len(), before.Len())
	}
	if a, b := one.Events()[4].Text, other.Events()[4].Text; a != "a4-a5" || b != "b1-b5" {
		t.Errorf("last events %s, %s", a, b)
	}
}

// TestReplayStopsAtTheFirstRefusal and returns the match reached so far.
func TestReplayStopsAtTheFirstRefusal(t *testing.T) {
	good := play(t, start(t, "quixo/duel", nil), opening)
	log := append(good.Events(), engine.Event{Kind: engine.Moved, Seat: 1, Text: "c3-c5"})
	m, err := engine.Replay(good.Rules(), good.Setup(), log)
	if !errors.Is(err, engine.ErrIllegal) || m == nil || m.Plies() != 4 {
		t.Errorf("error %v, match %v", err, m)
	}
}

// TestProjectionShowsTheOwnMovesOnly looks at a match as a spectator, as the seat on turn and as another.
func TestProjectionShowsTheOwnMovesOnly(t *testing.T) {
	m := play(t, start(t, "quixo/duel", nil), "c1-c5")
	for _, tt := range []struct {
		viewer engine.Viewer
		seats  int
	}{{engine.Viewer{}, 0}, {engine.ViewerOf(1), 0}, {engine.ViewerOf(2), 1}, {engine.ViewerOf(1, 2), 1}} {
		p := m.Project(tt.viewer)
		if len(p.Legal) != tt.seats || tt.seats == 1 && len(p.Legal[2]) != 41 {
			t.Errorf("viewer %v sees the moves of %d seats", tt.viewer, len(p.Legal))
		}
		if p.Position != "..x../...../...../...../..... 2" || p.Turn != 2 || p.Plies != 1 || p.Commitment != "" ||
			p.Seed != nil {
			t.Errorf("viewer %v sees %+v", tt.viewer, p)
		}
	}
}
