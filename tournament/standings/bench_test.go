package standings

import (
	"fmt"
	"testing"

	"quatuor/tournament"
)

// crowd is a tournament of n entries with nine rounds played, and some missed.
func crowd(entries int, codes ...string) *tournament.Tournament {
	t := &tournament.Tournament{
		Format: tournament.Swiss, RoundCount: 9, TieBreaks: codes, Points: tournament.StandardPoints,
		Status: tournament.Running,
	}
	for n := 1; n <= entries; n++ {
		t.Entries = append(t.Entries, tournament.Entry{
			ID: fmt.Sprintf("e%d", n), Number: n, Rating: float64(2400 - n), Status: tournament.Confirmed,
		})
	}
	for r := range 9 {
		round := tournament.Round{Number: r + 1, Status: tournament.Complete}
		add := func(p tournament.Pairing) {
			p.Board = len(round.Pairings) + 1
			round.Pairings = append(round.Pairings, p)
		}
		for b := range entries / 2 {
			white, black := t.Entries[b].ID, t.Entries[entries/2+(b+r*37)%(entries/2)].ID
			if (b+r)%25 == 0 {
				add(tournament.Pairing{
					Seats: []string{white}, Bye: tournament.HalfPoint, Result: &tournament.Result{Points: []tournament.Points{5}},
				})
				continue
			}
			ranks := [][]int{{1, 2}, {2, 1}, {1, 1}}[(b*7+r*3)%3]
			add(tournament.Pairing{
				Seats: []string{white, black}, Result: &tournament.Result{Ranks: ranks, Points: t.Points.ForRanks(ranks)},
			})
		}
		t.Rounds = append(t.Rounds, round)
	}
	return t
}

// BenchmarkAfter ranks 1,000 entries after nine rounds by five tie-breaks, as after every result.
func BenchmarkAfter(b *testing.B) {
	for _, codes := range [][]string{
		{"BH/C1", "BH", "DE", "SB", "WIN"}, {"DE", "BH/M1", "AOB", "SB/C1", "FB"}, {"ARO", "TPR", "PTP", "APRO", "APPO"},
	} {
		b.Run(fmt.Sprint(codes), func(b *testing.B) {
			t := crowd(1000, codes...)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := After(t, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
