package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/perft"
	"quatuor/engine"
	"quatuor/engine/catalog"
)

// transferSeed deals hands that let seat 2 transfer in the first window.
const transferSeed = "286288a6f4e7598a0b621160c6ab44ff59f15935b794d7bd6d303958897938c7"

// shortDivided is a count in a position where a first move, d4-e5, wins.
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

// TestPerftCommand compares whole outputs; commas in the moves replace the spaces of the single argument.
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
		{"perft quixo/duel --depth 1 --threads=-1", exitUsage, "", "--threads must be 0 or more"},
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
		if status != tt.status || out.String() != tt.out || !strings.Contains(errs.String(), tt.err) || tt.err == "" &&
			errs.Len() > 0 {
			t.Errorf("%s: status %d, output %q, errors %q", tt.args, status, out.String(), errs.String())
		}
	}
}

// TestPerftThreads: whatever is counted at the same time, the output is the same, in the same order.
func TestPerftThreads(t *testing.T) {
	for _, args := range []string{
		"perft quixo/duel --depth 4",
		"perft quixo/teams --depth 3 --divide",
		"perft quits/four --depth 5 --divide --option steps=forward",
		"perft quits/short --depth 3 --divide --moves b2-c3,d4-e3,c3-d4,d5-c4",
		"perft quivive/melee --seats 3 --depth 3 --divide",
		"perft quiwin/duel --depth 5 --divide --seed " + transferSeed,
		"perft quixo/duel --depth 3 --moves 1:!time",
		"perft quixo/duel --depth 0",
		"perft quits/duel --depth 2 --divide",
	} {
		outputs := map[string]bool{}
		for _, threads := range []string{"0", "1", "2", "7"} {
			words := strings.Fields(args + " --threads=" + threads)
			for i, word := range words {
				words[i] = strings.ReplaceAll(word, ",", " ")
			}
			var out, errs bytes.Buffer
			if status := run(words, strings.NewReader(""), &out, &errs); status != exitOK || errs.Len() > 0 {
				t.Fatalf("%s: status %d, errors %q", args, status, errs.String())
			}
			outputs[out.String()] = true
		}
		if len(outputs) != 1 {
			t.Errorf("%s: the output depends on the number of threads: %v", args, outputs)
		}
	}
}

// BenchmarkPerftThreads compares a single thread with several.
func BenchmarkPerftThreads(b *testing.B) {
	rules, err := catalog.Find("quits/duel")
	if err != nil {
		b.Fatal(err)
	}
	setup, err := engine.NewSetup(rules.Info(), 0, "", nil)
	if err != nil {
		b.Fatal(err)
	}
	s, err := rules.Start(setup)
	if err != nil {
		b.Fatal(err)
	}
	for _, threads := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			var leaves uint64
			for b.Loop() {
				for _, row := range perft.Divide(s, 7, threads) {
					leaves += row.Count
				}
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}
