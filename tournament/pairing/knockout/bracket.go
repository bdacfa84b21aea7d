package knockout

import (
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Values in place of the number of an entry.
const (
	Open    = 0  // not known yet
	NoEntry = -1 // a bye, or a match that both forfeited
)

// Match is a place of the bracket.
type Match struct {
	Round   int    // of the bracket
	Place   int    // within the round from the top, from 1; 0 for the match for the third place
	Paired  int    // its round of the tournament: that of the last leg so far, 0 before it is paired
	Entries [2]int // numbers, the upper first; Open or NoEntry
	Winner  int    // number, Open before the result, or NoEntry
	Loser   int    // likewise
	Board   int    // of that round; 0 before it is paired, and for byes
}

// Free reports whether the match has no game, because an entry of it is NoEntry.
func (m Match) Free() bool { return m.Entries[0] == NoEntry || m.Entries[1] == NoEntry }

// Bracket is a knock-out bracket as far as it is known.
type Bracket struct {
	Rounds [][]Match // round r at index r−1, from the top; the winners of places 2p−1 and 2p meet at place p
	Third  *Match    // nil if it is not played for
	Legs   int       // matches between two opponents
}

// Of returns the bracket of a field after the rounds of a history.
func Of(h pairing.History) Bracket {
	rounds := Rounds(len(h.Field))
	if rounds == 0 {
		return Bracket{}
	}
	b := Bracket{Rounds: make([][]Match, rounds), Legs: max(1, h.Legs)}
	slots := Seeding(rounds)
	for i, n := range slots {
		if n > len(h.Field) {
			slots[i] = NoEntry
		}
	}
	for r := range rounds {
		matches := make([]Match, len(slots)/2)
		next := make([]int, len(matches))
		for i := range matches {
			matches[i] = b.played(h.Field, Match{Round: r + 1, Place: i + 1, Entries: [2]int{slots[2*i], slots[2*i+1]}})
			next[i] = matches[i].Winner
		}
		b.Rounds[r], slots = matches, next
	}
	if h.ThirdPlace && rounds > 1 {
		semi := b.Rounds[rounds-2]
		third := b.played(h.Field, Match{Round: rounds, Entries: [2]int{semi[0].Loser, semi[1].Loser}})
		b.Third = &third
	}
	return b
}

// played returns the match with its winner and loser, as far as known.
func (b Bracket) played(field []pairing.Entrant, m Match) Match {
	upper, lower := m.Entries[0], m.Entries[1]
	switch {
	case upper == Open || lower == Open:
		return m
	case upper == NoEntry:
		m.Winner, m.Loser = lower, NoEntry
		return m
	case lower == NoEntry:
		m.Winner, m.Loser = upper, NoEntry
		return m
	}
	last := m.Round * b.Legs
	m.Paired = last
	above, found := cell(field, m.Paired, upper, lower)
	for !found && m.Paired > last-b.Legs+1 {
		m.Paired--
		above, found = cell(field, m.Paired, upper, lower)
	}
	if !found {
		m.Paired = 0
		return m
	}
	m.Board = above.Board
	below, _ := cell(field, m.Paired, lower, upper)
	switch {
	case m.Paired < last:
	case above.Kind == tournament.Pending:
	case above.GoesOn:
		m.Winner, m.Loser = upper, lower
	case below.GoesOn:
		m.Winner, m.Loser = lower, upper
	case above.Kind == tournament.ForfeitLoss && below.Kind == tournament.ForfeitLoss:
		m.Winner, m.Loser = NoEntry, NoEntry
	case above.Kind == tournament.ForfeitWin || above.Kind == tournament.Played && above.Points > below.Points:
		m.Winner, m.Loser = upper, lower
	case below.Kind == tournament.ForfeitWin || below.Kind == tournament.Played && below.Points > above.Points:
		m.Winner, m.Loser = lower, upper
	}
	return m
}

// cell returns a number's cell in a round, and whether it was a match against the other.
func cell(field []pairing.Entrant, round, number, against int) (tournament.Cell, bool) {
	cells := field[number-1].Cells
	if round > len(cells) {
		return tournament.Cell{}, false
	}
	c := cells[round-1]
	return c, len(c.Opponents) == 1 && c.Opponents[0] == against
}

// Standing is an entry's progress in the bracket.
type Standing struct {
	Rank int // the best of the ranks that it shares
	Out  int // the round of its defeat in the tournament, 0 for none; the match for the third place does not count
}

// Ranks returns the progress of each number n, at index n−1. Entries that lost in the same round share the ranks behind
// those still in: 2 for the final, 3 and 4 for the semi-finals, 5 to 8 before, and so on. The match for the third place
// separates ranks 3 and 4. Entries that are still in have rank 1.
func (b Bracket) Ranks(field int) []Standing {
	out := make([]Standing, field)
	for i := range out {
		out[i].Rank = 1
	}
	for r, matches := range b.Rounds {
		lost := Standing{Rank: 1<<(len(b.Rounds)-r-1) + 1, Out: (r + 1) * b.Legs}
		for _, m := range matches {
			if m.Winner == Open {
				continue
			}
			for _, n := range m.Entries {
				if n > 0 && n != m.Winner {
					out[n-1] = lost
				}
			}
		}
	}
	if b.Third != nil && b.Third.Winner > 0 && b.Third.Loser > 0 {
		out[b.Third.Loser-1].Rank = 4
	}
	return out
}
