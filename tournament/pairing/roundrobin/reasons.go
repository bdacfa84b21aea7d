package roundrobin

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

var _ pairing.Explainer = Pairer{}

// article is the place of the tables in the FIDE Handbook.
const article = "C.05, Annex"

// Reasons returns, for each board, its row in the Berger tables.
func (p Pairer) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	pairings, err := p.Pair(h)
	if err != nil {
		return pairing.Reasons{}, err
	}
	n := len(h.Field)
	games := Round(n, p.Double, h.Round)
	where := p.row(n, h.Round)
	out := pairing.Reasons{Boards: make([]pairing.Reason, len(games))}
	for i, g := range games {
		r := pairing.Reason{Seats: pairings[i].Seats, Bye: pairings[i].Bye, Articles: []string{article}}
		if g.Black == 0 {
			r.Meeting = sentence.New("%s has number %d, which meets number %d in %s; with %d entries no entry has that "+
				"number, so %s is free (%s).", a.Name(g.White), g.White, even(n), where, n, a.Name(g.White), article)
			r.Bye = tournament.ZeroPoint
		} else {
			r.Meeting = sentence.New("Numbers %d and %d meet in %s (%s).", g.White, g.Black, where, article)
			first := pairing.SeatWord(pairing.White)
			r.Colours = sentence.New("The table gives %s to number %d, %s.", first, g.White, a.Name(g.White))
			if h.Round > even(n)-1 {
				r.Colours = sentence.New("The table gives %s to number %d, %s; the second cycle repeats the first with the "+
					"seats exchanged.", first, g.White, a.Name(g.White))
			}
		}
		out.Boards[i] = r
	}
	return out, nil
}

// row describes the row of the table that is used in a round.
func (p Pairer) row(n, round int) sentence.Sentence {
	size := even(n)
	cycle := size - 1
	row := round
	switch {
	case round > cycle:
		row = round - cycle
	case p.Double && cycle > 1 && round >= cycle-1:
		row = 2*cycle - 1 - round
	}
	if row != round && round <= cycle {
		return sentence.New("row %d of the Berger table for %d, whose last two rows change places in a double round-robin",
			row, size)
	}
	return sentence.New("row %d of the Berger table for %d", row, size)
}
