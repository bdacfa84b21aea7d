package swiss

import (
	"cmp"
	"maps"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/matching"
)

// legalPairs returns the graph, by rank, of legal pairs: without repeated (C1) and forbidden pairs, and without pairs
// with the same absolute colour preference (C3).
func (d *draw) legalPairs() matching.Graph {
	n := len(d.players)
	rank := make(map[int]int, n)
	takingPart, tops := matching.NewSet(n), matching.NewSet(n)
	due := map[pairing.Colour]matching.Set{pairing.White: matching.NewSet(n), pairing.Black: matching.NewSet(n)}
	for i, p := range d.players {
		rank[p.number] = i
		takingPart.Add(i)
		if p.preference.strength == Absolutely {
			due[p.preference.colour].Add(i)
		}
		if d.isTopscorer(p) {
			tops.Add(i)
		}
	}
	g := matching.NewGraph(n)
	for i, p := range d.players {
		copy(g[i], takingPart)
		g[i].Remove(i)
		if p.preference.strength == Absolutely && !tops.Has(i) {
			for word, bits := range due[p.preference.colour] {
				g[i][word] &^= bits &^ tops[word]
			}
		}
		for _, number := range p.opponents {
			if j, ok := rank[number]; ok {
				g[i].Remove(j)
			}
		}
	}
	for _, group := range d.history.Bans {
		for _, a := range group {
			for _, b := range group {
				i, ok := rank[a]
				if j, ok2 := rank[b]; ok && ok2 && i != j {
					g.Cut(i, j)
				}
			}
		}
	}
	return g
}

// isTopscorer reports whether a player has more than half of the maximum points in the last round (Art. 1.8).
func (d *draw) isTopscorer(p *player) bool {
	return d.last && 2*int(p.score) > int(d.history.Points.Win)*(d.history.Round-1)
}

// complete finds some complete legal pairing and fixes the score of the player with the bye: the lowest possible (C5).
// Its error explains why none exists.
func (d *draw) complete() error {
	d.byeScore = -1
	if len(d.players)%2 == 0 {
		d.rest = d.restWith(nil)
		if !d.rest.Solve() {
			return d.unpairable(sentence.New("no way to pair all of them remains"))
		}
		return nil
	}
	scores := make(map[tournament.Points]bool)
	for _, p := range d.players {
		if !p.barred {
			scores[p.score] = true
		}
	}
	if len(scores) == 0 {
		return d.unpairable(sentence.New("one of them must have the bye, and all have had one, or a win without playing"))
	}
	for _, lowest := range slices.Sorted(maps.Keys(scores)) {
		d.rest = d.restWith(func(p *player) bool { return !p.barred && p.score == lowest })
		if d.rest.Solve() {
			d.byeScore = lowest
			return nil
		}
	}
	return d.unpairable(sentence.New("whichever player gets the bye, the others cannot all be paired"))
}

// restWith returns the unsolved matching of all players, and of the vertex for the bye with its candidates.
func (d *draw) restWith(mayHaveBye func(*player) bool) *matching.Matching {
	n := len(d.players)
	if mayHaveBye == nil {
		return matching.New(d.legal.Clone(), make([]int32, n), matching.NewCosts(1, 0))
	}
	g := matching.NewGraph(n + 1)
	for i, row := range d.legal {
		copy(g[i], row)
		if mayHaveBye(d.players[i]) {
			g.Join(i, n)
		}
	}
	return matching.New(g, make([]int32, n+1), matching.NewCosts(1, 0))
}

// unpairable returns the error that the round has no legal pairing; it names a player without a legal opponent, if any.
func (d *draw) unpairable(why sentence.Sentence) error {
	for i, p := range d.players {
		if !slices.ContainsFunc(d.legal[i], func(word uint64) bool { return word != 0 }) &&
			(p.barred || len(d.players)%2 == 0) {
			why = sentence.New("number %d has no opponent left to meet", p.number)
			break
		}
	}
	return tournament.Refuse(tournament.ErrUnpairable, "the %d who take part have no legal pairing (no two may meet "+
		"twice, nor two who must have the same colour): %s", len(d.players), why)
}

// boards returns the higher-ranked of each pair, and the player with the bye, in board order (C.04.2): by the
// higher score, the sum of both, the higher's number; the bye last.
func (d *draw) boards() []int {
	var out []int
	for rank, mate := range d.mates {
		if mate < 0 || rank < mate {
			out = append(out, rank)
		}
	}
	slices.SortFunc(out, func(a, b int) int {
		if d.mates[a] < 0 || d.mates[b] < 0 {
			return d.mates[b] - d.mates[a]
		}
		p, q := d.players[a], d.players[b]
		return cmp.Or(
			cmp.Compare(q.score, p.score),
			cmp.Compare(q.score+d.players[d.mates[b]].score, p.score+d.players[d.mates[a]].score),
			cmp.Compare(p.number, q.number),
		)
	})
	return out
}
