package record_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine/catalog"
	"quatuor/engine/record"
)

// readBack reads what was written and demands that it is the same.
func readBack(t *rapid.T, r record.Record) {
	text := string(record.Append(nil, r))
	got, err := record.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if !reflect.DeepEqual(got, r) {
		t.Fatalf("read\n%+v\nwant\n%+v\nin\n%s", got, r, text)
	}
}

// TestPlayedGamesRoundTrip writes random games of every variant, reads them back, and finds nothing wrong with them.
func TestPlayedGamesRoundTrip(t *testing.T) {
	for _, rules := range catalog.All() {
		t.Run(rules.Info().ID, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				r := playedRecord(t, rules)
				readBack(t, r)
				if report := record.Check(r); len(report.Faults) > 0 {
					t.Fatalf("faults %v in\n%s", report.Faults, record.Append(nil, r))
				}
			})
		})
	}
}

// TestAnyRecordRoundTrips does the same with records that make no sense.
func TestAnyRecordRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { readBack(t, anyRecord(t)) })
}

// FuzzReader: whatever is read is written in a form that reads as the same and is written the same.
func FuzzReader(f *testing.F) {
	for _, name := range recordNames(f) {
		f.Add(recordFile(f, name))
	}
	f.Add("[Variant \"x\"]\n[Result \"*\"]\n{ a\\}\\u{e9}b }\n1.c1-c5 { [%at 2026-11-21T18:00:04.250Z] } 2:!agreement *")
	f.Add("[Result \"1,2\"]\n[Seat1 \"?\"]\n[Nonce2 \"" + strings.Repeat("A", 64) + "\"] 1,2\n[Result \"replay\"]\nreplay")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := record.Parse(text)
		if err != nil {
			return
		}
		written := string(record.Append(nil, r))
		again, err := record.Parse(written)
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, written)
		}
		if !reflect.DeepEqual(again, r) {
			t.Fatalf("read %+v, then %+v", r, again)
		}
		if twice := string(record.Append(nil, again)); twice != written {
			t.Fatalf("written as\n%s\nand as\n%s", written, twice)
		}
		record.Verify(r)
	})
}
