package main

import (
	"bytes"
	"strings"
	"testing"
)

// transferSeed deals hands with which seat 2 can transfer in the first window.
const transferSeed = "286288a6f4e7598a0b621160c6ab44ff59f15935b794d7bd6d303958897938c7"

// shortDivided is a count in a position where one of the first moves, d4-e5, wins.
const shortDivided = `141
a1>a5 12
a1>e1 12
a2-b3 11
a4>e4 13
a5>a1 11
b1-c2 12
b5>b1 12
d1>d5 11
d4-c5 12
d4-e5 0
d5>d1 12
e1>a1 11
e2>a2 12
`

// TestPerftCommand compares whole outputs; commas in the moves stand for the spaces of the one argument.
func TestPerftCommand(t *testing.T) {
	const seed = "f30c35f7cfa99ee57c4ee26d252194eda5f8f25334c583c919158f6c69f4ea07"
	tests := []struct {
		args   string // words
		status int
		out    string // all of standard output
		err    string // part of standard error
	}{
		{"perft quixo/duel --depth 0", exitOK, "1\n", ""},
		{"perft quixo/duel --depth 4", exitOK, "3018100\n", ""},
		{"perft quits/duel --depth 4", exitOK, "19966\n", ""},
		{"perft quits/duel --depth=4 --option=steps=forward", exitOK, "81426\n", ""},
		{"perft --depth 2 quivive/melee --seats 5", exitOK, "1332\n", ""},
		{"perft quits/duel --depth 1 --option steps=forward --option repetition=0", exitOK, "17\n", ""},
		{"perft quits/duel --depth 2 --moves a1>a5,d4-c3", exitOK, "117\n", ""},
		{"perft quixo/duel --depth 3 --moves 1:!time", exitOK, "0\n", ""},
		{
			"perft quits/short --depth 2 --divide --moves b2-c3,d4-e3,c3-d4,d5-c4", exitOK,
			shortDivided, "",
		},
		{
			"perft quiwin/duel --depth 1 --divide --seed " + transferSeed + " --moves 1:o23,2:o25,1:change,2:transfer", exitOK,
			"1\n1:give-1 1\n", "",
		},
		{"perft quiwin/duel --depth 2 --seed " + seed, exitOK, "50\n", ""},
		{"perft", exitUsage, "", "--depth"},
		{"perft quixo/duel", exitUsage, "", "--depth"},
		{"perft quixo/duel --depth x", exitUsage, "", "--depth"},
		{"perft quixo/duel --depth=-1", exitUsage, "", "--depth must be 0 or more"},
		{"perft quixo/duel --depth 0 --divide", exitUsage, "", "--depth of 1 or more"},
		{"perft chess/duel --depth 1", exitUsage, "", "quixo/duel, quixo/teams"},
		{"perft quixo/duel --depth 1 --seats 3", exitUsage, "", "2 seats"},
		{"perft quixo/duel --depth 1 --option steps=forward", exitUsage, "", "steps"},
		{"perft quiwin/duel --depth 1", exitUsage, "", "seed"},
		{"perft quixo/duel --depth 1 --moves c1-c5,c3-c5", exitUsage, "", "move 2 of --moves"},
	}
	for _, tt := range tests {
		args := strings.Fields(tt.args)
		for i, word := range args {
			args[i] = strings.ReplaceAll(word, ",", " ")
		}
		var out, errs bytes.Buffer
		status := run(args, strings.NewReader(""), &out, &errs)
		if status != tt.status || out.String() != tt.out || !strings.Contains(errs.String(), tt.err) || tt.err == "" && errs.Len() > 0 {
			t.Errorf("%s: status %d, output %q, errors %q", tt.args, status, out.String(), errs.String())
		}
	}
}
