package pages

import (
	"fmt"
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
		for name, results := range map[string]int64{"cold": 1, "warm": 0} {
			b.Run(fmt.Sprint(n, "/", name), func(b *testing.B) {
				w := newTown(b)
				t := crowd(n)
				w.tournaments[t.ID] = t
				for b.Loop() {
					t.PublicVersion += results
					w.page("/tournaments/crowd", "")
				}
			})
		}
	}
}

func TestPageOfATournamentFollowsItsVersion(t *testing.T) {
	w := newTown(t)
	crowd := crowd(6)
	w.tournaments[crowd.ID] = crowd
	before := w.page("/tournaments/crowd", "")
	next := *crowd
	next.Version++
	next.PublicVersion++
	next.Entries[0].Name = "Somebody else"
	w.tournaments[crowd.ID] = &next
	after := w.page("/tournaments/crowd", "")
	if before == after || !strings.Contains(after, "Somebody else") {
		t.Error("the page shows how things stood before")
	}
	if w.page("/tournaments/crowd?round=3", "") == after {
		t.Error("an earlier round looks like the latest")
	}
}

// TestADraftRoundIsOnNobodysPage: only staff see a draft round.
func TestADraftRoundIsOnNobodysPage(t *testing.T) {
	w := newTown(t).furnish()
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
			out[path] = w.page(path, as)
		}
		return out
	}
	ladder := w.tournaments["ladder"]
	drawn := *ladder
	earlier := *ladder
	earlier.Version, earlier.Rounds = ladder.Version+1, ladder.Rounds[:2]
	drawn.Version = ladder.Version + 2
	w.tournaments["ladder"] = &earlier
	before, staff := read("p1"), read("p8")
	w.tournaments["ladder"] = &drawn
	for path, now := range read("p1") {
		if now != before[path] {
			t.Errorf("%s tells of the draft round", path)
		}
	}
	if w.page("/tournaments/ladder", "p8") == staff["/tournaments/ladder"] {
		t.Error("its organiser does not see it")
	}
}
