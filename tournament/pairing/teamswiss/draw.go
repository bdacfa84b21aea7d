package teamswiss

import (
	"cmp"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/matching"
	"quatuor/tournament/pairing/swiss"
)

// draw is the pairing of a round in progress.
type draw struct {
	pairer  Pairer
	history pairing.History
	initial pairing.Colour
	final   bool // last or last but one round: repeated floats do not count
	all     []team
	teams   []*team        // those that take part, best first; the index is the rank
	legal   matching.Graph // by rank
	bye     int            // rank of the team with the pairing-allocated bye, −1 for none
	pairs   [][2]int       // ranks

	explain     bool
	explanation Explanation
	claim       *claim // a given round to be compared; nil for none
}

func (p Pairer) newDraw(h pairing.History) *draw {
	virtual := p.Virtual
	if virtual == nil {
		virtual = swiss.Baku(h.GroupA, h.Rounds, h.Points)
	}
	d := &draw{
		pairer: p, history: h, final: h.Rounds > 0 && h.Round >= h.Rounds-1,
		all: p.newTeams(h, virtual), bye: -1,
	}
	d.initial = cmp.Or(h.Initial, pairing.White)
	if h.Initial == 0 && h.Seed != "" {
		d.initial = tournament.DrawColour(h.Seed)
	}
	d.teams = active(d.all)
	d.legal = d.legalPairs()
	return d
}

// legalPairs returns the graph, by rank, of the pairs that have not met (C1) and are not forbidden.
func (d *draw) legalPairs() matching.Graph {
	rank := make(map[int]int, len(d.teams))
	for i, t := range d.teams {
		rank[t.number] = i
	}
	g := matching.NewGraph(len(d.teams))
	for i := range d.teams {
		for j := range i {
			g.Join(i, j)
		}
	}
	cut := func(a, b int) {
		i, ok := rank[a]
		j, ok2 := rank[b]
		if ok && ok2 && i != j {
			g.Cut(i, j)
		}
	}
	for _, t := range d.teams {
		for _, number := range t.opponents {
			cut(t.number, number)
		}
	}
	for _, group := range d.history.Bans {
		for _, a := range group {
			for _, b := range group {
				cut(a, b)
			}
		}
	}
	return g
}

// pair pairs the round.
func (d *draw) pair() error {
	left := make([]int, len(d.teams))
	for rank := range left {
		left[rank] = rank
	}
	if err := d.allocateBye(); err != nil {
		return err
	}
	if d.bye >= 0 {
		left = slices.Delete(left, d.bye, d.bye+1)
	}
	for len(left) > 0 {
		b := d.bracketOf(left)
		d.pairBracket(b)
		left = b.rest
	}
	return nil
}

// allocateBye chooses the team with the bye (3.4): among teams that leave the others a complete legal pairing, the
// lowest score, then most matches played, then the largest number. It refuses a field without any.
func (d *draw) allocateBye() error {
	n := len(d.teams)
	if n%2 == 0 {
		if n > 0 && !d.unweighted(d.legal.Clone()).Solve() {
			return d.unpairable(sentence.New("no way to pair all of them remains"))
		}
		return nil
	}
	var candidates []int
	g := matching.NewGraph(n + 1)
	for rank, row := range d.legal {
		copy(g[rank], row)
		if !d.teams[rank].barred {
			g.Join(rank, n)
			candidates = append(candidates, rank)
		}
	}
	if len(candidates) == 0 {
		return d.unpairable(sentence.New("one of them must have the bye, and all have had one, or a win without playing"))
	}
	slices.SortFunc(candidates, d.compareForBye)
	m := d.unweighted(g)
	if !m.Solve() {
		return d.unpairable(sentence.New("whichever team gets the bye, the others cannot all be paired"))
	}
	d.bye = m.Pick(n, candidates)
	d.explainBye(candidates)
	d.compareBye(candidates)
	return nil
}

// compareForBye orders the candidates for the bye.
func (d *draw) compareForBye(i, j int) int {
	a, b := d.teams[i], d.teams[j]
	return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(len(b.colours), len(a.colours)),
		cmp.Compare(b.number, a.number))
}

// unweighted returns the unsolved matching of a graph without costs.
func (d *draw) unweighted(g matching.Graph) *matching.Matching {
	return matching.New(g, make([]int32, len(g)), matching.NewCosts(1, 0))
}

// unpairable returns the error that the round has no legal pairing; it names a team without a legal opponent, if any.
func (d *draw) unpairable(why sentence.Sentence) error {
	for rank, t := range d.teams {
		if !slices.ContainsFunc(d.legal[rank], func(word uint64) bool { return word != 0 }) &&
			(t.barred || len(d.teams)%2 == 0) {
			why = sentence.New("number %d has no opponent left to meet", t.number)
			break
		}
	}
	return tournament.Refuse(tournament.ErrUnpairable,
		"the %d teams that take part have no legal pairing (no two may meet twice): %s", len(d.teams), why)
}

// match is a pair with its colours.
type match struct {
	higher, lower *team // by score, then number
	first, second *team // first-team and other (4.2)
	colour        pairing.Colour
	rule          ColourRule
}

// matches returns the pairs with their colours in the order of C.04.2: by the higher score, the sum of both scores, the
// number of the higher-ranked.
func (d *draw) matches() []match {
	var out []match
	for _, pair := range d.pairs {
		m := match{higher: d.teams[min(pair[0], pair[1])], lower: d.teams[max(pair[0], pair[1])]}
		m.first, m.second = d.firstTeam(m.higher, m.lower)
		m.colour, m.rule = d.colourOf(m.first, m.second)
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b match) int {
		return cmp.Or(
			cmp.Compare(b.higher.score, a.higher.score),
			cmp.Compare(b.higher.score+b.lower.score, a.higher.score+a.lower.score),
			cmp.Compare(a.higher.number, b.higher.number),
		)
	})
	return out
}

// round returns the finished round.
func (d *draw) round() swiss.Round {
	var out swiss.Round
	for _, m := range d.matches() {
		g := swiss.Game{White: m.first.number, Black: m.second.number}
		if m.colour == pairing.Black {
			g.White, g.Black = g.Black, g.White
		}
		out.Games = append(out.Games, g)
	}
	if d.bye >= 0 {
		out.Bye = d.teams[d.bye].number
	}
	for _, t := range d.all {
		if t.away != tournament.NoBye {
			out.Away = append(out.Away, swiss.Away{Number: t.number, Bye: t.away})
		}
	}
	return out
}
