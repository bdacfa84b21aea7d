// Package roundrobin pairs all-play-all tournaments by the Berger tables (FIDE Handbook C.05, Annex).
//
// With n entries, n even, round r of n−1 has on board 1 the entry a against n: for odd r, a = (r+1)/2 is White; for
// even r, a = n/2 + r/2 is Black. Board k+1, k = 1 … n/2−1, has White ((a+k−1) mod (n−1))+1 and Black
// ((a−k−1) mod (n−1))+1.
//
// An odd field is paired as if it had another entry; the opponent of that entry is free. A free round is a bye without
// points (ZPB): it comes last in the round, on the last board of a tournament and with board 0 in a table. It is no
// unplayed round in the sense of the tie-breaks, since every entry has a free round.
//
// A double round-robin repeats the tables with colours reversed; the last two rounds of the first cycle change
// places, so that no entry has the same colour three times in a row.
//
// An entry that has withdrawn stays in the tables: its games to come are forfeited when their round is published.
package roundrobin

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Game is a game of a table by numbers.
type Game struct {
	White, Black int // Black is 0 where White is free
}

// Rounds returns the number of rounds that n entries need, 0 for fewer than two.
func Rounds(n int, double bool) int {
	if n < 2 {
		return 0
	}
	rounds := even(n) - 1
	if double {
		rounds *= 2
	}
	return rounds
}

// Round returns the games of round r (from 1 to Rounds) for n entries in board order; the free entry comes last.
func Round(n int, double bool, r int) []Game {
	size := even(n)
	cycle := size - 1
	reversed := r > cycle
	switch {
	case reversed:
		r -= cycle
	case double && cycle > 1 && r >= cycle-1:
		r = 2*cycle - 1 - r // the last two of the first cycle change places
	}
	games, free := make([]Game, 0, size/2), 0
	for _, g := range berger(size, r) {
		if reversed {
			g.White, g.Black = g.Black, g.White
		}
		switch {
		case g.White > n:
			free = g.Black
		case g.Black > n:
			free = g.White
		default:
			games = append(games, g)
		}
	}
	if free > 0 {
		games = append(games, Game{White: free})
	}
	return games
}

// berger returns round r of the table for n entries, n even.
func berger(n, r int) []Game {
	m := n - 1
	games := make([]Game, n/2)
	a := (r + 1) / 2
	games[0] = Game{White: a, Black: n}
	if r%2 == 0 {
		a = n/2 + r/2
		games[0] = Game{White: n, Black: a}
	}
	for k := 1; k < n/2; k++ {
		games[k] = Game{White: (a+k-1)%m + 1, Black: (a-k-1+m)%m + 1}
	}
	return games
}

func even(n int) int { return n + n%2 }

// Pairer pairs a tournament by the tables.
type Pairer struct {
	Double bool
}

// Rounds returns the tables' number of rounds, whatever was planned.
func (p Pairer) Rounds(entries, _ int) (int, error) {
	if entries < 2 {
		return 0, tournament.NotValid("a round-robin needs at least 2 entries, and there are %d", entries)
	}
	return Rounds(entries, p.Double), nil
}

// Advice returns a warning where the planned number of rounds is not that of the tables.
func (p Pairer) Advice(entries, planned int) sentence.Sentence {
	if rounds := Rounds(entries, p.Double); planned > 0 && planned != rounds {
		return sentence.New("%d entries play %d rounds by the tables, not the %d planned", entries, rounds, planned)
	}
	return sentence.Sentence{}
}

// Pair returns the round of the tables. It fails only for rounds that the tables do not have.
func (p Pairer) Pair(h pairing.History) ([]tournament.Pairing, error) {
	n := len(h.Field)
	if last := Rounds(n, p.Double); h.Round < 1 || h.Round > last {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "a round-robin of %d entries has %d rounds and no round %d",
			n, last, h.Round)
	}
	games := Round(n, p.Double, h.Round)
	pairings := make([]tournament.Pairing, len(games))
	for i, g := range games {
		pairings[i] = tournament.Pairing{Board: i + 1, Seats: []string{h.Field[g.White-1].Entry.ID}}
		if g.Black == 0 {
			pairings[i].Bye = tournament.ZeroPoint
		} else {
			pairings[i].Seats = append(pairings[i].Seats, h.Field[g.Black-1].Entry.ID)
		}
	}
	return pairings, nil
}
