package tables_test

import (
	"testing"

	"quatuor/tournament/pairing/tables"
)

// BenchmarkDraw draws a round of each case in testdata/large.jsonl, and a round of 20 entries.
func BenchmarkDraw(b *testing.B) {
	cases := lines(b, "large.jsonl")
	known := lines(b, "cases.jsonl")
	for _, line := range append(cases, known[len(known)-1]) {
		c, err := tables.ReadCase(line)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.ID, func(b *testing.B) {
			for b.Loop() {
				if _, err := tables.Draw(c.Field); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
