package standings

import (
	"errors"
	"strings"
	"testing"

	"quatuor/tournament"
)

func TestCheck(t *testing.T) {
	accepted := map[tournament.Format][]string{
		tournament.Swiss:    swissCodes,
		tournament.Knockout: {},
		tournament.RoundRobin: {
			"DE", "DE/P", "SB", "SB/C1", "SB/M2", "KS", "KS/L-2", "PS/C2", "ARO", "PTP", "STD",
			"TPN", "LOT",
		},
		tournament.DoubleRoundRobin: {"DE", "SB", "KS/L60", "WIN"},
		tournament.TableSwiss:       {"WIN", "2ND", "3RD", "BH", "BH/C1", "BH/M2", "PS", "REP", "ARO/C1", "RTNG", "LOT"},
	}
	for format, codes := range accepted {
		for _, code := range append(codes, Default(format)...) {
			if err := Check(format, code); err != nil {
				t.Errorf("%s in a %s: %v", code, format, err)
			}
		}
	}
	refused := []struct {
		format tournament.Format
		code   string
		want   string // in the message
	}{
		{tournament.RoundRobin, "BH/C1", "use SB or KS"},
		{tournament.RoundRobin, "FB", "not used in a round-robin"},
		{tournament.DoubleRoundRobin, "AOB/F", "not used in a round-robin"},
		{tournament.RoundRobin, "XX", "choose from APPO, APRO, ARO, BPG, BWG, DE"},
		{tournament.Swiss, "", "choose from AOB"},
		{tournament.Swiss, "bh", "write BH"},
		{tournament.Swiss, "BH-C1", `there is no tie-break "BH-C1" here; write BH/C1`},
		{tournament.Swiss, "BHC2", "write BH/C2"},
		{tournament.Swiss, "BH:C1", "write BH/C1"},
		{tournament.Swiss, "BH/c1", "write BH/C1"},
		{tournament.Swiss, "BH-C1-P", "write BH/C1/P"},
		{tournament.Swiss, "Buchholz", "write BH"},
		{tournament.Swiss, "Buchholz Cut 1", "write BH/C1"},
		{tournament.Swiss, "buchholz cut 2", "write BH/C2"},
		{tournament.Swiss, "Median-Buchholz 2", "choose from AOB"},
		{tournament.Swiss, "BH-M1", "write BH/M1"},
		{tournament.Swiss, "Sonneborn-Berger", "write SB"},
		{tournament.Swiss, "SB-C1", "write SB/C1"},
		{tournament.Swiss, "ARO-C1", "write ARO/C1"},
		{tournament.RoundRobin, "Direct Encounter", "write DE"},
		{tournament.RoundRobin, "BH-C1", "choose from APPO"},
		{tournament.Swiss, "2ND", "there is no tie-break"},
		{tournament.Swiss, "BH/C3", "it takes C1, C2, M1, M2, P, F"},
		{tournament.Swiss, "BH/", "write BH"},
		{tournament.Swiss, "BH/C1/M1", "each kind once"},
		{tournament.Swiss, "BH/C1/C1", "each kind once"},
		{tournament.Swiss, "BH/P/P", "each kind once"},
		{tournament.Swiss, "BH/P1", "cannot be added"},
		{tournament.Swiss, "BH/F/F", "each kind once"},
		{tournament.Swiss, "SB/F", "not a modifier of it"},
		{tournament.Swiss, "WIN/C1", "it takes none"},
		{tournament.Swiss, "KS/L", "is not a limit"},
		{tournament.Swiss, "KS/L0", "is not a limit"},
		{tournament.Swiss, "KS/L101", "is not a limit"},
		{tournament.Swiss, "KS/L60/L+1", "each kind once"},
		{tournament.Knockout, "LOT", "its matches decide"},
		{tournament.TableSwiss, "DE", "choose from 2ND, 3RD, ARO, BH"},
		{tournament.TableSwiss, "BH/P", "it takes C1, C2, M1, M2"},
	}
	for _, test := range refused {
		err := Check(test.format, test.code)
		if !errors.Is(err, tournament.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s in a %s: %v, want ErrInvalid and %q", test.code, test.format, err, test.want)
		}
	}
}

func TestRefusedFields(t *testing.T) {
	f := newField(2, 1, "WIN", "XX")
	if _, err := Rank(f); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("ranked by XX: %v", err)
	}
	if _, err := explained(f, 1, 0); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("explained with XX: %v", err)
	}
	f.TieBreaks = f.TieBreaks[:1]
	if _, err := explained(f, 3, 0); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("an entry that is not there is explained: %v", err)
	}
}
