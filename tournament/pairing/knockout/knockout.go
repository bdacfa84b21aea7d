// Package knockout pairs knock-out tournaments: the loser of a match is out, until a single entry is left.
//
// # Bracket
//
// n entries fill a bracket of the next power of two, b, by their numbers. It is built from the final outwards: number 1
// on top, 2 below; and each time that the bracket is doubled, every number s gets the opponent b+1−s, b being the new
// size, alternately below it and above it. So 4 play as 1–4, 3–2, and 8 as 1–8, 5–4, 3–6, 7–2. Numbers 1 and 2 can only
// meet in the final, the first four only in the semi-finals, and so on; and as long as lower numbers win, the best of
// each round meets the last. Numbers beyond n are no entry: the first b−n entries have a bye in round 1 (PAB). No other
// round has byes, unless both entries forfeited a match: then no entry comes through it, and the opponent of its winner
// is free (PAB). Each match is a single pairing, however many games it takes.
//
//	match of two                  winner                          for third place plays on
//	result with ranks             rank 1, played or by forfeit    rank 2
//	level match of teams          the winner by the breaks        the other
//	double forfeit                no entry                        no entry
//	against no entry              the other                       no entry
//	no result yet                 open                            open
//
// An entry that has withdrawn stays in the bracket: its pairing is forfeited when its round is published, and the
// opponent goes through.
//
// If the regulations want it, the losers of the semi-finals play for the third place in the round of the final, on the
// board after it, unless only a single entry has lost a semi-final.
//
// # Colours
//
// The first of these rules that decides determines White (seat 1) in the first game of a match:
//
//  1. the entry that has had White less often than Black, compared with the other; all games of earlier matches that
//     were played count, void games and forfeits do not;
//  2. the entry that did not have White last time; if both had the same colour last, the higher seed (the lower
//     number) gets the other;
//  3. if neither has played yet: on odd boards the higher seed gets the initial colour, which is drawn by lot at the
//     start of the tournament, on even boards the other.
//
// From game to game of a match the seats are exchanged; see [tournament.KnockoutRules].
//
// # Legs
//
// Teams may meet in two matches, the legs, each in a round of the tournament: rounds 2r−1 and 2r are round r of the
// bracket. The second leg has the pairings of the first with the colours exchanged, and the same byes; the winner is
// known after it.
package knockout

import (
	"math/bits"
	"slices"
	"strconv"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Rounds returns the number of rounds that n entries need; 0 for fewer than two.
func Rounds(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// Name returns the name of a round: "Final", "Semi-finals", "Quarter-finals", and before these by the size of its
// bracket.
func Name(round, rounds int) string {
	switch left := rounds - round; left {
	case 0:
		return "Final"
	case 1:
		return "Semi-finals"
	case 2:
		return "Quarter-finals"
	default:
		return "Round of " + strconv.Itoa(2<<left)
	}
}

// Seeding returns the numbers of a bracket of 2^rounds from top to bottom: the matches of round 1 are between
// neighbours.
func Seeding(rounds int) []int {
	seeds := []int{1}
	for range rounds {
		grown := make([]int, 0, 2*len(seeds))
		for i, s := range seeds {
			other := 2*len(seeds) + 1 - s
			if i%2 == 1 {
				s, other = other, s
			}
			grown = append(grown, s, other)
		}
		seeds = grown
	}
	return seeds
}

// Pairer pairs a tournament by its bracket.
type Pairer struct {
	Legs int // matches between two opponents; 0 for 1
}

// Rounds returns the bracket's number of rounds, times the legs, whatever was planned.
func (p Pairer) Rounds(entries, _ int) (int, error) {
	if entries < 2 {
		return 0, tournament.NotValid("a knock-out needs at least 2 entries, and there are %d", entries)
	}
	return Rounds(entries) * max(1, p.Legs), nil
}

// Pair returns the matches of the round from the top of the bracket, then that for the third place, then the byes.
// It fails if an earlier match is not decided, or if no entry came through the round before.
func (Pairer) Pair(h pairing.History) ([]tournament.Pairing, error) {
	b := Of(h)
	if h.Round < 1 || h.Round > len(b.Rounds)*b.Legs {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "a knock-out of %d entries has %d rounds and no round %d",
			len(h.Field), len(b.Rounds)*b.Legs, h.Round)
	}
	stage, leg := b.stage(h.Round)
	if leg > 1 {
		return nextLeg(h), nil
	}
	due := b.Rounds[stage-1]
	if stage == len(b.Rounds) && b.Third != nil {
		due = append(due[:len(due):len(due)], *b.Third)
	}
	var out []tournament.Pairing
	var free []int
	for _, m := range due {
		upper, lower := m.Entries[0], m.Entries[1]
		switch {
		case upper == Open || lower == Open:
			return nil, tournament.Refuse(tournament.ErrUnpairable, "round %d has a match without a winner", h.Round-1)
		case !m.Free():
			white, black := colours(h, len(out)+1, min(upper, lower), max(upper, lower))
			out = append(out, h.Pairing(len(out)+1, tournament.NoBye, white, black))
		case m.Place > 0 && m.Winner != NoEntry:
			free = append(free, m.Winner)
		}
	}
	for _, n := range free {
		out = append(out, h.Pairing(len(out)+1, tournament.PairingAllocated, n))
	}
	if len(out) == 0 {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "no entry has come through round %d", h.Round-1)
	}
	return out, nil
}

// stage returns the round of the bracket that a round of the tournament is played for, and which leg of it.
func (b Bracket) stage(round int) (stage, leg int) { return (round-1)/b.Legs + 1, (round-1)%b.Legs + 1 }

// nextLeg returns the pairings of the round before with the colours exchanged.
func nextLeg(h pairing.History) (out []tournament.Pairing) {
	for i, e := range h.Field {
		switch c := e.Cells[h.Round-2]; {
		case c.Bye != tournament.NoBye:
			out = append(out, h.Pairing(c.Board, c.Bye, i+1))
		case len(c.Opponents) == 1 && c.Seat == int(pairing.Black):
			out = append(out, h.Pairing(c.Board, tournament.NoBye, i+1, c.Opponents[0]))
		}
	}
	slices.SortFunc(out, func(a, b tournament.Pairing) int { return a.Board - b.Board })
	return out
}

// colours returns the seats of two numbers; high is the seed that is ranked higher.
func colours(h pairing.History, board, high, low int) (white, black int) {
	if highIsWhite, _ := whoIsWhite(h, board, high, low); highIsWhite {
		return high, low
	}
	return low, high
}

// colourRule is the rule that decided the colours.
type colourRule int

const (
	byCount colourRule = iota + 1 // White less often
	byLast                        // not the same colour again
	bySeed                        // the same colour last: the higher seed changes
	byLot                         // neither has played
)

func whoIsWhite(h pairing.History, board, high, low int) (highIsWhite bool, rule colourRule) {
	x, y := colourOf(h.Field[high-1]), colourOf(h.Field[low-1])
	switch {
	case x.surplus != y.surplus:
		return x.surplus < y.surplus, byCount
	case x.last != 0 && x.last == y.last:
		return x.last == pairing.Black, bySeed
	case x.last != 0:
		return x.last == pairing.Black, byLast
	case y.last != 0:
		return y.last == pairing.White, byLast
	}
	return (board%2 == 1) == (h.Initial != pairing.Black), byLot
}

// had sums up the colours that an entry has had.
type had struct {
	surplus int            // games with White less those with Black
	last    pairing.Colour // 0 before the first game
}

func colourOf(e pairing.Entrant) had {
	var out had
	for _, c := range e.Cells {
		if c.Kind != tournament.Played || len(c.Opponents) != 1 {
			continue
		}
		out.last = pairing.Colour(c.Seat)
		switch {
		case c.Balanced:
		case out.last == pairing.White:
			out.surplus++
		default:
			out.surplus--
		}
	}
	return out
}
