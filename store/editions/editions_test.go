package editions

import (
	"fmt"
	"testing"

	"quatuor/tournament"
)

// TestFewTournamentsAreKept: those used lately, and no more than there is room for.
func TestFewTournamentsAreKept(t *testing.T) {
	m := New()
	for i := range capacity + 5 {
		m.Put(&tournament.Tournament{ID: fmt.Sprint(i), Version: 1})
		if m.Get("0", Edition{Version: 1}) == nil {
			t.Fatalf("after %d others the one in use is gone", i)
		}
	}
	if m.kept.Len() != capacity || m.Get("1", Edition{Version: 1}) != nil {
		t.Errorf("%d are kept", m.kept.Len())
	}
	m.Put(&tournament.Tournament{ID: "0"})
	if m.Get("0", Edition{Version: 1}) == nil {
		t.Error("an earlier version took the place of a later one")
	}
}
