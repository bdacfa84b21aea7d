package arena

import (
	"fmt"
	"testing"

	"quatuor/tournament"
)

// evening is a running arena of n players, of whom each has played games, and all wait.
func evening(n, games int) *tournament.Tournament {
	t := &tournament.Tournament{
		Format: tournament.Arena, Status: tournament.Running, StartedAt: 1, Points: tournament.PointSystem{Win: 20, Draw: 10},
		Rules: tournament.PairingRules{Arena: tournament.DefaultArenaRules(tournament.Arena)},
	}
	for i := range n {
		t.Entries = append(t.Entries, tournament.Entry{
			ID: fmt.Sprintf("e%04d", i), Number: i + 1, Members: []string{fmt.Sprint("p", i)}, ArenaPresence: tournament.ArenaPresence{Waiting: 1_000_000 + int64(i)},
		})
	}
	r := tournament.Round{Number: 1, Status: tournament.Published}
	for g := range games {
		for i := 0; i+1 < n; i += 2 {
			a, b := t.Entries[i].ID, t.Entries[(i+2*g+1)%n].ID
			if a == b {
				continue
			}
			result := &tournament.Result{Ranks: [][]int{{1, 2}, {2, 1}, {1, 1}}[(i+g)%3]}
			r.Pairings = append(r.Pairings, tournament.Pairing{
				Board: len(r.Pairings) + 1, Seats: []string{a, b}, Result: result,
				Arena: &tournament.ArenaGame{PairedAt: int64(g), EndedAt: int64(g+1) * 10_000, Moves: []int{9, 9}},
			})
		}
	}
	t.Rounds = []tournament.Round{r}
	return t
}

// BenchmarkTickOfATournament pairs 500 players that wait, after twenty games of each.
func BenchmarkTickOfATournament(b *testing.B) {
	t := evening(500, 20)
	n := 0
	for b.Loop() {
		pairs, err := Tick(t, 2_000_000, func(tournament.Entry) bool { return false })
		if err != nil || len(pairs) != 250 {
			b.Fatal(err, len(pairs))
		}
		next, err := AppendPairings(t, pairs, func() string { n++; return fmt.Sprint(n) }, 2_000_000)
		if err != nil || len(next.Rounds[0].Pairings) != len(t.Rounds[0].Pairings)+250 {
			b.Fatal(err)
		}
	}
}

// TestTickLeavesTheBusyOut pairs the others.
func TestTickLeavesTheBusyOut(t *testing.T) {
	tm := evening(6, 1)
	pairs, err := Tick(tm, 2_000_000, func(e tournament.Entry) bool { return e.Number <= 2 })
	if err != nil || len(pairs) != 2 {
		t.Fatalf("%v, %v", pairs, err)
	}
	for _, pair := range pairs {
		for _, id := range pair {
			if id == "e0000" || id == "e0001" {
				t.Errorf("%s plays elsewhere and was paired", id)
			}
		}
	}
}
