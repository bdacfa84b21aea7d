package teamswiss

import (
	"cmp"
	"slices"

	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/matching"
	"quatuor/tournament/pairing/swiss"
)

// Difference is a match, or a bye, of a given round that the rules pair otherwise.
type Difference struct {
	White, Black int // as given; Black is 0 for the bye, or for a team that was left out
	Kind         swiss.DifferenceKind
	Mates        [2]int // their opponents by the rules; 0 for the bye
	// Because is the rules' reason against it; the zero value for a match that is wrong only since another match is.
	Because Because
	Rule    ColourRule // of wrong colours: what decides them
}

// Allowed reports whether an arbiter may set the match so: it breaks no absolute rule.
func (d Difference) Allowed() bool {
	switch d.Because.Criterion {
	case C1, C2, C3, Ban:
		return false
	}
	return d.Kind != swiss.LeftOut
}

// departure is the first difference of a given round from the choices of a draw, and the reason against it.
type departure struct {
	number  int // of a team of the given pair, or with the given bye
	because Because
}

// claim is the given round of a comparison with a draw.
type claim struct {
	mates []int // by rank: rank of the given opponent, −1 for none
	bye   int   // number
	first *departure
}

// Compare returns the differences of a given round from the rules, and the round by the rules. The first difference in
// the order of the choices has the first criterion that makes it worse; so has every pair that is not allowed at all.
// If no legal pairing exists, the pairs not allowed are returned with the error of [Pairer.Draw].
func (p Pairer) Compare(h pairing.History, given swiss.Round) (swiss.Round, []Difference, error) {
	d := p.newDraw(h)
	c := comparison{draw: d, given: given, rank: make(map[int]int, len(d.teams))}
	for rank, t := range d.teams {
		c.rank[t.number] = rank
	}
	d.explain, d.claim = true, &claim{mates: slices.Repeat([]int{-1}, len(d.teams)), bye: given.Bye}
	for _, g := range given.Games {
		i, ok := c.rank[g.White]
		if j, ok2 := c.rank[g.Black]; ok && ok2 {
			d.claim.mates[i], d.claim.mates[j] = j, i
		}
	}
	if err := d.pair(); err != nil {
		return swiss.Round{}, c.illegal(), err
	}
	return d.round(), c.differences(), nil
}

// comparison compares a given round with a finished draw.
type comparison struct {
	draw  *draw
	given swiss.Round
	rank  map[int]int // by number
	mates map[int]int // by number: the opponent by the rules
}

// illegal returns the given pairs that are not allowed, and a bye that is not.
func (c *comparison) illegal() (out []Difference) {
	for _, g := range c.given.Games {
		i, ok := c.rank[g.White]
		if j, ok2 := c.rank[g.Black]; ok && ok2 && !c.draw.legal[i].Has(j) {
			because := c.draw.whyIllegal(c.draw.teams[i], c.draw.teams[j])
			out = append(out, Difference{White: g.White, Black: g.Black, Kind: swiss.WrongPair, Because: because})
		}
	}
	if i, ok := c.rank[c.given.Bye]; ok && c.draw.teams[i].barred {
		out = append(out, Difference{White: c.given.Bye, Kind: swiss.WrongBye, Because: Because{Criterion: C2}})
	}
	return out
}

// differences compares all matches; those with a reason come first.
func (c *comparison) differences() []Difference {
	matches := make(map[int]match) // by the number of either team
	c.mates = make(map[int]int)
	for _, m := range c.draw.matches() {
		a, b := m.first.number, m.second.number
		matches[a], matches[b], c.mates[a], c.mates[b] = m, m, b, a
	}
	out := c.illegal()
	for _, g := range c.given.Games {
		d := Difference{White: g.White, Black: g.Black}
		m := matches[g.White]
		switch {
		case slices.ContainsFunc(out, func(o Difference) bool { return o.White == g.White }):
			continue
		case c.mates[g.White] != g.Black:
			d.Kind, d.Because = swiss.WrongPair, c.because(g.White, g.Black)
		case (m.first.number == g.White) != (m.colour == pairing.White):
			d.Kind, d.Rule = swiss.WrongColours, m.rule
		default:
			continue
		}
		out = append(out, d)
	}
	out = append(out, c.byes(out)...)
	for i := range out {
		out[i].Mates = [2]int{c.mates[out[i].White], c.mates[out[i].Black]}
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return cmp.Compare(when(a.follows()), when(b.follows())) })
	return out
}

// byes returns a wrong bye that is not among those found, and the teams that were left out.
func (c *comparison) byes(found []Difference) (out []Difference) {
	bye := c.given.Bye
	known := slices.ContainsFunc(found, func(d Difference) bool { return d.White == bye })
	if drawn := c.draw.bye; bye > 0 && !known && (drawn < 0 || c.draw.teams[drawn].number != bye) {
		out = append(out, Difference{White: bye, Kind: swiss.WrongBye, Because: c.because(bye, 0)})
	}
	for rank, t := range c.draw.teams {
		if c.draw.claim.mates[rank] < 0 && t.number != bye {
			out = append(out, Difference{White: t.number, Kind: swiss.LeftOut})
		}
	}
	return out
}

// because returns the reason of the first departure if it concerns either team.
func (c *comparison) because(a, b int) Because {
	if f := c.draw.claim.first; f != nil && (f.number == a || f.number == b) {
		return f.because
	}
	return Because{}
}

func (d Difference) follows() bool { return d.Because.Criterion == 0 && d.Rule == 0 }

// departs notes the first difference of the given round.
func (c *claim) departs(number int, because Because) {
	if c.first == nil {
		c.first = &departure{number, because}
	}
}

// compareBye compares the bye with the given bye; candidates are in the order of the rules.
func (d *draw) compareBye(candidates []int) {
	if d.claim == nil || d.claim.bye == 0 || d.claim.bye == d.teams[d.bye].number {
		return
	}
	because := Because{Criterion: C2}
	given := slices.IndexFunc(candidates, func(rank int) bool { return d.teams[rank].number == d.claim.bye })
	if taken := slices.Index(candidates, d.bye); given > taken {
		because = d.whyNoBye(d.teams[candidates[given]])
	} else if given >= 0 {
		because.Criterion = C3
	}
	d.claim.departs(d.claim.bye, because)
}

// compareUpfloaters compares the upfloaters of a bracket with those of the given round. p is nil if none are needed,
// and solved is its best pairing.
func (d *draw) compareUpfloaters(b *bracket, p *problem, solved *matching.Matching) {
	if d.claim == nil || d.claim.first != nil {
		return
	}
	var given []int // ranks, in the order of the teams of the top
	for _, rank := range b.top {
		if mate := d.claim.mates[rank]; mate >= 0 && !slices.Contains(b.top, mate) {
			given = append(given, mate)
		}
	}
	missing := func(list []int) func(int) bool { return func(rank int) bool { return !slices.Contains(list, rank) } }
	wrong := slices.IndexFunc(given, missing(b.upfloaters))
	switch lacking := slices.IndexFunc(b.upfloaters, missing(given)); {
	case wrong >= 0 && p == nil:
		d.claim.departs(d.teams[given[wrong]].number, Because{Criterion: C4})
	case wrong >= 0:
		d.claim.departs(d.teams[given[wrong]].number, d.whyNotThese(given, p, solved, len(b.top)))
	case lacking >= 0:
		d.claim.departs(d.teams[b.upfloaters[lacking]].number, Because{Criterion: C3})
	}
}

// whyNotThese returns the first criterion that makes the best pairing with other upfloaters worse than the best; tops
// is the number of teams in the top.
func (d *draw) whyNotThese(given []int, p *problem, solved *matching.Matching, tops int) Because {
	g := d.graph(p.ranks)
	for v := tops; v < len(p.ranks); v++ {
		floats := slices.Contains(given, p.ranks[v])
		for w := range v {
			if (w < tops) != floats { // upfloaters alone meet the top
				g.Cut(v, w)
			}
		}
		for w := v + 1; floats && w < len(p.ranks); w++ {
			g.Cut(v, w)
		}
	}
	forced := matching.New(g, p.class, p.costs)
	if !forced.Solve() {
		return Because{Criterion: C3}
	}
	return p.worseThan(p.digits.Totals(solved.Cost()), p.digits.Totals(forced.Cost()))
}

// comparePair compares the opponent of a top with the given opponent; loose is as in [draw.explainPair].
func (d *draw) comparePair(p *problem, loose *matching.Matching, v, w int) {
	if d.claim == nil || d.claim.first != nil || d.claim.mates[p.ranks[v]] == p.ranks[w] {
		return
	}
	because := Because{}
	if given := slices.Index(p.ranks, d.claim.mates[p.ranks[v]]); given >= 0 {
		because = d.whyNot(p, loose, v, given)
	}
	d.claim.departs(d.teams[p.ranks[v]].number, because)
}

// Article returns the place of a criterion in the FIDE Handbook; "" for a criterion of our own.
func (b Because) Article() string {
	switch b.Criterion {
	case 0, Ban, NotAllowed:
		return ""
	case Order:
		return chapter + "3.6.3"
	case Inside:
		return chapter + "3.6"
	}
	return chapter + b.code()
}

// Article returns the place of the rule in the FIDE Handbook.
func (r ColourRule) Article() string { return chapter + r.article() }

// Name returns the criterion's name in the Handbook, or a word for what else decided; "" for none.
func (b Because) Name() string {
	if b.Criterion == 0 {
		return ""
	}
	return b.code()
}

// Words returns in words what would get worse, or what is not allowed.
func (b Because) Words() string {
	if b.Criterion == C2 {
		return "the team has had a bye, or a match won without playing (C2)"
	}
	return b.String()
}

// Words returns in words what is wrong, and what the rules have instead.
func (d Difference) Words() string {
	return swiss.Difference{White: d.White, Black: d.Black, Kind: d.Kind, Mates: d.Mates}.Words()
}
