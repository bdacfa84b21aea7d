package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/pages/tournaments"
	"quatuor/tournament"
)

// crowd is a tournament of so many entries with nine rounds played.
func crowd(entries int) *tournament.Tournament {
	t := &tournament.Tournament{
		ID: "crowd", Name: "Crowd", Variant: "quixo/duel", Format: tournament.Swiss, RoundCount: 9, TimeControl: "300",
		TieBreaks: []string{"WIN", "PS"}, Points: tournament.StandardPoints, Status: tournament.Running, Version: 1,
	}
	for i := range entries {
		t.Entries = append(t.Entries, tournament.Entry{
			ID: fmt.Sprintf("e%d", i+1), Number: i + 1,
			Name: fmt.Sprintf("Player of the name %d", i+1), Status: tournament.Confirmed,
		})
	}
	for r := range 9 {
		round := tournament.Round{Number: r + 1, Status: tournament.Complete}
		for b := range entries / 2 {
			ranks := [][]int{{1, 2}, {2, 1}, {1, 1}}[(b*7+r*3)%3]
			round.Pairings = append(round.Pairings, tournament.Pairing{
				Board: b + 1,
				Seats: []string{t.Entries[2*b].ID, t.Entries[(2*b+1+2*r)%entries].ID}, GameID: fmt.Sprintf("g%d-%d", r, b),
				Result: &tournament.Result{Ranks: ranks, Points: t.Points.ForRanks(ranks), Source: tournament.ByServer},
			})
		}
		t.Rounds = append(t.Rounds, round)
	}
	return t
}

// BenchmarkStandingsPage serves a large tournament: cold after each result, warm in between.
func BenchmarkStandingsPage(b *testing.B) {
	for _, n := range []int{100, 1000} {
		for _, name := range []string{"cold", "warm"} {
			b.Run(fmt.Sprint(n, "/", name), func(b *testing.B) {
				f := newFixture(b)
				f.put(crowd(n))
				for b.Loop() {
					if name == "cold" {
						b.StopTimer()
						f.change("crowd", func(t *tournament.Tournament) { t.Rated = !t.Rated })
						b.StartTimer()
					}
					f.page("/tournaments/crowd", "")
				}
			})
		}
	}
}

func TestPageOfATournamentFollowsItsVersion(t *testing.T) {
	f := newFixture(t)
	f.put(crowd(6))
	before := f.page("/tournaments/crowd", "")
	f.change("crowd", func(t *tournament.Tournament) { t.Entries[0].Name = "Somebody else" })
	after := f.page("/tournaments/crowd", "")
	if before == after || !strings.Contains(after, "Somebody else") {
		t.Error("the page shows how things stood before")
	}
	if f.page("/tournaments/crowd?round=3", "") == after {
		t.Error("an earlier round looks like the latest")
	}
}

// TestADraftRoundIsOnNobodysPage: only staff see a draft round.
func TestADraftRoundIsOnNobodysPage(t *testing.T) {
	f := newFurnished(t)
	paths := []string{
		"/", "/tournaments", "/tournaments/ladder", "/tournaments/ladder/crosstable",
		"/tournaments/ladder/history", "/tournaments/ladder?round=2",
	}
	for _, at := range tournaments.Tabs {
		paths = append(paths, "/tournaments/ladder?tab="+string(at))
	}
	for _, kind := range []string{"pairings", "names", "standings", "crosstable", "entries", "checkin"} {
		paths = append(paths, "/tournaments/ladder/print/"+kind)
	}
	paths = append(paths, "/tournaments/ladder/wall", "/wall", "/embed/tournaments/ladder", "/tournaments/ladder.ics",
		"/tournaments/ladder.atom",
		"/tournaments/ladder/picture.png", "/tournaments/ladder/players/1",
		"/tournaments/ladder/players/4", "/tournaments/ladder/standings/1")
	read := func(as string) map[string]string {
		out := map[string]string{}
		for _, path := range paths {
			out[path] = f.page(path, as)
		}
		return out
	}
	before, staff := read("p1"), f.page("/tournaments/ladder", "p8")
	f.as("p8").send(http.MethodDelete, "/tournaments/ladder/rounds/3", nil, anyVersion).want(t, http.StatusNoContent)
	for path, now := range read("p1") {
		if now != before[path] {
			t.Errorf("%s tells of the draft round", path)
		}
	}
	if f.page("/tournaments/ladder", "p8") == staff {
		t.Error("its organiser does not see it")
	}
}
