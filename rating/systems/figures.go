package systems

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
	"quatuor/rating/plackettluce"
)

// Figures are those figures of the systems that are set.
type Figures struct {
	Elo    elo.Settings
	Glicko glicko2.Settings
	Luce   plackettluce.Settings
}

// figure is a figure of a system: the place of its value, and its bounds. 0 is a value like any other where the bounds
// admit it.
type figure struct {
	at        *rating.Figure
	low, high float64
}

// maxPoints is the greatest rating that can be set.
const maxPoints = 1_000_000

// of returns the figures that a system has, by their keys; nil for a system that is unknown.
func (f *Figures) of(system string) map[string]figure {
	switch system {
	case "elo", "elo-many", "elo-club", "elo-pairwise", "elo-fide":
		return map[string]figure{
			"k": {&f.Elo.K, 0.1, 10_000}, "cap": {&f.Elo.Cap, 1, 1e9},
			"start": {&f.Elo.Start, 0, maxPoints}, "floor": {&f.Elo.Floor, 0, maxPoints},
		}
	case "glicko2", "glicko2-period":
		return map[string]figure{"tau": {&f.Glicko.Tau, 0.01, 10}, "start": {&f.Glicko.Start, 0, maxPoints}}
	case "plackett-luce":
		mu := figure{&f.Luce.Mu, 0, maxPoints}
		return map[string]figure{
			"mu": mu, "start": mu, "sigma": {&f.Luce.Sigma, 0.001, 10_000}, "beta": {&f.Luce.Beta, 0.001, 10_000},
			"kappa": {&f.Luce.Kappa, 1e-12, 1}, "tau": {&f.Luce.Tau, 0, 1000},
		}
	}
	return nil
}

// ReadFigures returns the figures of a system that are set. A set value, including 0, counts or is refused; the error
// explains the remedy.
func ReadFigures(system string, set map[string]float64) (f Figures, err error) {
	known := f.of(system)
	taken := map[*rating.Figure]string{}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		one, ok := known[key]
		value := set[key]
		switch {
		case !ok:
			return f, fmt.Errorf("%s has no figure %q; it has %s", system, key,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case !(value >= one.low && value <= one.high):
			return f, fmt.Errorf("%q of %s cannot be %v; it is a number from %s to %s", key, system, value, plain(one.low),
				plain(one.high))
		case taken[one.at] != "":
			return f, fmt.Errorf("%q and %q of %s are the same figure; set one of them", taken[one.at], key, system)
		}
		taken[one.at], *one.at = key, rating.Set(value)
	}
	return f, nil
}

// plain returns a number without an exponent, if it is not tiny.
func plain(v float64) string {
	if v >= 1e-4 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
