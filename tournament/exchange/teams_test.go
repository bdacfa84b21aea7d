package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// takeTeams imports a report of teams and returns the tournament, and what is written of it.
func takeTeams(t *testing.T, text []byte) (*Taken, *tournament.Tournament, []byte) {
	t.Helper()
	n := 0
	taken, err := Import(text, Options{Variant: "quixo/duel", TimeControl: "300+3"}, func() string { n++; return fmt.Sprint("id", n) })
	if err != nil {
		t.Fatal(err)
	}
	taken.Begun.Seed = seed
	with := checks
	with.Teams = team.Check
	tm, err := Imported("t", "olga", taken.Settings, taken.Begun, with, 1_772_000_000_000)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]string)
	for _, p := range taken.Players {
		names[p.ID] = p.Name
	}
	squads := make(map[string]team.Squad)
	for _, e := range tm.Entries {
		squads[e.ID] = team.SquadOf(e, nil, names)
	}
	r, err := ExportTeams(tm, squads, Staff)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return taken, tm, b.Bytes()
}

// TestTeamsAreTakenOver: rounds and totals of report files of teams are the same here, and what is written of them is
// read back to the same bytes.
func TestTeamsAreTakenOver(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "trf", "testdata", "teams", "*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".tsv") || filepath.Base(path) == "readings" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil || !trf.HasTeams(text) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, err := trf.ReadTeams(text, false)
			if err != nil {
				t.Fatal(err)
			}
			taken, tm, out := takeTeams(t, text)
			if len(taken.Players) != len(file.Players) || len(tm.Rounds) != file.NextRound()-1 || tm.Teams == nil {
				t.Errorf("%d players, %d rounds", len(taken.Players), len(tm.Rounds))
			}
			again, err := trf.ReadTeams(out, false)
			if err != nil {
				t.Fatalf("%v in\n%s", err, out)
			}
			want, got := file.Outcomes(), again.Outcomes()
			for i := range want {
				for round := range want[i] {
					a, b := want[i][round], got[slices.IndexFunc(again.Teams, func(l trf.TeamLine) bool { return l.Name == file.Teams[i].Name })][round]
					if a.Kind != b.Kind || a.Totals != b.Totals || a.Colour != b.Colour {
						t.Errorf("team %d, round %d: %+v, want %+v", i, round+1, b, a)
					}
				}
			}
			if _, _, twice := takeTeams(t, out); !bytes.Equal(twice, out) {
				before := strings.Split(string(out), "\n")
				for i, line := range strings.Split(string(twice), "\n") {
					if i >= len(before) || line != before[i] {
						t.Errorf("line %d is written again as\n%s\nbefore\n%s", i+1, line, before[min(i, len(before)-1)])
						break
					}
				}
			}
		})
	}
}

// TestPenaltiesAreTakenOver: lines 299 count here as in the file, and are written again.
func TestPenaltiesAreTakenOver(t *testing.T) {
	text := "012 Teams\n142 3\n" + row(1, "1.0", "   3 w 1") + row(2, "0.0", "   4 b 0") + row(3, "0.0", "   1 b 0") + row(4, "1.0", "   2 w 1") +
		fmt.Sprintf("310 %3d %-64s %4d %4d\n310 %3d %-64s %4d %4d\n", 1, "North", 1, 2, 2, "South", 3, 4) +
		"299    -1.0   0.5  001    1   2\n299     0.0   0.0  001    1\n"
	_, tm, out := takeTeams(t, []byte(text))
	if len(tm.Bonuses) != 2 || tm.BonusOf(tm.Entries[1].ID, 1) != (tournament.TeamTotals{MP: -10, GP: 5}) || tm.BonusOf(tm.Entries[1].ID, 0).MP != 0 {
		t.Errorf("%+v", tm.Bonuses)
	}
	if n := strings.Count(string(out), "\n299 "); n != 2 {
		t.Errorf("%d lines 299 in\n%s", n, out)
	}
}

// TestDeletedMembersAreTakenOver: a member of a team must be a player, and a player cannot have a deleted person's
// name.
func TestDeletedMembersAreTakenOver(t *testing.T) {
	member := row(2, "0.0", "   4 b 0")
	member = member[:14] + fmt.Sprintf("%-33s", "player 1001") + member[47:]
	text := "012 Teams\n142 3\n" + row(1, "1.0", "   3 w 1") + member + row(3, "0.0", "   1 b 0") + row(4, "1.0", "   2 w 1") +
		fmt.Sprintf("310 %3d %-64s %4d %4d\n310 %3d %-64s %4d %4d\n", 1, "North", 1, 2, 2, "South", 3, 4)
	taken, _, out := takeTeams(t, []byte(text))
	if len(taken.Players) != 4 || taken.Players[1].Name != "N. N. 1001" || !strings.Contains(string(out), "N. N. 1001") {
		t.Errorf("%+v in\n%s", taken.Players, out)
	}
}

// TestTeamsAreRefused: what a tournament here cannot be.
func TestTeamsAreRefused(t *testing.T) {
	text := []byte("012 Teams\n142 3\n" + row(1, "1.0", "   3 w 1") + row(2, "0.0", "   4 b 0") + row(3, "0.0", "   1 b 0") + row(4, "1.0", "   2 w 1") +
		fmt.Sprintf("310 %3d %-64s %4d %4d\n310 %3d %-64s %4d %4d\n", 1, "North", 1, 2, 2, "South", 3, 4))
	for want, o := range map[string]Options{
		"choose team_swiss": {Format: tournament.Swiss}, "choose team_swiss, team_round_robin": {Format: tournament.TeamKnockout}, "names_only": {NamesOnly: true}, "there is no player 9": {Players: map[int]string{9: "x"}},
	} {
		o.Variant, o.TimeControl = "quixo/duel", "300+3"
		if _, err := Import(text, o, func() string { return "id" }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestBonusesOfTeamsAreTakenOver: penalties and bonuses count here, and are written back.
func TestBonusesOfTeamsAreTakenOver(t *testing.T) {
	text := []byte("012 Teams\n142 3\n299    -1.0  +0.5  000    1\n299     1.0        001    2\n" + row(1, "1.0", "   3 w 1") + row(2, "0.0", "   4 b 0") +
		row(3, "0.0", "   1 b 0") + row(4, "1.0", "   2 w 1") +
		fmt.Sprintf("310 %3d %-64s %4d %4d\n310 %3d %-64s %4d %4d\n", 1, "North", 1, 2, 2, "South", 3, 4))
	_, tm, out := takeTeams(t, text)
	first, second := tm.BonusOf(tm.Entries[0].ID, 1), tm.BonusOf(tm.Entries[1].ID, 1)
	if first != (tournament.TeamTotals{MP: -10, GP: 5}) || second != (tournament.TeamTotals{MP: 10}) || tm.BonusOf(tm.Entries[1].ID, 0).MP != 0 {
		t.Errorf("%v, %v from %+v", first, second, tm.Bonuses)
	}
	if _, again, twice := takeTeams(t, out); !bytes.Equal(out, twice) || len(again.Bonuses) != 2 {
		t.Errorf("%s\nand again\n%s", out, twice)
	}
}

// TestWhiteHasTheFirstSeat: in a file White is the team with seat 1 on the first board, in lines 330 and 152 as well,
// so line 352 begins with W; a file with a line 352 that begins with B is read by its cells.
func TestWhiteHasTheFirstSeat(t *testing.T) {
	file := "012 Cup\n142 2\n152 W\n162 W 1.0   D 0.5   L 0.0   A 0.0\n192 FIDE_TEAM_TYPEA_MP_GP\n222 300\n352 BW\n"
	for i, line := range []string{"3 w 1", "4 b 1", "1 b 0", "2 w 0"} {
		file += fmt.Sprintf("001 %4d      %-33s %31s %4.1f %4d  %8s  %8s\n", i+1, fmt.Sprint("Player ", i+1), "", float64(1-i/2), i+1,
			line, "0000 - Z")
	}
	file += fmt.Sprintf("310   1 %-32s%14s%6s %6s   1     1    2\n310   2 %-32s%14s%6s %6s   2     3    4\n330 +-   2   1   2\n",
		"A", "", "4.0", "4.0", "B", "", "0.0", "0.0")
	_, tm, out := takeTeams(t, []byte(file))
	if tm.Teams.Colours != "WB" || tm.FirstColour != tournament.White {
		t.Errorf("colours %q, initial %v", tm.Teams.Colours, tm.FirstColour)
	}
	for round := range tm.Rounds {
		if p := tm.Rounds[round].Pairings[0]; tm.Entries[0].ID != p.Seats[0] || p.Result.Ranks[0] != 1 {
			t.Errorf("round %d: %+v", round+1, p)
		}
	}
	for _, line := range []string{"352 WB", "152 W", "330 +-   2   1   2"} {
		if !bytes.Contains(out, []byte(line+"\n")) {
			t.Errorf("%q is not in\n%s", line, out)
		}
	}
	// The same matches of a tournament with letters that begin with B: side 1 has the first seat, and is White in the
	// file.
	turned := *tm
	rules := *tm.Teams
	rules.Colours, turned.FirstColour = "BW", tournament.Black
	turned.Teams, turned.Rounds = &rules, slices.Clone(tm.Rounds)
	for i := range turned.Rounds {
		p := turned.Rounds[i].Pairings[0]
		result := *p.Result
		result.Ranks = []int{2, 1}
		p.Seats = []string{p.Seats[1], p.Seats[0]}
		p.Result = &result
		p.Boards = slices.Clone(p.Boards)
		for k := range p.Boards {
			b := *p.Boards[k].Result
			b.Ranks = []int{2, 1}
			p.Boards[k].Players[0], p.Boards[k].Players[1] = p.Boards[k].Players[1], p.Boards[k].Players[0]
			p.Boards[k].Result = &b
		}
		turned.Rounds[i].Pairings = []tournament.Pairing{p}
	}
	squads := make(map[string]team.Squad)
	for _, e := range tm.Entries {
		squads[e.ID] = team.SquadOf(e, nil, nil)
	}
	reports := [2]string{}
	for i, one := range []*tournament.Tournament{tm, &turned} {
		r, err := ExportTeams(one, squads, Staff)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		reports[i] = b.String()
	}
	if again := strings.Replace(reports[1], "### quatuor colours B\n", "", 1); reports[0] != again || again == reports[1] {
		t.Errorf("%s\nis not\n%s", reports[1], reports[0])
	}
	_, back, out := takeTeams(t, []byte(reports[1]))
	if back.Teams.Colours != "BW" || back.FirstColour != tournament.Black || string(out) != reports[1] {
		t.Errorf("colours %q, initial %v of\n%s\nfrom\n%s", back.Teams.Colours, back.FirstColour, out, reports[1])
	}
	for i := range back.Rounds {
		if p := back.Rounds[i].Pairings[0]; p.Seats[0] != back.Entries[1].ID || p.Result.Ranks[0] != 2 {
			t.Errorf("round %d: %+v", i+1, p)
		}
	}
}

// TestAnAbsenceAboveALossIsRefused: a file may have it, a tournament here may not.
func TestAnAbsenceAboveALossIsRefused(t *testing.T) {
	text := "012 Teams\n142 3\n162  W 1.0    D 0.5    L 0.0    A 0.5\n" + row(1, "1.0", "   3 w 1") + row(2, "0.0", "   4 b 0") + row(3, "0.0", "   1 b 0") + row(4, "1.0", "   2 w 1") +
		fmt.Sprintf("310 %3d %-64s %4d %4d\n310 %3d %-64s %4d %4d\n", 1, "North", 1, 2, 2, "South", 3, 4)
	o := Options{Variant: "quixo/duel", TimeControl: "300+3"}
	if _, err := Import([]byte(text), o, func() string { return "id" }); !errors.Is(err, tournament.ErrInvalid) ||
		!strings.Contains(err.Error(), "line 162") {
		t.Errorf("%v", err)
	}
}
