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
		var paired []int
		for _, p := range result.pairs {
			d.mates[p[0]], d.mates[p[1]] = p[1], p[0]
			paired = append(paired, p[0], p[1])
		}
		d.rest.Drop(paired)
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

// pairBracket finds the best pairing of a bracket.
func (d *draw) pairBracket(b *bracket) outcome {
	p := d.wholeProblem(b, true)
	if !p.solve() {
		panic("no complete pairing")
	}
	if p.byeCounts && len(p.floats()) != 1 {
		p = d.wholeProblem(b, false)
		p.solve()
	}
	return p.settle()
}

// byeInside reports whether somebody of the bracket will have the bye.
func (d *draw) byeInside(b *bracket) bool {
	return d.byeScore >= 0 && d.byeScore >= d.players[b.residents[0]].score
}

// moverScores lists the scores of the movers, highest first.
func (d *draw) moverScores(b *bracket) []tournament.Points {
	var out []tournament.Points
	for _, rank := range b.movers {
		out = append(out, d.players[rank].score)
	}
	return out
}

// sorted copies ranks, best first.
func sorted(ranks []int) []int {
	out := slices.Clone(ranks)
	slices.Sort(out)
	return out
}
