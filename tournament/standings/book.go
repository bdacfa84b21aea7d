package standings

import "quatuor/tournament"

// book holds what counts of a tournament up to a round, one page an entry.
type book struct {
	points tournament.PointSystem
	seed   string
	fixed  bool   // pairings known beforehand (article 15.2): forfeits are regular games
	pages  []page // number n at index n−1
	lots   []int  // places in the drawing, once somebody needs them
}

type page struct {
	entry    tournament.Entry
	cells    []tournament.Cell // those that count; the others are blank
	score    tournament.Points
	annulled bool
}

func openBook(t *tournament.Tournament, round int) *book {
	b := &book{points: t.Points, seed: t.LotSeed, fixed: t.Format.Cycles() > 0}
	annulled := t.Annulled(round)
	for _, card := range t.Cards(round) {
		p := page{entry: card.Entry, cells: card.Cells, annulled: annulled[card.Entry.Number]}
		for i, c := range p.cells {
			if !p.annulled && meets(c, annulled) {
				p.cells[i] = tournament.Cell{}
				continue
			}
			p.score += c.Points
		}
		b.pages = append(b.pages, p)
	}
	return b
}

func meets(c tournament.Cell, annulled map[int]bool) bool {
	for _, n := range c.Opponents {
		if annulled[n] {
			return true
		}
	}
	return false
}

// duel gives the opponent's number and true if the cell is a decided pairing of two.
func duel(c tournament.Cell) (int, bool) {
	if len(c.Opponents) != 1 || c.Kind == tournament.Pending {
		return 0, false
	}
	return c.Opponents[0], true
}

// most is the greatest score that anybody could have made so far: a win in every round that can be scored in. In a
// round-robin these are the rounds with an opponent that counts.
func (b *book) most() tournament.Points {
	rounds := 0
	for _, p := range b.pages {
		n := len(p.cells)
		if b.fixed {
			n = 0
			for _, c := range p.cells {
				if len(c.Opponents) > 0 {
					n++
				}
			}
		}
		if !p.annulled {
			rounds = max(rounds, n)
		}
	}
	return tournament.Points(rounds) * b.points.Win
}
