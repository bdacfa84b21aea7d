package director

import (
	"maps"
	"slices"
	"testing"

	"quatuor/tournament"
)

// Every format of the table has a pairing system.
func TestEveryFormatIsPaired(t *testing.T) {
	want := slices.Sorted(slices.Values(tournament.FormatsWith(nil)))
	if got := slices.Sorted(maps.Keys(Systems)); !slices.Equal(got, want) {
		t.Errorf("pairing systems for %v, want %v", got, want)
	}
}
