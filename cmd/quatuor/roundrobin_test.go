package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRoundRobinPrintsTables(t *testing.T) {
	tests := []struct {
		args string
		want string
	}{
		{"roundrobin 4", "1 1 1 4,1 2 2 3,2 1 4 3,2 2 1 2,3 1 2 4,3 2 3 1"},
		{"roundrobin 3", "1 1 2 3,1 0 1 0,2 1 1 2,2 0 3 0,3 1 3 1,3 0 2 0"},
		{"roundrobin 4 --double", "1 1 1 4,1 2 2 3,2 1 2 4,2 2 3 1,3 1 4 3,3 2 1 2,4 1 4 1,4 2 3 2,5 1 3 4,5 2 2 1,6 1 4 2,6 2 1 3"},
		{"roundrobin --double 2", "1 1 1 2,2 1 2 1"},
	}
	for _, test := range tests {
		var out, errs bytes.Buffer
		if status := run(strings.Fields(test.args), nil, &out, &errs); status != exitOK {
			t.Fatalf("%s: status %d, %s", test.args, status, errs.String())
		}
		want := "round\tboard\twhite\tblack\n" + strings.NewReplacer(" ", "\t", ",", "\n").Replace(test.want) + "\n"
		if out.String() != want {
			t.Errorf("%s printed\n%s\nwant\n%s", test.args, out.String(), want)
		}
	}
}

func TestRoundRobinRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"roundrobin 1":    "a round-robin needs at least 2 players, not 1",
		"roundrobin":      "expected \"<n>\"",
		"roundrobin many": "many",
	} {
		var out, errs bytes.Buffer
		if status := run(strings.Fields(args), nil, &out, &errs); status != exitUsage ||
			!strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d, %q; want %d and %q", args, status, errs.String(), exitUsage, want)
		}
	}
}
