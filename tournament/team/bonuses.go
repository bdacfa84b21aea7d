package team

import (
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/wording"
)

// Limits of penalties and bonuses: report files have four columns for each.
const (
	maxBonuses = 500
	minBonus   = tournament.Points(-99)
	maxBonus   = tournament.Points(999)
)

// SetBonuses replaces the penalties and bonuses. Those that count in a table that a round was paired from cannot
// change; a mistake in them is corrected with others that count from now on.
func SetBonuses(t *tournament.Tournament, list []tournament.Bonus) (*tournament.Revision, error) {
	switch {
	case t.Teams == nil || t.Format.Eliminates():
		return nil, tournament.NotNow("only teams in a table get penalties and bonuses, and this is a %s", t.Format)
	case t.Status == tournament.Archived:
		return nil, tournament.InArchive()
	}
	var faults tournament.FieldErrors
	if len(list) > maxBonuses {
		faults.Add("items", "%d penalties and bonuses are too many; at most %d are allowed", len(list), maxBonuses)
		return nil, faults
	}
	list = slices.Clone(list)
	for i := range list {
		checkBonus(t, &list[i], &faults)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	for _, b := range append(without(t.Bonuses, list), without(list, t.Bonuses)...) {
		if b.After < len(t.Rounds) {
			return nil, tournament.NotNow("round %d was paired from the table after round %d; points can be added or taken "+
				"off from that after round %d on", b.After+1, b.After, len(t.Rounds))
		}
	}
	return t.With(func(next *tournament.Tournament) { next.Bonuses = tournament.OrNil(list) })
}

func checkBonus(t *tournament.Tournament, b *tournament.Bonus, faults *tournament.FieldErrors) {
	e, ok := t.Entry(b.Entry)
	if !ok {
		faults.Add("items", "there is no entry %q", b.Entry)
	}
	if b.MP == 0 && b.GP == 0 || min(b.MP, b.GP) < minBonus || max(b.MP, b.GP) > maxBonus {
		faults.Add("items", "%s: %s match points and %s game points are not possible; write %s to %s, one of them not 0", e.Name,
			b.MP, b.GP, minBonus, maxBonus)
	}
	if last := max(t.RoundCount, len(t.Rounds)); b.After < 0 || b.After > max(last, 1) {
		faults.Add("items", "%d is not a round; write 0 for the start, or a round up to %d", b.After, last)
	}
	why, err := wording.Paragraph.Clean(b.Why, 500)
	if err != nil {
		faults.Add("items", "a penalty or a bonus needs a reason: %v", err)
	}
	b.Why = why
}

// without returns the bonuses that are not in the other list. Of a bonus that occurs several times it returns the
// surplus.
func without(list, other []tournament.Bonus) (out []tournament.Bonus) {
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

// BonusNews returns the history's text for a change of penalties and bonuses.
func BonusNews(t *tournament.Tournament, next *tournament.Tournament) sentence.Sentence {
	var parts []sentence.Sentence
	for _, b := range without(t.Bonuses, next.Bonuses) {
		parts = append(parts, sentence.New("no longer: %s", bonusText(t, b)))
	}
	for _, b := range without(next.Bonuses, t.Bonuses) {
		parts = append(parts, bonusText(t, b))
	}
	return sentence.Join("; ", parts...)
}

func bonusText(t *tournament.Tournament, b tournament.Bonus) sentence.Sentence {
	e, _ := t.Entry(b.Entry)
	return sentence.New("%s: %s MP and %s GP from the table after round %d on (%s)", e.Name, b.MP, b.GP, b.After, b.Why)
}
