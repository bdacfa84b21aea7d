package generate_test

import (
	"bytes"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/generate"
)

// madeTeams returns the tournament of teams of a seed, read again, and its file.
func madeTeams(t testing.TB, s generate.Settings, seed uint64) (*trf.TeamReport, string) {
	t.Helper()
	r, err := generate.Teams(s, seed)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	r, err = trf.ReadTeams(b.Bytes(), false)
	if err != nil {
		t.Fatalf("%v in\n%s", err, &b)
	}
	return r, b.String()
}

// TestSameSeedOfTeams: equal seeds make equal files, and different seeds different files.
func TestSameSeedOfTeams(t *testing.T) {
	s := settings(t, "Teams=9", "Boards=3")
	_, a := madeTeams(t, s, 7)
	_, b := madeTeams(t, s, 7)
	_, c := madeTeams(t, s, 8)
	if a != b || a == c || !strings.HasPrefix(a, "012 quatuor trf generate, seed 7\n") {
		t.Errorf("seed 7 made\n%s\nthen\n%s\nand 8 made\n%s", a, b, c)
	}
}

// TestTeamsCanBeSet: each setting shows in the file.
func TestTeamsCanBeSet(t *testing.T) {
	r, text := madeTeams(t, settings(t, "Teams=7", "Boards=4", "Reserves=2", "RoundsNumber=3", "PlayedRounds=2",
		"HighestRating=2000", "LowestRating=1500", "UnratedPercentage=0", "PointsForMatchWin=3", "PointsForMatchDraw=1",
		"PointsForWin=2", "PointsForDraw=1", "Preference=b", "Primary=gp", "Secondary=none", "InitialColour=B",
		"TieBreaks=mpvgp,BH/C1", "Forbidden=1,2", "RetiredRate=1000000", "LateEntryRate=1000000", "ZPBRate=0", "HPBRate=0",
		"FPBRate=0", "MatchForfeitRate=1000000", "ForfeitRate=1000000", "EmptyBoardRate=1000", "OrderRate=0"), 3)
	if len(r.Teams) != 7 || len(r.Teams[0].Members) != 6 || r.Rounds != 3 || r.NextRound() != 3 || r.Preference() != "B" ||
		r.Primary() != team.GP || r.Secondary() != team.NoScore || r.TieBreaks != "MPVGP,BH/C1" || r.Colours != "WBWB" {
		t.Errorf("made\n%s", text)
	}
	want := team.Scoring{
		Boards: 4, Match: team.MatchPoints{Win: 30, Draw: 10}, Game: team.GamePoints{Win: 20, Draw: 10},
	}
	if r.Scoring() != want || len(r.Apart) != 1 || r.Apart[0].Last != trf.EveryRound {
		t.Errorf("matches are scored by %+v, and apart are %+v", r.Scoring(), r.Apart)
	}
	for i, rounds := range r.Outcomes() {
		for round, o := range rounds {
			if o.Kind != team.Played && o.Kind != team.Allocated {
				t.Errorf("team %d has %v in round %d", i+1, o.Kind, round+1)
			}
			if o.Kind == team.Played && o.Boards[1]+o.Boards[2]+o.Boards[3] != tournament.Points(0) {
				t.Errorf("team %d has %v on boards that are empty", i+1, o.Boards)
			}
		}
	}
}

// TestModelOfTeams: teams, squads, boards and regulations are the model's, what happened is as frequent, and what is set
// otherwise is not taken from it.
func TestModelOfTeams(t *testing.T) {
	original, _ := madeTeams(t, settings(t, "Teams=24", "Boards=4", "Reserves=2", "RoundsNumber=7", "DrawPercentage=60",
		"MatchForfeitRate=10", "EmptyBoardRate=100", "OrderRate=300", "Preference=B", "Primary=GP", "Secondary=none",
		"PointsForMatchWin=3", "TieBreaks=BH/C1", "Forbidden=1,2", "RetiredRate=1000000", "FPBRate=0"), 3)
	var s generate.Settings
	s.ModelTeams(original)
	frequency := func(r *trf.TeamReport) (draws, forfeits, lineUps int) {
		for _, p := range r.Players {
			for _, c := range p.Cells {
				draws += map[trf.Result]int{trf.Draw: 1}[c.Result]
			}
		}
		return draws, len(r.Forfeits), len(r.LineUps)
	}
	draws, forfeits, lineUps := frequency(original)
	const seeds = 20
	var drawn, forfeited, linedUp int
	for seed := range uint64(seeds) {
		r, text := madeTeams(t, s, seed)
		if len(r.Teams) != 24 || r.BoardCount() != 4 || r.Rounds != 7 || r.System != original.System ||
			r.Scoring() != original.Scoring() || r.TieBreaks != "BH/C1" || len(r.Apart) != 1 ||
			r.Teams[5].Name != original.Teams[5].Name || r.Players[9].Rating != original.Players[9].Rating {
			t.Fatalf("seed %d made\n%s", seed, text)
		}
		d, f, l := frequency(r)
		drawn, forfeited, linedUp = drawn+d, forfeited+f, linedUp+l
	}
	for name, counts := range map[string][2]int{
		"draws": {draws, drawn}, "forfeited matches": {forfeits, forfeited}, "line-ups": {lineUps, linedUp},
	} {
		if want := counts[0] * seeds; counts[1] < want/2 || counts[1] > 2*want {
			t.Errorf("%d %s, want about %d", counts[1], name, want)
		}
	}
	for _, line := range []string{"Teams=9", "Boards=6", "Primary=MP"} {
		if err := s.Set(line); err != nil {
			t.Fatal(err)
		}
	}
	if r, text := madeTeams(t, s, 1); len(r.Teams) != 9 || r.BoardCount() != 6 || r.Primary() != team.MP {
		t.Errorf("made\n%s", text)
	}
	for want, set := range map[string]func(*generate.Settings){
		"PlayersNumber does not go with teams":         func(s *generate.Settings) { s.ModelTeams(original) },
		"a model of players does not go with Teams=11": func(s *generate.Settings) { s.Model(&original.Report) },
	} {
		s := settings(t, map[bool]string{true: "PlayersNumber=4", false: "Teams=11"}[strings.HasPrefix(want, "P")])
		set(&s)
		if _, err := generate.Teams(s, 1); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestWrongSettingsOfTeams are refused.
func TestWrongSettingsOfTeams(t *testing.T) {
	for want, lines := range map[string][]string{
		"PlayersNumber does not go with teams": {"Teams=9", "PlayersNumber=20"},
		"Primary=MP":                           {"Teams=9", "Acceleration=baku", "Primary=GP"},
		"a win must be worth more than a loss": {"Teams=9", "PointsForMatchDraw=4"},
		"there is no player 12":                {"Teams=9", "Forbidden=1,12"},
		"none of 25 attempts":                  {"Teams=4", "RoundsNumber=9"},
	} {
		if _, err := generate.Teams(settings(t, lines...), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", lines, err, want)
		}
	}
	if _, err := generate.Tournament(settings(t, "Boards=4"), 1); err == nil || err.Error() != "Boards goes with Teams=N only" {
		t.Errorf("boards without teams: %v", err)
	}
}
