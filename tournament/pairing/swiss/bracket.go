package swiss

import (
	"slices"

	"quatuor/tournament"
)

// bracket is what is paired at a time (Art. 1.3), in ranks, and those who come after it.
type bracket struct {
	movers    []int // moved down from the brackets above
	residents []int
	next      []int // residents of the following bracket
	lower     []int
}

func (b *bracket) size() int { return len(b.movers) + len(b.residents) }

// outcome is a bracket's pairing.
type outcome struct {
	pairs  [][2]int
	floats []int // who is left over, best first
	below  []int // where the following bracket is in view: who would be paired there
}

// pairBrackets pairs the brackets from the top (Art. 1.9). There is a complete legal pairing, so each has one.
func (d *draw) pairBrackets() {
	var floats []int
	for at := 0; at < len(d.players); {
		b := bracket{movers: floats}
		end := d.groupEnd(at)
		for rank := at; rank < len(d.players); rank++ {
			switch {
			case rank < end:
				b.residents = append(b.residents, rank)
			case rank < d.groupEnd(end):
				b.next = append(b.next, rank)
			default:
				b.lower = append(b.lower, rank)
			}
		}
		result := d.pairBracket(&b)
		for _, p := range result.pairs {
			d.mates[p[0]], d.mates[p[1]] = p[1], p[0]
		}
		d.rest.Drop(result.ranks())
		floats, at = result.floats, end
	}
}

// groupEnd is the rank after the last with the same score as the player at this rank.
func (d *draw) groupEnd(at int) int {
	end := at
	for end < len(d.players) && d.players[end].score == d.players[at].score {
		end++
	}
	return end
}

// pairBracket finds the best pairing of a bracket. It looks no farther than it must: at first at the bracket alone,
// which is enough if what floats out of the best pairing finds the best conceivable place below; then at the following
// bracket, too; then at everybody.
func (d *draw) pairBracket(b *bracket) outcome {
	if len(b.next) > 0 && !d.byeInside(b) {
		near := d.nearProblem(b)
		out := near.settle()
		if len(out.pairs) == 0 || d.fits(b, out) {
			return out
		}
		if len(b.lower) > 0 {
			scores := d.scoresOf(out.floats)
			middle := d.middleProblem(b, scores)
			if out := middle.settle(); d.fitsBelow(out, out.below) {
				return out
			}
		}
	}
	return d.wholeBest(b).settle()
}

// wholeBest solves the bracket in view of all who are not yet paired.
func (d *draw) wholeBest(b *bracket) *problem {
	p := d.wholeProblem(b, true)
	p.mustSolve()
	if p.byeCounts && len(p.floats()) != 1 {
		p = d.wholeProblem(b, false)
		p.mustSolve()
	}
	return p
}

// fits reports whether the floats of a bracket's pairing can all be paired in the following one, with nobody of that
// left over, or one if the number is odd, so that by C8 nothing could be better; and whether all others can be paired
// then, too (C4).
func (d *draw) fits(b *bracket, out outcome) bool {
	if len(out.floats) == 0 {
		return d.rest.CanDrop(out.ranks())
	}
	p := d.nextProblem(b, out.floats)
	return p.solve() && d.fitsBelow(out, p.pairedBelow())
}

// fitsBelow reports whether all others can be paired if the pairs of a bracket are made, and these players are paired in
// the following one.
func (d *draw) fitsBelow(out outcome, below []int) bool {
	return d.rest.CanDrop(slices.Concat(out.ranks(), below))
}

func (o outcome) ranks() []int {
	var out []int
	for _, p := range o.pairs {
		out = append(out, p[0], p[1])
	}
	return out
}

func (d *draw) scoresOf(ranks []int) []tournament.Points {
	var out []tournament.Points
	for _, rank := range ranks {
		out = append(out, d.players[rank].score)
	}
	return out
}

// byeInside reports whether somebody of the bracket will have the bye.
func (d *draw) byeInside(b *bracket) bool {
	return d.byeScore >= 0 && d.byeScore >= d.players[b.residents[0]].score
}
