package tables_test

import (
	"strings"
	"testing"

	"quatuor/tournament/pairing/tables"
)

func TestAdvice(t *testing.T) {
	for _, test := range []struct {
		entries, rounds int
		second          bool
		want            string
	}{
		{24, 4, false, ""},
		{24, 5, false, "meets 15 others, more than half of the field"},
		{24, 5, false, "Choose meetings: second, so that scores count first, or at most 4 rounds"},
		{24, 7, true, ""},
		{12, 5, false, "so that scores count first, or at most 2 rounds"},
		{11, 4, false, "with the tail. Choose meetings: second, so that scores count first"},
		{5, 2, false, "with the tail. Choose meetings: second, so that scores count first"},
		{5, 1, false, ""},
	} {
		rules := tables.Rules{Sizes: []int{3, 4, 5}, Preferred: 4, MeetingsSecond: test.second}
		got := rules.Advice(test.entries, test.rounds).String()
		if test.want == "" && got != "" || !strings.Contains(got, test.want) || strings.Contains(got, " 1 rounds") {
			t.Errorf("%d entries, %d rounds: %q, want %q", test.entries, test.rounds, got, test.want)
		}
	}
}
