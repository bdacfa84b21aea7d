package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// outcome runs a command line without standard input.
func outcome(args ...string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	status = run(args, strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// trfFile writes a report file.
func trfFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "f.trf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// ranked is a 001 line with a rank.
func ranked(number int, points string, rank int, cells string) string {
	line := trfRow(number, points, cells)
	return line[:85] + fmt.Sprintf("%4d", rank) + line[89:]
}

// TestTRFCheck: the exit status is 0 if all agree, 1 if something differs, 2 if something cannot be replayed.
func TestTRFCheck(t *testing.T) {
	head := "142 3\n152 W\n202 DE\n"
	right := head + ranked(1, "1.0", 1, "   3 w 1") + ranked(2, "0.0", 3, "   4 b 0") + ranked(3, "0.0", 3, "   1 b 0") +
		ranked(4, "1.0", 1, "   2 w 1")
	turned := strings.NewReplacer("3 w 1", "3 b 1", "1 b 0", "1 w 0").Replace(right)
	low := strings.Replace(right, "1.0    1     3 w 1", "1.0    3     3 w 1", 1)
	for _, tt := range []struct {
		name, text string
		status     int
		out, errs  string
		args       []string
	}{
		{"right", right, 0, "f: 1 rounds, 4 ranks: all agree\n", "", nil},
		{
			"colours", turned, 1,
			"f: round 1: 3 has White against 1, and should have Black: this rule decides their colours (C.04.3 5.2.5)\n", "", nil,
		},
		{"rank", low, 1, "f: line 4: 1 has rank 3, and should have one from 1 to 2: 1.0 points, DE 0 (C.07 4.2)\n", "", nil},
		{"rank left out", low, 0, "f: 1 rounds, 0 ranks: all agree\n", "", []string{"--no-standings"}},
		{
			"ranks of the start", head + ranked(1, "0.0", 1, "   3 w 0") + ranked(2, "1.0", 2, "   4 b 1") +
				ranked(3, "1.0", 3, "   1 b 1") + ranked(4, "0.0", 4, "   2 w 0"), 0, "f: 1 rounds, 0 ranks: all agree\n",
			"the ranks are the players' own numbers", nil,
		},
		{"one round", turned, 1, "f: 1 rounds, 0 ranks: 1 differ\n", "", []string{"--round", "1"}},
		{"no such round", right, 2, "", "round 2: only 1 rounds have been paired", []string{"--round", "2"}},
		{"points", strings.Replace(right, "1.0", "1.5", 1), 2, "", "line 4, player 1: 1.5 points in columns 81 to 84", nil},
		{"old rules", "192 FIDE_DUTCH_2017\n" + right, 2, "", "line 1 (192): FIDE_DUTCH_2017", nil},
		{"tie-break", strings.Replace(right, "DE", "EXT", 1), 2, "", `ranks beyond points: line 202: there is no tie-break "EXT"`, nil},
		{"other tie-breaks", low, 2, "", `there is no tie-break "EXT"`, []string{"--tie-breaks", "EXT"}},
		{"by hand", "### quatuor hand round 1\n" + turned, 0, "all agree\n", "3 has White against 1, and should have Black: set by hand", nil},
	} {
		file := trfFile(t, tt.text)
		status, out, errs := outcome(append(append([]string{"trf", "check"}, tt.args...), file)...)
		out = strings.ReplaceAll(out, file, "f")
		if status != tt.status || !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s: %d\n%s%s", tt.name, status, out, errs)
		}
	}
	if status, _, errs := outcome("trf", "check", filepath.Join(t.TempDir(), "none")); status != 2 || errs == "" {
		t.Errorf("a missing file: %d, %q", status, errs)
	}
	status, out, _ := outcome("trf", "check", "--json", trfFile(t, turned))
	var got struct {
		Rounds   int
		Findings []struct {
			Round   int
			Kind    string
			Players []int
			Article string
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != 1 || got.Rounds != 1 || len(got.Findings) != 1 ||
		got.Findings[0].Kind != "colours" || got.Findings[0].Article != "C.04.3 5.2.5" {
		t.Errorf("%d, %s, %v", status, out, err)
	}
}

// TestTRFGenerate: a file, a folder of files, and mistakes in the settings.
func TestTRFGenerate(t *testing.T) {
	dir := t.TempDir()
	one := filepath.Join(dir, "one.trf")
	status, out, errs := outcome("trf", "generate", "--seed", "4", "--set", "PlayersNumber=9", "--set", "RoundsNumber=3", "-o", one)
	text, err := os.ReadFile(one)
	if status != 0 || out+errs != "" || err != nil || !strings.Contains(string(text), "seed 4\n") {
		t.Errorf("%d, %q, %q, %v\n%s", status, out, errs, err, text)
	}
	if _, out, _ := outcome("trf", "generate", "--seed", "4", "--set", "PlayersNumber=9", "--set", "RoundsNumber=3", "-o", "-"); out != string(text) {
		t.Errorf("the same seed makes\n%s", out)
	}
	if _, once, _ := outcome("trf", "generate", "--set", "PlayersNumber=9", "-o", "-"); once == "" {
		t.Error("nothing without a seed")
	} else if _, again, _ := outcome("trf", "generate", "--set", "PlayersNumber=9", "-o", "-"); again != once {
		t.Error("equal settings made two files")
	}
	many := filepath.Join(dir, "many")
	if status, _, errs := outcome("trf", "generate", "--count", "3", "--seed", "8", "--model", one, "-o", many); status != 0 || errs != "" {
		t.Errorf("%d, %q", status, errs)
	}
	files, _ := filepath.Glob(filepath.Join(many, "*.trf"))
	if len(files) != 3 || filepath.Base(files[0]) != "10.trf" {
		t.Errorf("made %v", files)
	}
	if status, out, errs := outcome(append([]string{"trf", "check"}, files...)...); status != 0 || strings.Count(out, "all agree") != 3 {
		t.Errorf("%d, %s, %s", status, out, errs)
	}
	bad := trfFile(t, "PlayersNumber=9\nPlayrs=3\n")
	for want, args := range map[string][]string{
		`line 2: there is no key "Playrs"`:                {"--config", bad, "-o", one},
		"name a file or folder":                           {},
		"--set Rounds=1: there is no key":                 {"--set", "Rounds=1", "-o", one},
		"seed 1: none of 25 attempts could be paired":     {"--seed", "1", "--set", "PlayersNumber=4", "--set", "RoundsNumber=9", "-o", one},
		"one: no such file or directory":                  {"--model", filepath.Join(dir, "one"), "-o", one},
		"LowestRating is higher than HighestRating":       {"--set", "LowestRating=9", "--set", "HighestRating=8", "-o", one},
		"the Baku Acceleration needs a win worth two dra": {"--set", "Acceleration=baku", "--set", "PointsForWin=3", "-o", one},
	} {
		if status, _, errs := outcome(append([]string{"trf", "generate"}, args...)...); status == 0 || !strings.Contains(errs, want) {
			t.Errorf("%v: %d, %q, want %q", args, status, errs, want)
		}
	}
	if status, out, _ := outcome("trf", "generate", "--keys"); status != 0 || !strings.Contains(out, "PlayersNumber: players") {
		t.Errorf("%d, %s", status, out)
	}
}

// TestTRFTeams: reports of teams are made, and checked with the status of those of players.
func TestTRFTeams(t *testing.T) {
	args := []string{
		"trf", "generate", "--seed", "5", "--set", "Teams=8", "--set", "Boards=2", "--set", "PlayedRounds=3",
		"--set", "RoundsNumber=5", "-o", "-",
	}
	status, text, errs := outcome(args...)
	if status != 0 || errs != "" || !strings.Contains(text, "### settings RoundsNumber=5 PlayedRounds=3 Teams=8 Boards=2\n") {
		t.Fatalf("%d, %q\n%s", status, errs, text)
	}
	if _, again, _ := outcome(args...); again != text {
		t.Error("the same seed made another file")
	}
	model := trfFile(t, text)
	if _, modelled, errs := outcome("trf", "generate", "--model", model, "-o", "-"); errs != "" ||
		strings.Count(modelled, "\n310 ") != 8 || !strings.Contains(modelled, "\n142 5\n") {
		t.Errorf("%s\n%s", errs, modelled)
	}
	at := strings.Index(text, "310   1 ") + 67 // columns 69 to 71
	number, err := strconv.Atoi(strings.TrimSpace(text[at : at+4]))
	if err != nil {
		t.Fatal(err)
	}
	ranked := text[:at] + fmt.Sprintf("%4d", 9-number) + text[at+4:]
	for _, tt := range []struct {
		name, text string
		status     int
		out, errs  string
		args       []string
	}{
		{"right", text, 0, "f: 3 rounds, 8 ranks: all agree\n", "", nil},
		{"rank", ranked, 1, ": 1 has rank " + fmt.Sprint(9-number) + ", and should have ", "", nil},
		{"rank left out", ranked, 0, "f: 3 rounds, 0 ranks: all agree\n", "", []string{"--no-standings"}},
		{"one round", ranked, 0, "f: 1 rounds, 0 ranks: all agree\n", "", []string{"--round", "2"}},
		{"no such round", text, 2, "", "round 4: only 3 rounds have been paired", []string{"--round", "4"}},
		{"tie-break", text, 2, "", `there is no tie-break "EXT" of teams`, []string{"--tie-breaks", "EXT"}},
		{"reading", text, 2, "", `the reading "c6=x" is unknown`, []string{"--reading", "c6=x"}},
	} {
		file := trfFile(t, tt.text)
		status, out, errs := outcome(append(append([]string{"trf", "check"}, tt.args...), file)...)
		out = strings.ReplaceAll(out, file, "f")
		if status != tt.status || !strings.Contains(out, tt.out) || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s: %d\n%s%s", tt.name, status, out, errs)
		}
	}
	status, out, _ := outcome("trf", "check", "--json", trfFile(t, ranked))
	var got struct {
		Findings []struct{ Players, Teams []int }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != 1 || len(got.Findings) == 0 ||
		got.Findings[0].Players != nil || len(got.Findings[0].Teams) != 1 {
		t.Errorf("%d, %s, %v", status, out, err)
	}
}

// TestDutchStatus: the exit status of the engine is that of the program.
func TestDutchStatus(t *testing.T) {
	file := trfFile(t, "142 3\n152 W\n"+trfField(4))
	if status, out, errs := outcome("dutch", "--dutch", file, "-p"); status != 0 || out != "2\n1 3\n4 2\n" || errs != "" {
		t.Errorf("%d, %q, %q", status, out, errs)
	}
	for name, want := range map[string]bool{
		"/opt/bbpPairings.exe": true, "javafo": true, "/usr/bin/quatuor": false, "quatuor.exe": false,
	} {
		if calledAsEngine(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
	if status, _, errs := outcome("dutch", file+"x", "-c"); status != 5 || !strings.HasPrefix(errs, "Error reading file") {
		t.Errorf("%d, %q", status, errs)
	}
}

// TestTRFTables: rounds at tables that are generated agree, with their answers on the same lines or in another file.
func TestTRFTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.jsonl")
	if status, _, errs := outcome("trf", "generate", "--tables", "--seed", "3", "--count", "2", "--set", "PlayersNumber=9", "-o", file); status != 0 || errs != "" {
		t.Fatalf("%d, %q", status, errs)
	}
	status, out, errs := outcome("trf", "check", "--tables", file)
	if status != 0 || !strings.HasSuffix(out, "rounds: 0 differ\n") || errs != "" {
		t.Errorf("%d, %q, %q", status, out, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var answers []byte
	var first struct{ Answer struct{ Tables [][]int } }
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var one struct{ Answer json.RawMessage }
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		answers = append(append(answers, one.Answer...), '\n')
		if i == 0 {
			if err := json.Unmarshal(line, &first); err != nil {
				t.Fatal(err)
			}
		}
	}
	beside := trfFile(t, string(answers))
	if status, out, errs := outcome("trf", "check", "--tables", "--answers", beside, file); status != 0 || errs != "" {
		t.Errorf("%d, %q, %q", status, out, errs)
	}
	seats := first.Answer.Tables[0]
	before, after := fmt.Sprintf("[[%d,%d", seats[0], seats[1]), fmt.Sprintf("[[%d,%d", seats[1], seats[0])
	turned := trfFile(t, strings.Replace(string(answers), before, after, 1))
	if status, out, _ := outcome("trf", "check", "--tables", "--answers", turned, file); status != 1 || !strings.Contains(out, "(seats)") {
		t.Errorf("%d, %q", status, out)
	}
	if status, _, errs := outcome("trf", "check", "--tables", trfFile(t, "{}\n")); status != 2 || !strings.Contains(errs, "line 1") {
		t.Errorf("%d, %q", status, errs)
	}
}
