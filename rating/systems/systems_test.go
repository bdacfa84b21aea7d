package systems

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quatuor/rating/ledger"
)

var (
	families = []string{"quixo", "quits", "quiwin"}
	classes  = []string{"blitz", "rapid"}
)

func parse(t *testing.T, text string) *Config {
	t.Helper()
	c, err := Parse([]byte(text), families, classes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheFirstEntryThatFitsCounts(t *testing.T) {
	c := parse(t, `{"lists": [
		{"list": "quiwin-*", "system": "glicko2", "set": {"tau": 0.3}},
		{"list": "quits-blitz", "system": "plackett-luce"},
		{"list": "*-rapid", "system": "elo-fide", "period": "quarter", "set": {"start": 1500}, "provisional": 0},
		{"list": "quixo-*", "system": "elo-club", "set": {"k": 16}, "pair_limit": {"games": 3},
		 "bands": [{"from": 1700, "title": "A"}, {"from": 2000, "title": "Expert"}]}]}`)
	for _, tt := range []struct {
		list, want string
		duels      bool
	}{
		{"quiwin-rapid", "glicko2 tau=0.3", true},
		{"quits-blitz", "plackett-luce", false},
		{"quits-rapid", "elo-fide start=1500 by quarter", true},
		{"quixo-blitz", "elo-club k=16; at most 3 games a month between two players", false},
		{"quivive-blitz", "elo-club", false},
	} {
		if r := c.Rules(tt.list); r.Text != tt.want || r.Duels != tt.duels || !strings.HasPrefix(tt.want, r.System.Name()) {
			t.Errorf("%s is rated by %q (%s, duels %v), not %q", tt.list, r.Text, r.System.Name(), r.Duels, tt.want)
		}
	}
	shown := c.Shown("quixo-blitz")
	for value, want := range map[float64]string{1699.9: "", 1700: "A", 1999: "A", 2000: "Expert", 2500: "Expert"} {
		if got := shown.Band(value); got != want {
			t.Errorf("%v is %q, not %q", value, got, want)
		}
	}
	if c.Shown("quits-rapid").Provisional != 0 || c.Shown("quits-blitz").Provisional != ledger.Provisional {
		t.Error("provisional ratings are not as configured")
	}
	again, err := Stored(c.Text())
	if err != nil || again.Text() != c.Text() || again.Rules("quixo-blitz").Text != c.Rules("quixo-blitz").Text {
		t.Errorf("stored as %q, %v", c.Text(), err)
	}
	if strings.Contains(c.Text(), "Expert") {
		t.Error("what is only shown is among the rules")
	}
}

func TestErrorsExplainWhatWouldBeRight(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{``, "the file is empty"},
		{`{`, "EOF"},
		{`{}`, `must have 1 to 500 entries`},
		{`{"lists": []}`, `must have 1 to 500 entries`},
		{`{"list": []}`, `there is no member "list"; the file has "lists"`},
		{`{"lists": [{"list": "*", "system": "elo"}]}`, `the system "elo" is unknown; there are elo-club, elo-pairwise`},
		{`{"lists": [{"list": "*", "system": "elo-club", "K": {}}]}`, `there is no member "K"`},
		{`{"lists": [{"list": "*", "system": "elo-club", "set": {"tau": 1}}]}`, `"set": elo-club has no figure "tau"; it has cap, floor, k, start`},
		{`{"lists": [{"list": "*", "system": "elo-club", "set": {"k": -1}}]}`, `it is a number from 0.1 to 10000`},
		{`{"lists": [{"list": "*", "system": "glicko2", "set": {"tau": 0}}]}`, `"tau" of glicko2 cannot be 0; it is a number from 0.01 to 10`},
		{`{"lists": [{"list": "*", "system": "elo-club", "set": {"k": 1e999}}]}`, `number 1e999`},
		{`{"lists": [{"list": "*", "system": "elo-club", "set": {"k": "20"}}]}`, `"lists.set" is a string`},
		{`{"lists": [{"list": "chess-*", "system": "elo-club"}]}`, `"chess-*" fits no list; write "*", or one of quixo, quits, quiwin`},
		{`{"lists": [{"list": "*", "system": "elo-club"}, {"list": "quixo-blitz", "system": "glicko2"}]}`, `entry 1 fits all of its lists`},
		{`{"lists": [{"list": "*", "system": "elo-club", "system": "glicko2"}]}`, `"system" is twice in entry 1 of "lists"`},
		{`{"lists": [{"list": "*", "system": "glicko2", "period": "month"}]}`, `"period" is for elo-fide and glicko2-period`},
		{`{"lists": [{"list": "*", "system": "elo-fide", "period": "week"}]}`, `it is month, quarter or year`},
		{`{"lists": [{"list": "*", "system": "elo-club", "pair_limit": {"games": 0}}]}`, `leave "pair_limit" out for no limit`},
		{`{"lists": [{"list": "*", "system": "elo-club", "bands": [{"from": 1, "title": " "}]}]}`, `a band needs a title`},
		{`{"lists": [{"list": "*", "system": "elo-club", "bands": [{"from": 1, "title": "a"}, {"from": 1, "title": "b"}]}]}`, `two bands begin at 1`},
		{`{"lists": [{"list": "*", "system": "elo-club", "active_days": 0}]}`, `"active_days" must be 1`},
		{`{"lists": [{"list": "*", "system": "elo-club"}]} {}`, `more text after the end`},
		{strings.Repeat(" ", maxFile+1), "longer than"},
	} {
		_, err := Parse([]byte(tt.text), families, classes)
		if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.80s: %v, not %q", tt.text, err, tt.want)
		}
	}
}

// memory is a store with lists that have ratings.
type memory struct {
	text  string
	lists []string
}

func (m *memory) Regulation(context.Context) (string, []string, error) { return m.text, m.lists, nil }

func (m *memory) Adopt(_ context.Context, from, to string) error {
	if m.text != from {
		return ledger.ErrRegulation
	}
	m.text = to
	return nil
}

func TestAListWithRatingsKeepsItsSystem(t *testing.T) {
	ctx := t.Context()
	m := &memory{lists: []string{"quixo-blitz"}}
	other := parse(t, `{"lists": [{"list": "quixo-*", "system": "glicko2"}]}`)
	err := Adopt(ctx, m, other, nil)
	if !errors.Is(err, ledger.ErrRegulation) || m.text != "" ||
		!strings.Contains(err.Error(), "quixo-blitz are by elo-club, and the configuration says glicko2") {
		t.Errorf("a list was given to another system: %v, %q", err, m.text)
	}
	elsewhere := parse(t, `{"lists": [{"list": "quits-*", "system": "plackett-luce"}]}`)
	if err := Adopt(ctx, m, elsewhere, nil); err != nil || m.text != elsewhere.Text() {
		t.Errorf("a list without ratings cannot be configured: %v", err)
	}
	m.lists = append(m.lists, "quits-blitz")
	if err := Adopt(ctx, m, &Config{}, nil); !errors.Is(err, ledger.ErrRegulation) {
		t.Errorf("without its file: %v", err)
	}
	same := parse(t, `{"lists": [{"list": "quits-*", "system": "plackett-luce", "bands": [{"from": 1, "title": "x"}]}]}`)
	if err := Adopt(ctx, m, same, nil); err != nil || m.text != elsewhere.Text() {
		t.Errorf("bands are no rules: %v", err)
	}
}

func TestRunningInstancesKeepTheConfiguration(t *testing.T) {
	ctx, m := t.Context(), &memory{}
	one := parse(t, `{"lists": [{"list": "quits-*", "system": "plackett-luce"}]}`)
	two := parse(t, `{"lists": [{"list": "quits-*", "system": "elo-pairwise"}, {"list": "*", "system": "glicko2"}]}`)
	serve := func(others bool) Served { return func(context.Context) (bool, error) { return others, nil } }
	if err := Adopt(ctx, m, one, serve(false)); err != nil {
		t.Fatal(err)
	}
	if err := Adopt(ctx, m, two, serve(true)); !errors.Is(err, ledger.ErrRegulation) || m.text != one.Text() ||
		!strings.Contains(err.Error(), "give all the same ratings.json") {
		t.Errorf("beside others: %v", err)
	}
	if err := Adopt(ctx, m, one, serve(true)); err != nil {
		t.Errorf("the same one: %v", err)
	}
	faster := func(context.Context) (bool, error) { // another caller comes with the same at the same time
		m.text = two.Text()
		return false, nil
	}
	if err := Adopt(ctx, m, two, faster); err != nil || m.text != two.Text() {
		t.Errorf("the same one at the same time: %v", err)
	}
	slower := func(context.Context) (bool, error) {
		m.text = two.Text() + " "
		return false, nil
	}
	if err := Adopt(ctx, m, one, slower); !errors.Is(err, ledger.ErrRegulation) {
		t.Errorf("another one at the same time: %v", err)
	}
}
