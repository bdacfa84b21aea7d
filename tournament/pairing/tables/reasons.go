package tables

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Reasons explains the round that the history has kept, or draws it again: earlier meetings, scores, the cost of each
// entry's best exchange, and the seats.
func (p Pairer) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	d, err := keptDraw(p.field(h), h.Found)
	if err != nil {
		return pairing.Reasons{}, err
	}
	round, why := d.round(), d.explain()
	var out pairing.Reasons
	for i, paired := range pairings(h, round) {
		r := pairing.Reason{Seats: paired.Seats, Bye: paired.Bye}
		switch {
		case i < len(why.Tables):
			r.Meeting = why.Tables[i].Sentence(a.Name)
			r.Colours = sentence.New("Each has the seat with which fewest repeat a seat, then fewest a neighbour; of equals " +
				"the one who stands worse moves first.")
			r.PassedOver, r.Criterion = why.Tables[i].firstCriterion(h)
		case paired.Bye == tournament.PairingAllocated:
			r.Meeting = sentence.New("%s has the bye: of those who can, who had the fewest byes, then the fewest points, "+
				"then the last place.", a.Name(round.Byes[i-len(why.Tables)]))
		default:
			r.Meeting = sentence.New("Not to be paired in this round.")
		}
		if i == 0 {
			r.Meeting = sentence.Join(" ", r.Meeting, round.Certificate.sentence())
		}
		out.Boards = append(out.Boards, r)
	}
	return out, nil
}

// sentence describes the proof of the draw.
func (c Certificate) sentence() sentence.Sentence {
	switch {
	case c.Optimal():
		return sentence.New("The draw is proved to be the best in all that counts.")
	case len(c.Value) == 1 && len(c.Bound) == 1:
		return sentence.New("The draw is proved to be the best in all that comes before %s (%s); there it has %d, and "+
			"less than %d is impossible.", criterionWords[c.Criterion], c.Criterion, c.Value[0], c.Bound[0])
	}
	return sentence.New("The draw is proved to be the best in all that comes before %s (%s).", criterionWords[c.Criterion],
		c.Criterion)
}

// firstCriterion returns the best exchange for the first entry of the table, and the criterion against it.
func (r TableReasons) firstCriterion(h pairing.History) (entry, criterion string) {
	for _, s := range r.Seats {
		if s.Other.With > 0 {
			return h.Field[s.Other.With-1].Entry.ID, s.Other.Criterion
		}
	}
	return "", ""
}
