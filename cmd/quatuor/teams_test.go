package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// teamData is the folder of reports of teams and their answers.
const teamData = "../../tournament/trf/testdata/teams"

// quatuorIn runs a command in a folder.
func quatuorIn(t *testing.T, dir string, args ...string) (status int, out, errs string) {
	t.Helper()
	t.Chdir(dir)
	var stdout, stderr bytes.Buffer
	status = run(args, strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// TestTeamFilesHaveTheirAnswers: every round that is paired again, and every row of the standings, is that of the data.
func TestTeamFilesHaveTheirAnswers(t *testing.T) {
	for _, set := range []string{"open", "lineups", "gacrux"} {
		t.Run(set, func(t *testing.T) {
			t.Chdir(teamData)
			files, err := filepath.Glob(set + "/*.trf")
			if err != nil || len(files) == 0 {
				t.Fatal("no files", err)
			}
			want := readText(t, set+".pairs.tsv")
			status, out, errs := quatuorIn(t, ".", append([]string{"pair", "--every-round"}, files...)...)
			paired := withoutAway(out)
			if status != exitOK || errs != "" || paired != want {
				t.Errorf("pair: status %d, %q, first difference %q", status, errs, firstDifference(paired, want))
			}
			t.Logf("%d lines of pairings are equal", strings.Count(want, "\n"))
			want = readText(t, set+".standings.tsv")
			header, _, _ := strings.Cut(want, "\n")
			codes := strings.Join(strings.Split(header, "\t")[5:], ",")
			status, out, errs = quatuorIn(t, ".", append([]string{"standings", "--teams", "--tie-breaks", codes}, files...)...)
			if status != exitOK || errs != "" || out != want {
				t.Errorf("standings: status %d, %q, first difference %q", status, errs, firstDifference(out, want))
			}
			t.Logf("%d lines of standings are equal", strings.Count(want, "\n"))
		})
	}
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutAway returns a printed round without the teams that are away.
func withoutAway(out string) string {
	var kept strings.Builder
	for line := range strings.Lines(out) {
		if !strings.Contains(line, "\t0\t") || strings.HasSuffix(line, "PAB\n") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func firstDifference(got, want string) string {
	wanted := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wanted) || line != wanted[i] {
			return line
		}
	}
	return ""
}

// TestPairTeamsInBothReadings: the next round of each file, as it is and in the other reading.
func TestPairTeamsInBothReadings(t *testing.T) {
	for name, tt := range map[string]struct {
		args  []string
		pairs string
	}{
		"accelerated":           {nil, "2-1 3-7 5-8 10-6 9-4"},
		"c6":                    {nil, "2-1 9-3 10-4 6-8 5-7"},
		"c6, other reading":     {[]string{"--reading", "c6=graded"}, "3-1 6-2 9-4 5-8 10-7"},
		"lastround":             {nil, "3-6 2-1 4-5"},
		"lastround, none":       {[]string{"--reading=last=none"}, "3-6 1-2 4-5"},
		"seats":                 {nil, "2-4 3-1 7-5 8-6"},
		"seats, by score":       {[]string{"--reading=seat=score"}, "4-1 2-3 7-5 8-6"},
		"seats, twice the same": {[]string{"--reading=seat=score", "--reading=seat=number"}, "2-4 3-1 7-5 8-6"},
	} {
		file, _, _ := strings.Cut(name, ",")
		args := append(append([]string{"pair"}, tt.args...), filepath.Join(teamData, "readings", file+".trf"))
		var out, errs bytes.Buffer
		status := run(args, strings.NewReader(""), &out, &errs)
		var pairs []string
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
			cells := strings.Split(line, "\t")
			pairs = append(pairs, cells[3]+"-"+cells[4])
		}
		if got := strings.Join(pairs, " "); status != exitOK || got != tt.pairs {
			t.Errorf("%s: status %d, %s, printed %s, want %s", name, status, errs.String(), got, tt.pairs)
		}
	}
	var out, errs bytes.Buffer
	if status := run([]string{"pair", "--reading=c7=all", "x.trf"}, nil, &out, &errs); status != exitUsage ||
		!strings.Contains(errs.String(), `the reading "c7=all" is unknown; use forfeit_met=false|true`) {
		t.Errorf("an unknown reading: status %d, %s", status, errs.String())
	}
}

// twoTeams is a report of two teams of two members that have met in round 1.
const twoTeams = `012 Two teams
142 3
152 W
192 FIDE_TEAM
352 WB
310   1 One                              ONE                                1    2
310   2 Two                              TWO                                3    4
001    1      A                                 2000                             1.0          3 w 1
001    2      B                                 2000                             0.5          4 b =
001    3      C                                 2000                             0.0          1 b 0
001    4      D                                 2000                             0.5          2 w =
`

// TestPairTeamsRefusals: reports that cannot be paired, or contradict themselves, are answered with a line that names
// file, round or line, and team; --lenient makes the contradictions of team records warnings.
func TestPairTeamsRefusals(t *testing.T) {
	third := strings.Replace(twoTeams, "001    1 ", "310   3 Three                            THREE                              5    6\n"+
		"001    5      E\n001    6      F\n001    1 ", 1)
	for name, tt := range map[string]struct {
		text, want string
		lenient    bool // passes with --lenient
	}{
		"met already": {twoTeams, "round 2: the 2 teams that take part have no legal pairing", false},
		"in two teams": {
			strings.Replace(third, "THREE                              5", "THREE                              4", 1),
			"line 8, team 3: player 4 is in line 7 as a member of team 2, too", true,
		},
		"without a line": {
			strings.Replace(third, "   5    6\n", "   5    6    9\n", 1), "line 8, team 3: there is no player 9", true,
		},
		"two opponents": {
			strings.Replace(strings.Replace(third, "TWO                                3    4", "TWO                                3", 1),
				"   5    6\n", "   5    6    4\n", 1),
			"line 6, team 1, round 1: its boards name two opponents, teams 2 and 3", true,
		},
		"match points": {
			strings.Replace(third, "TWO                                3", "TWO            1.0                 3", 1),
			"line 7, team 2: 1.0 MP in line 310, but the rounds make 0.0", true,
		},
		"opponents without a team": {
			strings.Replace(third, "001    5      E\n", trfRow(5, "1.0", "   7 w 1")+trfRow(7, "0.0", "   5 b 0"), 1),
			"line 8, team 3, round 1: its opponents are in no team", true,
		},
		"an unknown team in 240": {"240 Z 002    7\n" + third, "a line 240 names team 7, and there is none", false},
		"a bye beside its columns": {
			"240 Z 002     3\n" + third,
			`line 1 (240): "3" in columns 15 to 15 is beside its field; the fields there are columns 11 to 14 and 16 to 19`, true,
		},
		"another system": {strings.Replace(third, "FIDE_TEAM", "FIDE_TEAM_TYPEC", 1), `it has "TYPEC"`, false},
		"a round-robin":  {strings.Replace(third, "FIDE_TEAM", "FIDE_TEAM_ROUNDROBIN", 1), "round 2: line 192: FIDE_TEAM_ROUNDROBIN has tables, which do not follow the results", false},
	} {
		status, out, errs := pairText(t, tt.text)
		if status != exitFailure || strings.Count(out, "\n") != 1 || strings.Count(errs, "\n") != 1 ||
			!strings.Contains(errs, tt.want) {
			t.Errorf("%s: status %d, printed %q and %q, want %q", name, status, out, errs, tt.want)
		}
		status, out, errs = pairText(t, tt.text, "--lenient")
		if passes := status == exitOK && strings.Contains(errs, "warning: "); passes != tt.lenient {
			t.Errorf("%s, lenient: status %d, printed %q and %q", name, status, out, errs)
		}
	}
	if status, out, errs := pairText(t, third); status != exitOK || errs != "" || withoutAway(out) !=
		"file\tround\tboard\twhite\tblack\tbye\nf\t2\t1\t3\t1\t-\nf\t2\t2\t2\t0\tPAB\n" {
		t.Errorf("three teams: status %d, printed %q and %q", status, out, errs)
	}
	if status, out, errs := pairText(t, "240 Z 002    3\n"+third); status != exitFailure || !strings.Contains(errs, "no opponent") {
		t.Errorf("two of three teams that have met: status %d, printed %q and %q", status, out, errs)
	}
	if status, _, errs := pairText(t, third, "--round", "4"); status != exitFailure ||
		!strings.Contains(errs, "round 4: round 2 has not been played yet") {
		t.Errorf("round 4: status %d, %q", status, errs)
	}
}

// TestTeamsAreExplained: every match has its bracket and the rule of its colours, a round the readings in force, and
// every value of a tie-break its parts.
func TestTeamsAreExplained(t *testing.T) {
	file := filepath.Join(teamData, "open", "t20261124-0000.trf")
	var out, errs bytes.Buffer
	if status := run([]string{"pair", "--explain", "--round=4", file}, nil, &out, &errs); status != exitOK {
		t.Fatal(errs.String())
	}
	for _, want := range []string{
		"# In the bracket with score 10, No. 2 meets the first opponent possible: No. 3. Upfloaters of the bracket: No. 2. " +
			"Not No. 4: the others could not all be paired then (C3). The team that had it less often goes first, so No. 3 has " +
			"Black (4.3.5).",
		"# No. 1 has the bye: ", "# Readings in force: forfeit_met=false, last=strong, c6=reach, seat=number.",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("printed %s, want %s", out.String(), want)
		}
	}
	out.Reset()
	args := []string{"standings", "--teams", "--explain=3", "--tie-breaks=BH/C1,EMGSB,SSSC,TBR,BBE,DE:GP,BC", file}
	if status := run(args, nil, &out, &errs); status != exitOK {
		t.Fatal(errs.String())
	}
	for _, want := range []string{
		"# BH/C1 24 = ", "; cut: 2.5 (round ", "# EMGSB 38.5 = ", "# SSSC 10.31 = 7 + (",
		"# TBR 2.5 4 3.5 3.5 = 0 1 0.5 0.5 + 1 1 1 1 + ", "# BBE 10 6.5 2.5 = 1.5 1 0 + 3 2 1 + ",
		"# DE:GP -: 0 GP from 0 of 0 matches", "# BC ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("printed %s, want %s", out.String(), want)
		}
	}
}

// TestStandingsOfTeamsRefusals: unknown codes are named, and so are files without teams; the others are done.
func TestStandingsOfTeamsRefusals(t *testing.T) {
	dir := t.TempDir()
	single := filepath.Join(dir, "single.trf")
	if err := os.WriteFile(single, []byte(threePlayers), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(teamData, "open", "t20261124-0000.trf")
	var out, errs bytes.Buffer
	if status := run([]string{"standings", "--teams", "--tie-breaks=BH", single, file}, nil, &out, &errs); status != exitFailure ||
		!strings.Contains(errs.String(), "single.trf: there is no team") || strings.Count(out.String(), "\n") != 6 {
		t.Errorf("status %d, printed %q and %q", status, out.String(), errs.String())
	}
	for _, code := range []string{"XX", "BH/K2", "TBR:GP", "BH:XP", "SSSC/K0"} {
		if status := run([]string{"standings", "--teams", "--tie-breaks", code, file}, nil, &out, &errs); status != exitUsage {
			t.Errorf("%s: status %d", code, status)
		}
	}
}
