package perft

import (
	"reflect"
	"testing"

	"quatuor/engine"
	"quatuor/engine/record"
)

// TestDivideOnSeveralProcessors demands the rows of [engine.Divide], whatever the number of processors.
func TestDivideOnSeveralProcessors(t *testing.T) {
	for _, variant := range []string{"quixo/duel", "quits/short", "quivive/duel"} {
		m, refused := record.Play(record.Game{Variant: variant})
		if refused != nil {
			t.Fatal(refused)
		}
		for depth := 1; depth <= 3; depth++ {
			want := engine.Divide(m.State(), depth)
			for _, threads := range []int{1, 2, 5} {
				if got := Divide(m.State(), depth, threads); !reflect.DeepEqual(got, want) {
					t.Errorf("%s to depth %d with %d threads: %v, want %v", variant, depth, threads, got, want)
				}
			}
		}
	}
}
