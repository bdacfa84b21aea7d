package quiwin

import "quatuor/engine"

// measure compares the rows at the end of a tier.
func (f *full) measure() {
	f.measured++
	winner := f.winner(f.measured)
	if f.measured < len(tierEnds) {
		f.lead = nextLead(f.lead, winner)
		return
	}
	f.decide(winner)
}

// total returns the length of a row up to the end of a tier, in millimetres.
func (f *full) total(seat engine.Seat, tier int) int {
	sum := 0
	for _, t := range f.rows[seat-1][:tierEnds[tier-1]] {
		sum += lengths[t]
	}
	return sum
}

// winner returns the seat that wins a tier, 0 if the rows are equal.
func (f *full) winner(tier int) engine.Seat {
	one, two := f.total(1, tier), f.total(2, tier)
	if tier == 2 { // the longer row wins this tier
		one, two = two, one
	}
	return shorter(one, two)
}

// shorter returns the seat with the smaller length, 0 if they are equal.
func shorter(one, two int) engine.Seat {
	switch {
	case one < two:
		return 1
	case two < one:
		return 2
	}
	return 0
}

// nextLead returns the seat that leads after tier 1 or 2. A tier without a winner changes nothing; a tier won by the
// seat behind equalises.
func nextLead(lead, winner engine.Seat) engine.Seat {
	switch {
	case winner == 0:
		return lead
	case lead == 0 || lead == winner:
		return winner
	}
	return 0
}

// decide ends the game after tier 3, with the winner of that tier. If the tiers do not decide, the shorter tile in
// slots 6, 5, 4, 3 does, and if those are all equal the game is void.
func (f *full) decide(winner engine.Seat) {
	if winner != 0 && (f.lead == 0 || f.lead == winner) {
		f.win(winner, engine.ReasonTiers)
		return
	}
	for slot := 6; slot >= 3; slot-- {
		if winner := shorter(lengths[f.rows[0][slot-1]], lengths[f.rows[1][slot-1]]); winner != 0 {
			f.win(winner, engine.ReasonTieBreak)
			return
		}
	}
	f.end = &engine.Outcome{Reason: engine.ReasonReplay}
}
