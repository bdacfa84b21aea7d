package standings

import (
	"slices"
	"testing"

	"quatuor/tournament"
)

// TestOffersAreComplete: whatever can be chosen is described, and whatever is described can be chosen.
func TestOffersAreComplete(t *testing.T) {
	for _, f := range []tournament.Format{
		tournament.Swiss, tournament.RoundRobin, tournament.TableSwiss,
		tournament.Knockout, tournament.Keizer,
	} {
		var offered []string
		for _, o := range Offers(f) {
			offered = append(offered, o.Code)
			if o.Name == "" || o.What == "" {
				t.Errorf("%s: %s is not described", f, o.Code)
			}
			for _, m := range o.Modifiers {
				code := o.Code + "/" + m.Code
				if err := Check(f, code); err != nil {
					t.Errorf("%s: %s is offered: %v", f, code, err)
				}
				if Title(f, code) == Title(f, o.Code) {
					t.Errorf("%s: %s has no title of its own: %q", f, code, Title(f, code))
				}
			}
		}
		slices.Sort(offered)
		if known := codesOf(rulesOf(f)); !slices.Equal(offered, known) {
			t.Errorf("%s: offered are %v, known %v", f, offered, known)
		}
		for _, code := range Default(f) {
			if Title(f, code) == "" {
				t.Errorf("%s: the default %s has no title", f, code)
			}
		}
	}
}

func TestTitles(t *testing.T) {
	for _, test := range []struct {
		format     tournament.Format
		code, want string
	}{
		{tournament.Swiss, "BH", "Buchholz (C.07, 8.1)"},
		{tournament.Swiss, "BH/C1", "Buchholz, lowest value cut (C.07, 8.1, 14.1)"},
		{tournament.Swiss, "BH/M1/P", "Buchholz, median, forfeits as games (C.07, 14, 8.1, 14.3)"},
		{tournament.Swiss, "PS/C2", "Progressive scores, first two rounds cut (C.07, 7.5)"},
		{tournament.RoundRobin, "KS/L-2", "Koya, limit -2 (C.07, 14, 9.2)"},
		{tournament.TableSwiss, "WIN", "First places"},
		{tournament.RoundRobin, "BH", ""},
		{tournament.Swiss, "BH/C3", ""},
		{tournament.Swiss, "none", ""},
	} {
		if got := Title(test.format, test.code); got != test.want {
			t.Errorf("%s in a %s: %q, want %q", test.code, test.format, got, test.want)
		}
	}
}
