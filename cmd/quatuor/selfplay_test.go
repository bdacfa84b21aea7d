package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestSelfplayCommand plays a short series twice, with a game and with two games at a time: both print the same, and
// the counts add up.
func TestSelfplayCommand(t *testing.T) {
	var texts [2]string
	for i, threads := range []string{"1", "2"} {
		var out, errs bytes.Buffer
		args := strings.Fields("selfplay quits/short --games 12 --nodes 300 --seed 5 --json --threads " + threads)
		if status := run(args, strings.NewReader(""), &out, &errs); status != exitOK {
			t.Fatalf("status %d: %s", status, &errs)
		}
		texts[i] = out.String()
	}
	if texts[0] != texts[1] {
		t.Errorf("one thread prints\n%stwo print\n%s", texts[0], texts[1])
	}
	lines := strings.Split(strings.TrimSpace(texts[0]), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want one for each pair of levels:\n%s", len(lines), texts[0])
	}
	for _, line := range lines {
		var r selfplayReport
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		same := r.Levels[0] == r.Levels[1]
		if !same && r.Won+r.Drawn+r.Lost != 12 || r.Games != 12 || len(r.Sides) != 2 || r.Plies[0] < 5 {
			t.Errorf("report %+v", r)
		}
		if sum := r.Sides[0].Share + r.Sides[1].Share; sum < 0.999 || sum > 1.001 {
			t.Errorf("the sides share %v points a game", sum)
		}
	}
}

// TestSelfplayTable checks the tables for people, and refusals.
func TestSelfplayTable(t *testing.T) {
	tests := []struct {
		args   string
		status int
		out    []string
		err    string
	}{
		{"selfplay quixo/teams --levels 2,1 --games 2 --nodes 50", exitOK, []string{"2 against 1  2", "1+3", "2+4", "Advantage"}, ""},
		{"selfplay quivive/melee --seats 5 --levels 1,1 --games 2", exitOK, []string{"1 against 1  5"}, ""},
		{"selfplay chess", exitUsage, nil, "unknown variant"},
		{"selfplay quixo/duel --levels 3", exitUsage, nil, "two levels"},
		{"selfplay quixo/duel --levels 4,1", exitUsage, nil, "levels are 1 to 3"},
		{"selfplay quixo/duel --games 0", exitUsage, nil, "--games"},
		{"selfplay quixo/duel --nodes 0", exitUsage, nil, "1 node or more"},
		{"selfplay quixo/duel --seats 3", exitUsage, nil, "not 3"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		if status := run(strings.Fields(tt.args), strings.NewReader(""), &out, &errs); status != tt.status {
			t.Errorf("%s: status %d, want %d: %s", tt.args, status, tt.status, &errs)
		}
		for _, part := range tt.out {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%s prints no %q:\n%s", tt.args, part, &out)
			}
		}
		if !strings.Contains(errs.String(), tt.err) {
			t.Errorf("%s: %q, want %q", tt.args, &errs, tt.err)
		}
	}
}
