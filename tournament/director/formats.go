package director

import (
	"slices"
	"strings"

	"quatuor/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/pairing/swiss"
)

// formats are the tournament systems that can be run.
var formats = map[tournament.Format]pairing.Pairer{
	tournament.RoundRobin:       roundrobin.Pairer{},
	tournament.DoubleRoundRobin: roundrobin.Pairer{Double: true},
	tournament.Swiss:            swiss.Pairer{},
	tournament.Knockout:         knockout.Pairer{},
}

// duels are the formats in which two entries meet at a time.
var duels = map[tournament.Format]bool{
	tournament.RoundRobin: true, tournament.DoubleRoundRobin: true, tournament.Swiss: true, tournament.Knockout: true,
}

// checkFormat returns an error for a format that does not exist or does not suit the variant's shape.
func checkFormat(f tournament.Format, s tournament.Shape) error {
	if _, ok := formats[f]; !ok {
		return sentence.Errorf("%q is not a format that can be played here; use %s", f, strings.Join(playable(), ", "))
	}
	if duels[f] && (s.Min > 2 || s.Max < 2) {
		return sentence.Errorf("a %s needs games between two, but this variant is for %d to %d", f, s.Min, s.Max)
	}
	return nil
}

// playable returns the names of the formats that can be run.
func playable() []string {
	var names []string
	for f := range formats {
		names = append(names, string(f))
	}
	slices.Sort(names)
	return names
}

func pairerFor(t *tournament.Tournament) (pairing.Pairer, error) {
	p, ok := formats[t.Format]
	if !ok {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "there is no pairing system for the format %q", t.Format)
	}
	return p, nil
}
