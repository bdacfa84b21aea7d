package exchange

import (
	"bytes"
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
	tm, err := tournament.Imported("t", "olga", taken.Settings, taken.Begun, with, 1_772_000_000_000)
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
