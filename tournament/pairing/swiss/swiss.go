// Package swiss pairs Swiss tournaments by the FIDE (Dutch) System, C.04.3 in the edition of 1 February 2026, under the
// rules common to all Swiss systems (C.04.1, C.04.2), on request with the Baku Acceleration (C.04.7).
//
// # What an earlier round means
//
//	cell                     met (C1)   colour   bars the bye (C2)          float (Art. 1.4)
//	game                     yes        yes      no                         down, up or none by the scores then
//	forfeit win              no         no       if worth a win             down
//	forfeit loss             no         no       no                         none
//	pairing-allocated bye    –          –        yes                        down
//	full-point bye           –          –        yes                        down
//	half-point bye           –          –        no                         down, if worth more than a loss
//	zero-point bye, absent   –          –        no                         none
//
// Scores are real points plus the virtual points of the round that is or was paired.
//
// # Colours
//
// Whites minus blacks over the games played, gaps closed up (Art. 1.6, 1.7):
//
//	difference            last two games     due
//	beyond ±1             –                  the rarer colour, absolutely
//	else                  the same colour    the other, absolutely
//	±1                    else               the rarer colour, strongly
//	0                     else               the other than last time, mildly
//	no game                                  nothing
//
// Two players with the same absolute colour preference do not meet (C3), unless it is the last round and either is a
// topscorer: has more than half of the maximum points (Art. 1.8). [ColourRule] has the rules for the colours of a pair.
//
// # How the best pairing is found
//
// Brackets are paired from the top. A bracket's pairing is a minimum-cost perfect matching of its players: every
// criterion from C6 on is a sum over the pairs and over the floaters, and the criteria are the digits of a cost vector
// (criteria.go; package matching solves it). Among the cheapest pairings the order of the candidates decides (Art. 3,
// 4): the first is found player by player, without recomputing any cost (order.go).
//
// C4 and C8 look beyond the bracket. As they rarely bind, a bracket is first solved alone; if its floats find the best
// conceivable place below, and some complete pairing of all others remains, nothing can be better. Otherwise it is
// solved together with the following bracket, and at last together with all players below (bracket.go).
package swiss

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Pairer is the Dutch system as a pairing system for a tournament. The zero value is the plain system.
type Pairer struct {
	// Virtual returns the virtual points that a number has when a round is paired; nil means those of the Baku
	// Acceleration if the history has a group A, else none.
	Virtual func(number, round int) tournament.Points
}

// Rounds returns the planned number of rounds, or an error if they cannot be played: entries meet at most once, and in
// an odd field each has a single bye.
func (p Pairer) Rounds(entries, planned int) (int, error) {
	limit := entries - 1
	if entries%2 == 1 {
		limit = entries
	}
	switch {
	case entries < 2:
		return 0, tournament.NotValid("a Swiss tournament needs at least 2 entries, and there are %d", entries)
	case planned < 1:
		return 0, tournament.NotValid("a Swiss tournament needs a number of rounds; from 1 to %d are possible", limit)
	case planned > limit:
		return 0, tournament.NotValid("%d entries cannot play %d rounds; from 1 to %d are possible", entries, planned,
			limit)
	}
	return planned, nil
}

// Pair returns the round: games in board order, then the pairing-allocated bye, then the entries that are away.
func (p Pairer) Pair(h pairing.History) ([]tournament.Pairing, error) {
	round, err := p.Draw(h)
	if err != nil {
		return nil, err
	}
	return round.Pairings(h), nil
}

// Pairings returns the boards of a round after a history: the games in board order, then the byes.
func (r Round) Pairings(h pairing.History) (out []tournament.Pairing) {
	for _, g := range r.Games {
		out = append(out, h.Pairing(len(out)+1, tournament.NoBye, g.White, g.Black))
	}
	if r.Bye > 0 {
		out = append(out, h.Pairing(len(out)+1, tournament.PairingAllocated, r.Bye))
	}
	for _, a := range r.Away {
		out = append(out, h.Pairing(len(out)+1, a.Bye, a.Number))
	}
	return out
}

// Advice returns a warning about a number of rounds that may end badly, or an empty sentence: when almost all entries
// have met, the last rounds may have no legal pairing.
func (p Pairer) Advice(entries, rounds int) sentence.Sentence {
	separating := 0
	for 1<<separating < entries {
		separating++
	}
	switch {
	case entries%2 == 0 && rounds >= entries || entries%2 == 1 && rounds > entries:
		return sentence.New("%d rounds are more than %d entries have opponents: the last rounds cannot be paired", rounds,
			entries)
	case 2*rounds > entries && entries > 2:
		return sentence.New("%d rounds are many for %d entries: the last rounds may have no legal pairing; a round-robin "+
			"would be surer", rounds, entries)
	case rounds < separating:
		return sentence.New("%d rounds are few for %d entries: more than one may win all games; %d rounds would separate "+
			"them", rounds, entries, separating)
	}
	return sentence.Sentence{}
}

// GroupA returns the last number of the group that the Baku Acceleration favours at first: the first 2·⌈n/4⌉ of the n
// players active in the first round that had any, or in the round to be paired. Players that had not arrived by then
// had no number and do not count. Late entries may enlarge the group, since its last player stays the same.
func GroupA(h pairing.History) int {
	for round := range h.Round - 1 {
		if last := lastOfA(h, func(e pairing.Entrant) bool { return wasPaired(e.Cells[round]) }); last > 0 {
			return last
		}
	}
	return lastOfA(h, func(e pairing.Entrant) bool { return e.Away == tournament.NoBye })
}

// lastOfA returns the last number of group A of the players present; 0 for none.
func lastOfA(h pairing.History, here func(pairing.Entrant) bool) int {
	var numbers []int
	for i, e := range h.Field {
		if here(e) {
			numbers = append(numbers, i+1)
		}
	}
	if len(numbers) == 0 {
		return 0
	}
	return numbers[min(tournament.GroupASize(len(numbers)), len(numbers))-1]
}

// Baku returns the virtual points of the Baku Acceleration (C.04.7) for [Pairer].Virtual. Group A, the first numbers,
// gets a win's points in the first half of the accelerated rounds and half of that in the others; group B never gets
// any. The first half of all rounds is accelerated; both halves are rounded up. It suits point systems with a win worth
// two draws and a loss worth nothing.
func Baku(groupA, rounds int, points tournament.PointSystem) func(number, round int) tournament.Points {
	accelerated := (rounds + 1) / 2
	full := (accelerated + 1) / 2
	return func(number, round int) tournament.Points {
		switch {
		case number > groupA || round > accelerated:
			return 0
		case round <= full:
			return points.Win
		}
		return points.Draw
	}
}

// check refuses a round that breaks an absolute rule: every active player is paired once, no two meet again (C1), the bye
// goes to a player that may have it (C2), no absolute colour preference is denied (C3), and forbidden pairs do not meet.
// Errors wrap tournament.ErrInvalid.
func (d *draw) check(round Round) error {
	rank := make(map[int]int)
	for i, p := range d.players {
		rank[p.number] = i
	}
	for _, g := range round.Games {
		i, ok := rank[g.White]
		j, ok2 := rank[g.Black]
		delete(rank, g.White)
		delete(rank, g.Black)
		if !ok || !ok2 || i == j {
			return d.refuse("%d and %d: one of them does not take part, or is paired twice", g.White, g.Black)
		}
		if !d.legal[i].Has(j) {
			return d.refuse("%d and %d may not meet: %s", g.White, g.Black, d.whyIllegal(d.players[i], d.players[j]))
		}
	}
	if i, ok := rank[round.Bye]; ok {
		delete(rank, round.Bye)
		if d.players[i].barred {
			return d.refuse("number %d has had a bye, or a win without playing, and may not have the bye (C2)", round.Bye)
		}
	} else if round.Bye != 0 {
		return d.refuse("number %d has the bye, and does not take part or is paired twice", round.Bye)
	}
	for _, p := range d.players {
		if _, ok := rank[p.number]; ok {
			return d.refuse("number %d is not paired", p.number)
		}
	}
	return nil
}

func (d *draw) refuse(format string, args ...any) error {
	return tournament.NotValid("round %d: "+format, append([]any{d.history.Round}, args...)...)
}
