package tables_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"quatuor/tournament/pairing/tables"
)

// lines returns the lines of a file in testdata.
func lines(t testing.TB, name string) [][]byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

// TestKnownAnswers compares rounds of up to 20 entries with what two other programs drew: of those above 16, which take
// longest, every eighth, and all with QUATUOR_LONG=1.
func TestKnownAnswers(t *testing.T) {
	answers := lines(t, "expected.jsonl")
	for k, line := range lines(t, "cases.jsonl") {
		if testing.Short() && k%32 != 0 {
			continue
		}
		c, err := tables.ReadCase(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if len(c.Entries) > 16 && k%8 != 0 && os.Getenv("QUATUOR_LONG") == "" {
			continue
		}
		text, err := c.Answer(false)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		var got, want map[string]any
		for text, into := range map[string]*map[string]any{string(text): &got, string(answers[k]): &want} {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		if got["error"] != nil && want["error"] != nil {
			continue // the words are free
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", c.ID, text, answers[k])
		}
	}
}

// baseline is a line of large.base.jsonl: what simpler programs reach, and where known the optimum up to a criterion.
type baseline struct {
	Local   map[string]any `json:"local"`
	Optimal map[string]any `json:"optimal"`
}

// TestLargeFields holds rounds above the exact limit to baselines: never worse than a simple local search, and equal
// to the optimum in what is known of it.
func TestLargeFields(t *testing.T) {
	bases := lines(t, "large.base.jsonl")
	for k, line := range lines(t, "large.jsonl") {
		c, err := tables.ReadCase(line)
		if err != nil {
			t.Fatal(err)
		}
		if testing.Short() && len(c.Entries) > 30 {
			continue
		}
		round, err := tables.Draw(c.Field)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		checkRound(t, c.Field, round)
		var base baseline
		if err := json.Unmarshal(bases[k], &base); err != nil {
			t.Fatal(err)
		}
		cost := plain(t, round.Cost)
		if compareCosts(c.MeetingsSecond, cost, base.Local) > 0 {
			t.Errorf("%s: %v is worse than %v", c.ID, cost, base.Local)
		}
		if base.Optimal != nil && compareCosts(c.MeetingsSecond, cost, base.Optimal) != 0 {
			t.Errorf("%s: %v is not the optimum %v", c.ID, cost, base.Optimal)
		}
	}
}

// plain returns a cost as JSON has it.
func plain(t *testing.T, c tables.Cost) map[string]any {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// compareCosts compares two costs in the criteria that both have.
func compareCosts(second bool, a, b map[string]any) int {
	order := "PMKOLGWFDE"
	if second {
		order = "PKOLGMWFDE"
	}
	for _, r := range order {
		x, y := numbersOf(a[string(r)]), numbersOf(b[string(r)])
		for k := range min(len(x), len(y)) {
			if x[k] != y[k] {
				if x[k] < y[k] {
					return -1
				}
				return 1
			}
		}
	}
	return 0
}

func numbersOf(v any) []float64 {
	switch v := v.(type) {
	case float64:
		return []float64{v}
	case []any:
		var out []float64
		for _, x := range v {
			out = append(out, x.(float64))
		}
		return out
	}
	return nil
}

// checkRound checks that every entry is seated once or has a bye, at tables of allowed sizes, without a forbidden pair.
func checkRound(t interface {
	Helper()
	Fatalf(string, ...any)
}, f tables.Field, r tables.Round,
) {
	t.Helper()
	seen := map[int]int{}
	for _, n := range r.Byes {
		seen[n]++
	}
	for _, table := range r.Tables {
		allowed := false
		for _, s := range f.Sizes {
			allowed = allowed || s == len(table)
		}
		if !allowed {
			t.Fatalf("a table of %d, allowed are %v", len(table), f.Sizes)
		}
		at := map[int]bool{}
		for _, n := range table {
			seen[n]++
			at[n] = true
		}
		for _, pair := range f.Forbidden {
			if at[pair[0]] && at[pair[1]] {
				t.Fatalf("%v are at one table", pair)
			}
		}
	}
	for _, e := range f.Entries {
		if seen[e.Number] != 1 {
			t.Fatalf("entry %d is seated %d times", e.Number, seen[e.Number])
		}
	}
	if len(seen) != len(f.Entries) {
		t.Fatalf("%d are seated, %d are present", len(seen), len(f.Entries))
	}
}
