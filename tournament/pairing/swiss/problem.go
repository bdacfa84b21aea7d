package swiss

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing/matching"
)

// problem is the search for a bracket's best pairing, as a minimum-cost perfect matching. Its vertices are the
// bracket's players, movers first, then those outside it that are in view, then the dummies for staying unpaired
// or for the bye.
type problem struct {
	scope
	draw    *draw
	bracket *bracket
	ranks   []int // of each vertex, -1 if it is no player
	kinds   []kind
	inside  int  // number of vertices of the bracket
	free    bool // it has no costs: any perfect matching will do
	packing packing
	match   *matching.Matching
	// loose is the matching without the choices that only the order of candidates has made so far; it answers what the
	// rules would still allow. It is kept where reasons are wanted.
	loose *matching.Matching
}

// newProblem returns an empty problem for a bracket.
func (d *draw) newProblem(b *bracket) *problem {
	p := &problem{draw: d, bracket: b, inside: b.size()}
	p.scope = scope{movers: d.scoresOf(b.movers), residents: len(b.residents), alike: d.last}
	return p
}

// addBracket adds the bracket's players, which must come before the others.
func (p *problem) addBracket() {
	p.addPlayers(p.bracket.movers, mover)
	p.addPlayers(p.bracket.residents, resident)
}

// nearProblem returns the problem of the bracket alone, solved with as few left over as possible (C6).
func (d *draw) nearProblem(b *bracket) *problem {
	for left := minLeft(b); ; left += 2 {
		p := d.newProblem(b)
		p.addBracket()
		for range left {
			p.addOther(unpaired)
		}
		if p.solve() {
			return p
		}
	}
}

// minLeft returns the least number left over of a bracket: the movers beyond the residents, at least 1 if the number is
// odd.
func minLeft(b *bracket) int {
	return max(b.size()%2, len(b.movers)-len(b.residents))
}

// middleProblem returns the problem of the bracket and the following one, solved. The scores of the floats in the best
// case (C7) are known; both brackets together leave over just the number that they need (C8).
func (d *draw) middleProblem(b *bracket, floats []tournament.Points) *problem {
	for left := (b.size() + len(b.next)) % 2; ; left += 2 {
		p := d.newProblem(b)
		p.wide, p.nextPlayers = true, len(b.next)
		p.addBracket()
		p.addPlayers(b.next, next)
		for range left {
			p.addOther(unpaired)
		}
		if p.solve() && slices.Equal(d.scoresOf(p.ranksOf(p.floats())), floats) {
			return p
		}
	}
}

// wholeProblem returns the problem of all players not yet paired (C4), unsolved. If the player floating out of the
// bracket would get the bye, C9 can be made to count.
func (d *draw) wholeProblem(b *bracket, countBye bool) *problem {
	p := d.newProblem(b)
	p.wide, p.nextPlayers = true, len(b.next)
	p.byeCounts = countBye && d.byeInside(b) && b.size()%2 == 1
	p.addBracket()
	p.addPlayers(b.next, next)
	p.addPlayers(b.lower, lower)
	if d.byeScore >= 0 {
		p.addOther(bye)
	}
	return p
}

// nextProblem returns the problem of pairing the following bracket with these floats, without costs: none is left over
// except, if the number is odd, a single resident.
func (d *draw) nextProblem(b *bracket, floats []int) *problem {
	p := d.newProblem(&bracket{movers: floats, residents: b.next})
	p.free = true
	p.addBracket()
	if p.inside%2 == 1 {
		p.addOther(unpaired)
	}
	return p
}

func (p *problem) addPlayers(ranks []int, where place) {
	for _, rank := range ranks {
		p.ranks = append(p.ranks, rank)
		p.kinds = append(p.kinds, p.kindOf(p.draw.players[rank], where))
	}
}

func (p *problem) addOther(where place) {
	p.ranks = append(p.ranks, -1)
	p.kinds = append(p.kinds, kind{place: where})
}

// kindOf returns the kind of a player, without properties that cannot make a difference: as many players as possible
// are equivalent.
func (p *problem) kindOf(pl *player, where place) kind {
	k := kind{place: where}
	if !k.inside() {
		return k
	}
	k.score = pl.score
	k.colour = pl.preference.colour
	k.strength = pl.preference.strength
	if p.alike && k.strength == Absolutely {
		k.difference, k.repeated = pl.preference.difference, pl.preference.repeated
	}
	for back, f := range pl.floats {
		k.down[back] = f == down
		k.up[back] = f == up && where == resident
	}
	if p.byeCounts {
		k.unplayed = pl.unplayed
		p.maxUnplayed = max(p.maxUnplayed, pl.unplayed)
	}
	return k
}

// solve finds any best pairing by all criteria, regardless of the order of the candidates, or returns false.
func (p *problem) solve() bool {
	if !p.free {
		p.packing = pack(p.levels())
	}
	var kinds []kind
	class := make([]int32, len(p.kinds))
	seen := make(map[kind]int32)
	for v, k := range p.kinds {
		id, ok := seen[k]
		if !ok {
			id = int32(len(kinds))
			seen[k] = id
			kinds = append(kinds, k)
		}
		class[v] = id
	}
	p.match = matching.New(p.edges(), class, p.packing.table(kinds))
	p.suggest()
	return p.match.Solve()
}

// edges returns the graph of legal pairs; movers do not meet each other, else they would have been paired above.
func (p *problem) edges() matching.Graph {
	g := matching.NewGraph(len(p.ranks))
	for v, rank := range p.ranks {
		for w := range v {
			if p.joined(w, v, p.ranks[w], rank) {
				g.Join(v, w)
			}
		}
	}
	return g
}

// joined reports whether an edge joins two vertices, w before v.
func (p *problem) joined(w, v, rankW, rankV int) bool {
	switch p.kinds[v].place {
	case mover:
		return false
	case unpaired:
		return p.kinds[w].place <= next && !(p.free && p.kinds[w].place == mover)
	case bye:
		pl := p.draw.players[rankW]
		return !pl.barred && pl.score == p.draw.byeScore
	}
	return p.draw.legal[rankV].Has(rankW)
}

// suggest starts from the pairing that would be first if nothing ruled it out.
func (p *problem) suggest() {
	movers, n := len(p.bracket.movers), p.inside
	for v := range movers {
		if movers+v < n {
			p.match.Suggest(v, movers+v)
		}
	}
	half := (n - 2*movers) / 2
	for v := 2 * movers; v < 2*movers+half; v++ {
		p.match.Suggest(v, v+half)
	}
}

// floats returns the vertices of the bracket that are not paired within it.
func (p *problem) floats() []int {
	var out []int
	for v := range p.inside {
		if p.match.Mate(v) >= p.inside {
			out = append(out, v)
		}
	}
	return out
}

// ranksOf returns the ranks of vertices.
func (p *problem) ranksOf(vertices []int) []int {
	var out []int
	for _, v := range vertices {
		out = append(out, p.ranks[v])
	}
	return out
}

// pairedBelow returns the ranks of the players paired in the following bracket, if that is in view.
func (p *problem) pairedBelow() []int {
	var out []int
	for v, rank := range p.ranks {
		if w := p.match.Mate(v); rank >= 0 && p.ranks[w] >= 0 && (p.free || v >= p.inside || w >= p.inside) {
			out = append(out, rank)
		}
	}
	return out
}

// mustSolve solves a problem that is known to have a complete pairing.
func (p *problem) mustSolve() {
	if !p.solve() {
		panic("swiss: a complete pairing is known, and none was found")
	}
}
