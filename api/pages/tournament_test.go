package pages

import (
	"fmt"
	"strings"
	"testing"

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
			ID: fmt.Sprintf("e%d", i+1), Number: i + 1, Name: fmt.Sprintf("Player of the name %d", i+1), Status: tournament.Confirmed,
		})
	}
	for r := range 9 {
		round := tournament.Round{Number: r + 1, Status: tournament.Complete}
		for b := range entries / 2 {
			ranks := [][]int{{1, 2}, {2, 1}, {1, 1}}[(b*7+r*3)%3]
			round.Pairings = append(round.Pairings, tournament.Pairing{
				Board: b + 1, Seats: []string{t.Entries[2*b].ID, t.Entries[(2*b+1+2*r)%entries].ID}, GameID: fmt.Sprintf("g%d-%d", r, b),
				Result: &tournament.Result{Ranks: ranks, Points: t.Points.ForRanks(ranks), Source: tournament.ByServer},
			})
		}
		t.Rounds = append(t.Rounds, round)
	}
	return t
}

// BenchmarkStandingsPage answers for a large tournament: cold after each result, warm in between.
func BenchmarkStandingsPage(b *testing.B) {
	for _, n := range []int{100, 1000} {
		for name, results := range map[string]int64{"cold": 1, "warm": 0} {
			b.Run(fmt.Sprint(n, "/", name), func(b *testing.B) {
				w := newTown(b)
				t := crowd(n)
				w.tournaments[t.ID] = t
				for b.Loop() {
					t.Version += results
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
