package tournament

// Annulled returns the entries of a round-robin (by number) that withdrew with fewer than half of their games played
// (C.05, Annex): their games stay in the record and in the ratings, but they are not ranked and the games do not count
// for the others. It considers the record after the given round. Games forfeited by either side were not played. In
// other formats it returns none.
func (t *Tournament) Annulled(round int) map[int]bool {
	out := make(map[int]bool)
	cycles := t.Format.Cycles()
	if cycles == 0 {
		return out
	}
	cards := t.Cards(round)
	for _, card := range cards {
		e := card.Entry
		if e.Status != Withdrawn || e.WithdrawnFrom == 0 || e.WithdrawnFrom > round+1 {
			continue
		}
		played := 0
		for _, c := range card.Cells {
			if c.Kind == Played {
				played++
			}
		}
		if 2*played < cycles*(len(cards)-1) {
			out[e.Number] = true
		}
	}
	return out
}
