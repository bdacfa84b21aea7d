package tables

import (
	"fmt"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Reasons draws the round again and explains it: who met whom before, the scores, what the best exchange of each entry
// would cost first, and the seats.
func (p Pairer) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	d, err := newDraw(p.field(h))
	if err != nil {
		return pairing.Reasons{}, err
	}
	round, why := d.round(), d.explain()
	var out pairing.Reasons
	for i, paired := range pairings(h, round) {
		r := pairing.Reason{Seats: paired.Seats, Bye: paired.Bye}
		switch {
		case i < len(why.Tables):
			t := why.Tables[i]
			r.Meeting, r.Colours = t.meeting(a.Name), t.seats(a.Name)
			r.PassedOver, r.Criterion = t.firstCriterion(h)
		case paired.Bye == tournament.PairingAllocated:
			r.Meeting = a.Name(round.Byes[i-len(why.Tables)]) +
				" has the bye: as few as possible sit out, and of those who can, who had the fewest byes, then the fewest points, then the last place."
		default:
			r.Meeting = "Not to be paired in this round."
		}
		if i == 0 && !round.Certificate.Optimal() {
			r.Meeting += " " + round.Certificate.words()
		}
		out.Boards = append(out.Boards, r)
	}
	return out, nil
}

// words returns a sentence about a certificate that is not complete.
func (c Certificate) words() string {
	if len(c.Value) == 1 && len(c.Bound) == 1 {
		return fmt.Sprintf("The draw is proved best in all that comes before %s (%s); there it has %d, and less than %d is impossible.",
			criterionWords[c.Criterion], c.Criterion, c.Value[0], c.Bound[0])
	}
	return fmt.Sprintf("The draw is proved best in all that comes before %s (%s).", criterionWords[c.Criterion], c.Criterion)
}

// meeting returns why these sit at one table.
func (r TableReasons) meeting(name func(int) string) string {
	scores := make([]string, len(r.Seats))
	for i, s := range r.Seats {
		scores[i] = fmt.Sprintf("%s (%s)", name(s.Number), tenths(s.Points))
	}
	out := []string{strings.Join(scores, ", ") + "."}
	if len(r.Met) == 0 {
		out = append(out, "All meet for the first time.")
	}
	for _, m := range r.Met {
		out = append(out, fmt.Sprintf("%s and %s met before, %d×.", name(m.A), name(m.B), m.Times))
	}
	for _, side := range r.Partner {
		out = append(out, fmt.Sprintf("%s and %s are partners.", name(side[0]), name(side[1])))
	}
	for _, s := range r.Seats {
		if text := s.Other.words(name(s.Number), name); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// words returns what an exchange would make worse; "" without one.
func (a Alternative) words(who string, name func(int) string) string {
	switch {
	case a.With == 0:
		return ""
	case a.Criterion == "T":
		return fmt.Sprintf("%s for %s would be as good: the order of places decides (T).", name(a.With), who)
	case a.Level > 0:
		return fmt.Sprintf("%s for %s would be worse: %s (%s), %+d of those who did so %d× before.",
			name(a.With), who, criterionWords[a.Criterion], a.Criterion, a.More, a.Level)
	}
	return fmt.Sprintf("%s for %s would be worse: %s (%s), %+d.", name(a.With), who, criterionWords[a.Criterion], a.Criterion, a.More)
}

// seats returns why the seats are so.
func (r TableReasons) seats(name func(int) string) string {
	had := make([]string, len(r.Seats))
	for i, s := range r.Seats {
		had[i] = fmt.Sprintf("%s %d×", name(s.Number), s.Had)
	}
	return "Each has the seat that makes repetitions of seats fewest, then those of neighbours; of equals the one who stands worse moves first. " +
		"Had this seat before: " + strings.Join(had, ", ") + "."
}

// firstCriterion returns the entry with which the first of the table could best be exchanged, and the criterion against it.
func (r TableReasons) firstCriterion(h pairing.History) (entry, criterion string) {
	for _, s := range r.Seats {
		if s.Other.With > 0 {
			return h.Field[s.Other.With-1].Entry.ID, s.Other.Criterion
		}
	}
	return "", ""
}
