package systems

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/rating"
)

// TestZeroIsAValueOrRefused: what a figure is set to is never taken for the system's own, in any system and for any
// figure.
func TestZeroIsAValueOrRefused(t *testing.T) {
	obeyed := map[string]bool{"start": true, "floor": true, "mu": true, "plackett-luce tau": true}
	for _, system := range append([]string{"elo", "elo-many"}, Names...) {
		for key, f := range new(Figures).of(system) {
			got, err := ReadFigures(system, map[string]float64{key: 0})
			if obeyed[key] || obeyed[system+" "+key] {
				if value, set := got.of(system)[key].at.Value(); err != nil || !set || value != 0 {
					t.Errorf("%s, %s=0: %v (%v), %v", system, key, value, set, err)
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(),
				fmt.Sprintf("%q of %s cannot be 0; it is a number from ", key, system)) {
				t.Errorf("%s, %s=0: %v; a value above %v is needed", system, key, err, f.low)
			}
		}
	}
	for _, system := range Names {
		key := "start"
		rules, err := rules(system, map[string]float64{key: 0}, rating.Month)
		if start := rules.System.Start(); err != nil || start.Value != 0 || start.Unrated {
			t.Errorf("%s with start=0 begins with %+v, %v", system, start, err)
		}
	}
	if _, err := ReadFigures("plackett-luce", map[string]float64{"mu": 25, "start": 30}); err == nil ||
		!strings.Contains(err.Error(), "same figure") {
		t.Errorf("mu and start of plackett-luce: %v", err)
	}
}
