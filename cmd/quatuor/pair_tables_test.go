package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestPairTables(t *testing.T) {
	five := `{"id":"five","sizes":[4],"entries":[{"n":1,"points":30},{"n":2,"points":20},{"n":3,"points":10},{"n":4,"points":0},{"n":5,"points":0}],` +
		`"rounds":[{"tables":[[1,2,3,4]],"byes":[5]}]}`
	in := five + "\n\n" + `{"id":"two","entries":[{"n":1},{"n":2}]}` + "\n" + `{"id":"bad","sizes":[7]}` + "\n" + five
	var out, errs bytes.Buffer
	status := run([]string{"pair", "--tables"}, strings.NewReader(in), &out, &errs)
	if status != exitFailure || !strings.Contains(errs.String(), "line 4: sizes must be some of 3, 4, 5") {
		t.Errorf("status %d, %q", status, errs.String())
	}
	answer := `{"id":"five","byes":[4],"tables":[[5,3,2,1]],"cost":{"P":[],"M":[3],"K":0,"O":0,"L":0,"G":2000,"W":0,"F":13,"D":0,"E":0},"certificate":"optimal"}`
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(got) != 3 || got[0] != answer || got[2] != answer ||
		!strings.HasPrefix(got[1], `{"id":"two","error":"nobody can be seated`) {
		t.Errorf("printed\n%s\nwant first\n%s", out.String(), answer)
	}
}

func TestPairTablesExplains(t *testing.T) {
	in := `{"id":"x","entries":[{"n":1,"points":15},{"n":2},{"n":3}],"rounds":[{"tables":[[1,2,3]],"byes":[]}]}`
	var out, errs bytes.Buffer
	if status := run([]string{"pair", "--tables", "--explain"}, strings.NewReader(in), &out, &errs); status != exitOK {
		t.Fatalf("status %d, %s", status, errs.String())
	}
	if want := "Table 1: No. 3 (0), No. 1 (1.5), No. 2 (0). No. 3 and No. 1 met before, 1×."; !strings.Contains(out.String(), want) {
		t.Errorf("%s does not say %q", out.String(), want)
	}
}

func TestPairTablesRefusesFiles(t *testing.T) {
	for args, want := range map[string]string{
		"pair --tables file.trf":  "--tables reads cases from standard input",
		"pair":                    "name at least one report file",
		"pair --tables --round 2": "can't be used together",
	} {
		var out, errs bytes.Buffer
		if status := run(strings.Fields(args), strings.NewReader(""), &out, &errs); status != exitUsage ||
			!strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d, %q; want %d and %q", args, status, errs.String(), exitUsage, want)
		}
	}
}
