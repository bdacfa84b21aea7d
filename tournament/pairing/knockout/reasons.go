package knockout

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

var _ pairing.Explainer = Pairer{}

// Reasons returns, for each board, its entries' places of origin in the bracket and the rule that decided its seats.
func (p Pairer) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	pairings, err := p.Pair(h)
	if err != nil {
		return pairing.Reasons{}, err
	}
	number := make(map[string]int, len(h.Field))
	for i := range h.Field {
		number[h.Field[i].Entry.ID] = i + 1
	}
	b := Of(h)
	stage, leg := b.stage(h.Round)
	out := pairing.Reasons{Boards: make([]pairing.Reason, len(pairings))}
	for i, paired := range pairings {
		n := number[paired.Seats[0]]
		m := b.matchOf(stage, n)
		r := pairing.Reason{Seats: paired.Seats, Bye: paired.Bye, Meeting: b.meeting(m, n, len(h.Field), a)}
		switch {
		case paired.Bye != tournament.NoBye:
		case leg > 1:
			r.Colours = sentence.New("It is the second leg, so %s has %s.", a.Name(n), pairing.SeatWord(pairing.White))
		default:
			r.Colours = seating(h, i+1, m, a)
		}
		out.Boards[i] = r
	}
	return out, nil
}

// matchOf returns a number's match of a round; the match for the third place is in the last round.
func (b Bracket) matchOf(round, number int) Match {
	matches := b.Rounds[round-1]
	if round == len(b.Rounds) && b.Third != nil {
		matches = append(matches[:len(matches):len(matches)], *b.Third)
	}
	for _, m := range matches {
		if m.Entries[0] == number || m.Entries[1] == number {
			return m
		}
	}
	return Match{}
}

// meeting returns the reason why two meet, or why a number is free.
func (b Bracket) meeting(m Match, number, field int, a pairing.Audience) sentence.Sentence {
	upper, lower := m.Entries[0], m.Entries[1]
	size := 1 << len(b.Rounds)
	switch {
	case m.Free() && m.Round == 1:
		return sentence.New("%s is seed %d, which meets seed %d in round 1 of a bracket for %d; with %d entries no entry "+
			"has that number, so %s has the bye.", a.Name(number), number, size+1-number, size, field, a.Name(number))
	case m.Free():
		return sentence.New("Both forfeited the match whose winner %s would have met, so %s goes on without a game.",
			a.Name(number), a.Name(number))
	case m.Place == 0:
		return sentence.New("%s and %s lost the semi-finals, and play for the third place.", a.Name(upper), a.Name(lower))
	case m.Round == 1:
		return sentence.New("Seeds %d and %d meet in round 1 of a bracket for %d.", upper, lower, size)
	}
	return sentence.New("%s and %s come from matches %d and %d of round %d, whose winners meet.",
		a.Name(upper), a.Name(lower), 2*m.Place-1, 2*m.Place, m.Round-1)
}

// seating returns the reason for the seats in the first game of a match.
func seating(h pairing.History, board int, m Match, a pairing.Audience) sentence.Sentence {
	high, low := min(m.Entries[0], m.Entries[1]), max(m.Entries[0], m.Entries[1])
	first, second := pairing.SeatWord(pairing.White), pairing.SeatWord(pairing.Black)
	highIsWhite, rule := whoIsWhite(h, board, high, low)
	white, black := high, low
	if !highIsWhite {
		white, black = low, high
	}
	switch rule {
	case byCount:
		return sentence.New("%s has %s, having had it less often than %s by comparison with %s.", a.Name(white), first,
			second, a.Name(black))
	case byLast:
		if white == high && colourOf(h.Field[high-1]).last == 0 || white == low && colourOf(h.Field[low-1]).last == 0 {
			return sentence.New("%s had %s last, so %s has it now.", a.Name(black), first, a.Name(white))
		}
		return sentence.New("%s had %s last, and has %s now.", a.Name(white), second, first)
	case bySeed:
		return sentence.New("Both had the same seat last; the higher seed, %s, gets the other one.", a.Name(high))
	}
	seat := second
	if highIsWhite {
		seat = first
	}
	return sentence.New("Neither has played yet; the higher seed has the initial seat on odd boards and the other one "+
		"on even boards, so %s has %s.", a.Name(high), seat)
}
