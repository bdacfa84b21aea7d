package tournament

import (
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament/wording"
)

// Bonus is points that an arbiter adds to the totals of a team, or takes off as a penalty. They count in the table
// after a round and in the pairing of the next one, and from then on.
type Bonus struct {
	Entry string `json:"entry"` // id
	MP    Points `json:"mp,omitempty"`
	GP    Points `json:"gp,omitempty"`
	After int    `json:"after,omitempty"` // round; 0 from the start
	Why   string `json:"why"`
}

// Totals returns both scores.
func (b Bonus) Totals() TeamTotals { return TeamTotals{b.MP, b.GP} }

// Limits of penalties and bonuses: report files have four columns for each.
const (
	maxBonuses = 500
	minBonus   = Points(-99)
	maxBonus   = Points(999)
)

// BonusOf returns what penalties and bonuses add to the totals of an entry in the table after a round.
func (t *Tournament) BonusOf(entry string, round int) (sum TeamTotals) {
	for _, b := range t.Bonuses {
		if b.Entry == entry && b.After <= round {
			sum = sum.Plus(b.Totals())
		}
	}
	return sum
}

// SetBonuses replaces the penalties and bonuses. Those that count in a table from which a round was paired stay as they
// are: what is wrong with them is put right by others that count from now on.
func (t *Tournament) SetBonuses(list []Bonus) (*Tournament, Delta, error) {
	switch {
	case t.Teams == nil || t.Format.Eliminates():
		return nil, Delta{}, Refuse(ErrState, "only teams in a table get penalties and bonuses, and this is a %s", t.Format)
	case t.Status == Archived:
		return nil, Delta{}, Refuse(ErrState, "the tournament is archived and can no longer change")
	}
	var faults FieldErrors
	if len(list) > maxBonuses {
		faults.add("items", "%d penalties and bonuses are too many; at most %d are allowed", len(list), maxBonuses)
		return nil, Delta{}, faults
	}
	list = slices.Clone(list)
	for i := range list {
		t.checkBonus(&list[i], &faults)
	}
	if err := faults.or(); err != nil {
		return nil, Delta{}, err
	}
	for _, b := range append(without(t.Bonuses, list), without(list, t.Bonuses)...) {
		if b.After < len(t.Rounds) {
			return nil, Delta{}, Refuse(ErrState, "round %d was paired from the table after round %d; points can be added or "+
				"taken off from that after round %d on", b.After+1, b.After, len(t.Rounds))
		}
	}
	return t.with(func(next *Tournament) { next.Bonuses = orNil(list) })
}

func (t *Tournament) checkBonus(b *Bonus, faults *FieldErrors) {
	e, ok := t.Entry(b.Entry)
	if !ok {
		faults.add("items", "there is no entry %q", b.Entry)
	}
	if b.MP == 0 && b.GP == 0 || min(b.MP, b.GP) < minBonus || max(b.MP, b.GP) > maxBonus {
		faults.add("items", "%s: %s match points and %s game points are not possible; write %s to %s, one of them not 0", e.Name,
			b.MP, b.GP, minBonus, maxBonus)
	}
	if last := max(t.RoundCount, len(t.Rounds)); b.After < 0 || b.After > max(last, 1) {
		faults.add("items", "%d is not a round; write 0 for the start, or a round up to %d", b.After, last)
	}
	why, err := wording.Paragraph.Clean(b.Why, 500)
	if err != nil {
		faults.add("items", "a penalty or a bonus needs a reason: %v", err)
	}
	b.Why = why
}

// without returns the bonuses that another list has not, each as often as it has it more.
func without(list, other []Bonus) (out []Bonus) {
	rest := slices.Clone(other)
	for _, b := range list {
		if i := slices.Index(rest, b); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			out = append(out, b)
		}
	}
	return out
}

// BonusNews returns what the history has of a change of penalties and bonuses.
func (t *Tournament) BonusNews(next *Tournament) sentence.Sentence {
	var parts []sentence.Sentence
	for _, b := range without(t.Bonuses, next.Bonuses) {
		parts = append(parts, sentence.New("no longer: %s", t.bonusText(b)))
	}
	for _, b := range without(next.Bonuses, t.Bonuses) {
		parts = append(parts, t.bonusText(b))
	}
	return sentence.Join("; ", parts...)
}

func (t *Tournament) bonusText(b Bonus) sentence.Sentence {
	e, _ := t.Entry(b.Entry)
	return sentence.New("%s: %s MP and %s GP from the table after round %d on (%s)", e.Name, b.MP, b.GP, b.After, b.Why)
}
