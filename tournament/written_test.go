package tournament

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"quatuor/engine/sentence"
)

// TestRewriteReachesOnlyWhatPeopleWrote replaces every text that a visitor is shown: codes, ids and the service's own
// words are not among them.
func TestRewriteReachesOnlyWhatPeopleWrote(t *testing.T) {
	typed := func(source Source) *Result { return &Result{Ranks: []int{1, 2}, Source: source, Reason: "typed"} }
	for name, tt := range map[string]struct {
		is interface {
			Rewrite(func(string) string) bool
		}
		changed bool
	}{
		"an arbiter's result":   {&Pairing{Result: typed(ByArbiter)}, true},
		"a game's result":       {&Pairing{Result: typed(ByServer)}, false},
		"a bye":                 {&Pairing{Bye: FullPoint, Result: typed(ByArbiter)}, false},
		"a match":               {&Pairing{Boards: []MatchBoard{{}}, Result: typed(ByArbiter)}, false},
		"a board of a match":    {&Pairing{Boards: []MatchBoard{{Result: typed(ByArbiter)}}}, true},
		"an adjourned game":     {&Pairing{Adjourned: "typed"}, true},
		"ids":                   {&Pairing{Seats: []string{"typed"}, GameID: "typed", Venue: "typed"}, false},
		"a penalty":             {&Tournament{Bonuses: []Bonus{{Entry: "id", Why: "typed"}}}, true},
		"a ban":                 {&Tournament{Forbidden: []Ban{{Why: "typed"}}}, true},
		"settings":              {&Tournament{Name: "typed", Format: "typed"}, false},
		"an act":                {&Act{By: "a", Why: "typed", Before: "typed"}, true},
		"an act of the server":  {&Act{By: ServerAccount, Why: "typed"}, false},
		"the server's sentence": {ptr(Act{By: ServerAccount}.Because(sentence.New("round %d of %s", 1, "typed"))), true},
		"a sentence without it": {ptr(Act{By: "a", After: "typed"}.Because(sentence.New("typed is round %d", 1))), false},
		"a change":              {&Change{Before: typed(ByArbiter), After: typed(ByServer)}, true},
		"a game's end":          {&Change{By: ServerAccount, Why: "typed", After: typed(ByServer)}, false},
	} {
		before, err := json.Marshal(tt.is)
		if err != nil {
			t.Fatal(err)
		}
		changed := tt.is.Rewrite(func(text string) string { return strings.ReplaceAll(text, "typed", "new") })
		after, err := json.Marshal(tt.is)
		if err != nil {
			t.Fatal(err)
		}
		if changed != tt.changed || changed == reflect.DeepEqual(before, after) {
			t.Errorf("%s: changed %t, was %s and is %s", name, changed, before, after)
		}
	}
}

func ptr[T any](v T) *T { return &v }
