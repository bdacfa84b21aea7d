package tables_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament/pairing/tables"
)

// TestLaws: everyone present is seated once or has a bye, the same field has the same round, what is given in another
// order is the same field, and only the order of the numbers counts, not the numbers.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := fields(14).Draw(t, "field")
		round, err := tables.Draw(f)
		if err != nil {
			return
		}
		checkRound(t, f, round)
		if !round.Certificate.Optimal() {
			t.Fatalf("%d entries are not proved: %+v", len(f.Entries), round.Certificate)
		}
		again := f
		again.Rounds = slices.Clone(f.Rounds)
		slices.Reverse(again.Rounds)
		again.Forbidden = slices.Clone(f.Forbidden)
		slices.Reverse(again.Forbidden)
		if other, err := tables.Draw(again); err != nil || !reflect.DeepEqual(other, round) {
			t.Fatalf("drawn %+v, then %+v, %v", round, other, err)
		}
		step := rapid.IntRange(1, 9).Draw(t, "step")
		other, err := tables.Draw(renumbered(f, func(n int) int { return n*step + 5 }))
		if err != nil {
			t.Fatal(err)
		}
		if want := rename(round, func(n int) int { return n*step + 5 }); !reflect.DeepEqual(other, want) {
			t.Fatalf("with other numbers: drawn %+v, want %+v", other, want)
		}
	})
}

// renamed returns numbers under other names.
func renamed(numbers []int, name func(int) int) []int {
	out := make([]int, len(numbers))
	for k, n := range numbers {
		out[k] = name(n)
	}
	return out
}

func renumbered(f tables.Field, name func(int) int) tables.Field {
	g := f
	g.Entries = slices.Clone(f.Entries)
	g.Rounds = nil
	g.Forbidden = nil
	for i := range g.Entries {
		g.Entries[i].Number = name(g.Entries[i].Number)
	}
	for _, pair := range f.Forbidden {
		g.Forbidden = append(g.Forbidden, [2]int{name(pair[0]), name(pair[1])})
	}
	for _, past := range f.Rounds {
		other := tables.Past{Byes: renamed(past.Byes, name)}
		for _, t := range past.Tables {
			other.Tables = append(other.Tables, renamed(t, name))
		}
		g.Rounds = append(g.Rounds, other)
	}
	return g
}

func rename(r tables.Round, name func(int) int) tables.Round {
	out := r
	out.Byes, out.Tables = renamed(r.Byes, name), nil
	for _, t := range r.Tables {
		out.Tables = append(out.Tables, renamed(t, name))
	}
	return out
}

// FuzzReadCase: whatever is read as a case can be drawn or is refused with an error, and the answer is a single line.
func FuzzReadCase(f *testing.F) {
	f.Add([]byte(`{"id":"a","entries":[{"n":1,"points":5},{"n":2,"points":0},{"n":3,"points":0,"club":"A"}],"rounds":[{"tables":[[1,2,3]],"byes":[]}]}`))
	f.Add([]byte(`{"id":"b","sizes":[4],"partners":"rotate","forbidden":[[1,2]],"entries":[{"n":1},{"n":2},{"n":3},{"n":4},{"n":7}]}`))
	f.Add([]byte(`{"id":"c","sizes":[9],"preferred":3,"meetings":"never"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := tables.ReadCase(line)
		if err != nil || len(c.Entries) > 12 || len(c.Rounds) > 20 {
			return
		}
		answer, err := c.Answer(true)
		if err == nil && bytes.ContainsRune(answer, '\n') {
			t.Errorf("%q is more than one line", answer)
		}
	})
}

func TestReadCaseRefuses(t *testing.T) {
	for line, want := range map[string]string{
		`{`:                                                     "not a case in JSON",
		`{"entries":[]}`:                                        "has no id",
		`{"id":"a"} {}`:                                         "more than one case",
		`{"id":"a","meetings":"third"}`:                         `"first" or "second", not "third"`,
		`{"id":"a","seeding":"on"}`:                             `"balanced" or "off"`,
		`{"id":"a","partners":"fixed"}`:                         `"off" or "rotate"`,
		`{"id":"a","sizes":[4,3]}`:                              "sizes must be some of 3, 4, 5 in this order",
		`{"id":"a","sizes":[6]}`:                                "sizes must be some of 3, 4, 5 in this order",
		`{"id":"a","sizes":[3,5]}`:                              "the preferred size 4 must be one of the sizes [3 5]",
		`{"id":"a","forbidden":[[1]]}`:                          "a pair is two numbers",
		`{"id":"a","forbidden":[[1,1]]}`:                        "forbidden to meet itself",
		`{"id":"a","entries":[{"n":0}]}`:                        "numbers must be 1 or more",
		`{"id":"a","entries":[{"n":2},{"n":1}]}`:                "ascending",
		`{"id":"a","entries":[{"n":1,"points":9999999}]}`:       "more than can be counted",
		`{"id":"a","rounds":[{"tables":[[1,2,3,1]]}]}`:          "round 1: entry 1 is named twice",
		`{"id":"a","rounds":[{"tables":[[1,2,3,4,5,6]]}]}`:      "a table of 6",
		`{"id":"a","rounds":[{"tables":[[1,2,3]],"byes":[2]}]}`: "named twice",
		`{"id":"a","partners":"rotate","sizes":[3,4]}`:          "at tables of 4 only",
		`{"id":"a","partners":"rotate","sides":[[1,2],[2,3]]}`:  "two of the seats 1 to 4 each",
	} {
		_, err := tables.ReadCase([]byte(line))
		if err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
