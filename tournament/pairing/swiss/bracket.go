package swiss

import (
	"slices"

	"quatuor/tournament"
)

// bracket is the set of players paired at a time (Art. 1.3), in ranks, and the players after it.
type bracket struct {
	movers    []int // moved down from the brackets above
	residents []int
	next      []int // residents of the following bracket
	lower     []int
}

func (b *bracket) size() int { return len(b.movers) + len(b.residents) }

// outcome is a bracket's pairing.
type outcome struct {
	pairs   [][2]int
	floats  []int // left over, best first
	below   []int // if the following bracket is in view: the players that would be paired there
	reasons []Reason
	left    []Float
}

// ranks returns the ranks of all paired players.
func (o outcome) ranks() []int {
	var out []int
	for _, p := range o.pairs {
		out = append(out, p[0], p[1])
	}
	return out
}

// pairBrackets pairs the brackets from the top (Art. 1.9), each by best. Every bracket has a legal pairing, because a
// complete legal pairing exists.
func (d *draw) pairBrackets(best func(*bracket) outcome) {
	var floats []int
	for at := 0; at < len(d.players); {
		end := d.groupEnd(at)
		below := d.groupEnd(end)
		o := best(&bracket{
			movers: floats, residents: span(at, end), next: span(end, below),
			lower: span(below, len(d.players)),
		})
		for _, p := range o.pairs {
			d.mates[p[0]], d.mates[p[1]] = p[1], p[0]
		}
		d.rest.Drop(o.ranks())
		d.explanation.Pairs = append(d.explanation.Pairs, o.reasons...)
		d.explanation.Floats = append(d.explanation.Floats, o.left...)
		floats, at = o.floats, end
	}
}

// span returns the numbers in [from, to).
func span(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// groupEnd returns the rank after the last player with the same score as the player at this rank.
func (d *draw) groupEnd(at int) int {
	end := at
	for end < len(d.players) && d.players[end].score == d.players[at].score {
		end++
	}
	return end
}

// best returns the best pairing of a bracket. It widens its view only as far as it must: first the bracket alone, which
// is enough if the floats of its best pairing find the best conceivable place below; then the following bracket as
// well; then all players below.
func (d *draw) best(b *bracket) outcome {
	if len(b.next) > 0 && !d.byeInside(b) {
		near := d.nearProblem(b)
		o := near.firstInOrder()
		if len(o.pairs) == 0 || d.fits(b, o) {
			return o
		}
		if len(b.lower) > 0 {
			middle := d.middleProblem(b, d.scoresOf(o.floats))
			if o := middle.firstInOrder(); d.fitsBelow(o, o.below) {
				return o
			}
		}
	}
	return d.bestOfAll(b)
}

// bestOfAll returns the best pairing of a bracket in view of all players not yet paired.
func (d *draw) bestOfAll(b *bracket) outcome {
	p := d.wholeProblem(b, true)
	p.mustSolve()
	if p.byeCounts && len(p.floats()) != 1 {
		p = d.wholeProblem(b, false)
		p.mustSolve()
	}
	return p.firstInOrder()
}

// fits reports whether the floats of a bracket's pairing can all be paired in the following bracket, with no resident
// left over there, or a single resident if the number is odd, so that by C8 nothing can be better; and whether all
// others can be paired then, too (C4).
func (d *draw) fits(b *bracket, o outcome) bool {
	if len(o.floats) == 0 {
		return d.rest.CanDrop(o.ranks())
	}
	p := d.nextProblem(b, o.floats)
	return p.solve() && d.fitsBelow(o, p.pairedBelow())
}

// fitsBelow reports whether all others can be paired if the pairs of a bracket are made, and these players are paired
// in the following bracket.
func (d *draw) fitsBelow(o outcome, below []int) bool {
	return d.rest.CanDrop(slices.Concat(o.ranks(), below))
}

// byeInside reports whether a player of the bracket will have the bye.
func (d *draw) byeInside(b *bracket) bool {
	return d.byeScore >= 0 && d.byeScore >= d.players[b.residents[0]].score
}

func (d *draw) scoresOf(ranks []int) []tournament.Points {
	var out []tournament.Points
	for _, rank := range ranks {
		out = append(out, d.players[rank].score)
	}
	return out
}
