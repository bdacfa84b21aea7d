package tables_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"quatuor/tournament/pairing/tables"
	"quatuor/tournament/trf/generate"
)

// TestKnownAnswersAgree: nothing differs in cases with known answers.
func TestKnownAnswersAgree(t *testing.T) {
	read := func(name string) [][]byte {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	}
	cases, answers := read("cases.jsonl"), read("expected.jsonl")
	if len(cases) != len(answers) || len(cases) < 300 {
		t.Fatalf("%d cases and %d answers", len(cases), len(answers))
	}
	for i := range cases {
		if i%8 != 0 && os.Getenv("QUATUOR_LONG") == "" {
			continue
		}
		d, err := tables.ReadDrawn(cases[i], answers[i])
		if err != nil {
			t.Fatal(err)
		}
		if differences, note, err := d.Compare(); err != nil || len(differences) > 0 || note != "" {
			t.Errorf("%s: %+v, %q, %v", d.ID, differences, note, err)
		}
	}
}

// faults plant a fault into an answer, and return the criteria that may name it; nil where the answer has no place.
var faults = []func(d *tables.DrawnRound, random *rand.Rand) []string{
	func(d *tables.DrawnRound, random *rand.Rand) []string { // two entries change tables
		if len(d.Tables) < 2 {
			return nil
		}
		a, b := d.Tables[0], d.Tables[1+random.IntN(len(d.Tables)-1)]
		i, j := random.IntN(len(a)), random.IntN(len(b))
		a[i], b[j] = b[j], a[i]
		return []string{"P", "M", "K", "O", "L", "G", "W", "F", "D", "E", "T", "forbidden"}
	},
	func(d *tables.DrawnRound, random *rand.Rand) []string { // the seats of a table turn
		t := d.Tables[random.IntN(len(d.Tables))]
		t[0], t[1] = t[1], t[0]
		return []string{"seats"}
	},
	func(d *tables.DrawnRound, _ *rand.Rand) []string { // two tables change numbers
		if len(d.Tables) < 2 {
			return nil
		}
		d.Tables[0], d.Tables[1] = d.Tables[1], d.Tables[0]
		return []string{"numbers"}
	},
	func(d *tables.DrawnRound, random *rand.Rand) []string { // another entry has the bye
		if len(d.Byes) == 0 {
			return nil
		}
		t := d.Tables[random.IntN(len(d.Tables))]
		d.Byes[0], t[0] = t[0], d.Byes[0]
		return []string{"byes"}
	},
	func(d *tables.DrawnRound, _ *rand.Rand) []string { // an entry sits nowhere
		d.Tables[0] = d.Tables[0][1:]
		return []string{"byes"}
	},
	func(d *tables.DrawnRound, _ *rand.Rand) []string { // the cost is another
		d.Cost.G++
		return []string{"cost"}
	},
}

// TestPlantedFaultsOfTables: every fault is found, and named by what it breaks.
func TestPlantedFaultsOfTables(t *testing.T) {
	planted, most := 0, 12
	switch {
	case os.Getenv("QUATUOR_LONG") != "":
		most = 30
	case testing.Short():
		most = 5
	}
	for seed := uint64(0); planted < most; seed++ {
		lines, err := generate.Tables(generate.Settings{}, seed)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(seed, 1))
		d, err := tables.ReadDrawn(lines[len(lines)-1], nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.Error != "" {
			continue
		}
		kind := random.IntN(len(faults))
		want := faults[kind](&d, random)
		if want == nil {
			continue
		}
		planted++
		differences, note, err := d.Compare()
		if err != nil || len(differences) != 1 || !slices.Contains(want, differences[0].Criterion) || differences[0].Text == "" {
			t.Errorf("seed %d, fault %d: %+v, %q, %v; want one of %v", seed, kind, differences, note, err, want)
		}
	}
}

// TestCaseText: a case with its answer is read as it was written.
func TestCaseText(t *testing.T) {
	lines, err := generate.Tables(generate.Settings{}, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		c, err := tables.ReadCase(line)
		if err != nil {
			t.Fatal(err)
		}
		var with struct {
			Answer json.RawMessage `json:"answer"`
		}
		if err := json.Unmarshal(line, &with); err != nil {
			t.Fatal(err)
		}
		answer, err := c.Answer(false)
		if err != nil || !bytes.Equal(answer, with.Answer) {
			t.Errorf("%s\nanswers %s, %v", line, answer, err)
		}
		if again, err := c.Text(answer); err != nil || !bytes.Equal(again, line) {
			t.Errorf("%s\nis written as %s, %v", line, again, err)
		}
	}
}
