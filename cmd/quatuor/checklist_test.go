package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// checklistFiles are the report files that the commands of docs/checklist.tsv read.
var checklistFiles = map[string]string{
	// half-point byes and byes as they were written before 2016
	"old.trf": "012 Old\n" + trfRow(1, "1.0", "   3 w 1") + trfRow(2, "1.0", "   4 b +") + trfRow(3, "0.0", "   1 b 0") +
		trfRow(4, "0.0", "   2 w -") + trfRow(5, "0.5", "       ="),
	"trf16.trf": "012 A tournament\nXXR 3\nXXC white1\n" + trfRow(1, "1.0", "   3 w 1") + trfRow(2, "0.5", "   4 b =") +
		trfRow(3, "0.0", "   1 b 0") + trfRow(4, "0.5", "   2 w =") + trfRow(5, "1.0", "0000 - U"),
	"spoilt.trf":        "142 3\n152 W\n" + trfRow(1, "1.0", "   2 w 1") + trfRow(2, "0.0", "   1 w 0"),
	"contradictory.trf": "142 3\n152 W\n" + trfRow(1, "1.0", "   2 w 1") + trfRow(2, "1.0", "   1 b 1"),
}

// TestChecklist runs the commands of docs/checklist.tsv: each ends well, or fails if it has a ! in front.
func TestChecklist(t *testing.T) {
	table, err := os.ReadFile(filepath.Join(root, "docs", "checklist.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range checklistFiles {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(string(table)), "\n")
	if lines[0] != "id\tquestion\ttoday\tcommand" || len(lines) < 20 {
		t.Fatalf("%d lines, the first is %q", len(lines), lines[0])
	}
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != 4 || !slices.Contains([]string{"yes", "partly", "no"}, cells[2]) {
			t.Errorf("%q is no row", line)
			continue
		}
		for one := range strings.SplitSeq(cells[3], " && ") {
			runChecklist(t, cells[0], one, string(makefile))
		}
	}
}

func runChecklist(t *testing.T, id, command, makefile string) {
	t.Helper()
	text, fails := strings.CutPrefix(command, "! ")
	words := strings.Fields(text)
	switch words[0] {
	case "make":
		if !regexp.MustCompile(`(?m)^` + words[1] + `:`).MatchString(makefile) {
			t.Errorf("question %s: there is no target %s", id, words[1])
		}
	case "quatuor":
		if status, out, errs := outcome(words[1:]...); (status != exitOK) != fails {
			t.Errorf("question %s: %s: status %d, %s%s", id, command, status, out, errs)
		}
	default:
		t.Errorf("question %s: %q is no command", id, command)
	}
}
