package systems

import (
	"errors"
	"strings"
	"testing"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

// TestCasualGamesAreLimitedByDefault, and the usual limits are no other rules for ratings that are stored.
func TestCasualGamesAreLimitedByDefault(t *testing.T) {
	day, month := ledger.PairLimit{Games: 3, Period: rating.Day, Casual: true}, ledger.PairLimit{
		Games: 10, Period: rating.Month, Casual: true,
	}
	c := parse(t, `{"lists": [
		{"list": "quixo-*", "system": "elo-club", "casual": {"pair_day": 5, "moves": 0}},
		{"list": "quits-*", "system": "glicko2", "casual": {"pair_day": 3, "pair_month": 10, "moves": 4}},
		{"list": "*", "system": "elo-club", "pair_limit": {"games": 2}, "casual": {"pair_day": 0, "pair_month": 0, "moves": 0}}]}`)
	for _, tt := range []struct {
		by     *Config
		list   string
		limits []ledger.PairLimit
		moves  int
		text   string
	}{
		{nil, "quixo-blitz", []ledger.PairLimit{day, month}, 4, "elo-club"},
		{c, "quits-blitz", []ledger.PairLimit{day, month}, 4, "glicko2"},
		{
			c, "quixo-blitz",
			[]ledger.PairLimit{{Games: 5, Period: rating.Day, Casual: true}, month},
			0,
			"elo-club; casual games: at most 5 a day and at most 10 a month between two players, any number of moves before " +
				"a resignation or agreement",
		},
		{
			c, "quiwin-blitz",
			[]ledger.PairLimit{{Games: 2, Period: rating.Month}},
			0,
			"elo-club; at most 2 games a month between two players; " +
				"casual games: any number a day and any number a month between two players, any number of moves before a " +
				"resignation or agreement",
		},
	} {
		r := tt.by.Rules(tt.list)
		if r.MinMoves != tt.moves || r.Text != tt.text || len(r.Limits) != len(tt.limits) {
			t.Fatalf("%s: %+v", tt.list, r)
		}
		for i, l := range tt.limits {
			if r.Limits[i] != l {
				t.Errorf("%s: limit %d is %+v, not %+v", tt.list, i+1, r.Limits[i], l)
			}
		}
	}
	for _, bad := range []string{`{"pair_day": -1}`, `{"moves": 1001}`, `{"pair_month": 1000001}`} {
		_, err := Parse([]byte(`{"lists": [{"list": "*", "system": "elo-club", "casual": `+bad+`}]}`), families, classes)
		if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), `or 0 for no limit`) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
