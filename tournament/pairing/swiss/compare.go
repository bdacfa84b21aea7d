package swiss

import (
	"cmp"
	"fmt"
	"slices"

	"quatuor/tournament/pairing"
)

// Difference is a board, or a bye, of a given round that the rules pair otherwise.
type Difference struct {
	White, Black int            // as given; Black is 0 for the bye, or for a player that was left out
	Kind         DifferenceKind // kind of its fault
	Mates        [2]int
	// Because is the rules' reason against it; the zero value for a board that is wrong only since another board is.
	Because Because
	Rule    ColourRule // of wrong colours: the rule that decides them
}

// DifferenceKind is the kind of fault of a board.
type DifferenceKind string

// The values of DifferenceKind.
const (
	WrongPair    DifferenceKind = "pair"     // they should have met others
	WrongColours DifferenceKind = "colours"  // the right pair with exchanged colours
	WrongBye     DifferenceKind = "bye"      // another player should have had the bye
	LeftOut      DifferenceKind = "left out" // the player takes part and was not paired
)

// Compare returns the differences of a given round from the rules, and the round by the rules. The first difference in
// the order of the candidates has the first criterion that makes it worse; so has every pair that is not allowed at
// all. If no legal pairing exists, the pairs not allowed are returned with the error of [Pairer.Draw].
func (p Pairer) Compare(h pairing.History, given Round) (Round, []Difference, error) {
	d, err := p.newDraw(h)
	if err != nil {
		return Round{}, nil, err
	}
	d.explain = true
	c := comparison{draw: d, given: given, rank: make(map[int]int, len(d.players))}
	for rank, player := range d.players {
		c.rank[player.number] = rank
	}
	c.claim()
	if err := d.complete(); err != nil {
		return Round{}, c.illegal(), err
	}
	d.pairBrackets(d.best)
	return d.round(), c.differences(), nil
}

// comparison compares a given round with a draw.
type comparison struct {
	draw  *draw
	given Round
	rank  map[int]int // by number
}

// claim notes the mates of the given round in the draw, by rank; −1 for the bye.
func (c *comparison) claim() {
	c.draw.claimed = slices.Repeat([]int{-1}, len(c.draw.players))
	for _, g := range c.given.Games {
		i, ok := c.rank[g.White]
		j, ok2 := c.rank[g.Black]
		if ok && ok2 {
			c.draw.claimed[i], c.draw.claimed[j] = j, i
		}
	}
}

// illegal returns the pairs of the given round that are not allowed, and a bye that is not.
func (c *comparison) illegal() (out []Difference) {
	for _, g := range c.given.Games {
		i, ok := c.rank[g.White]
		if j, ok2 := c.rank[g.Black]; ok && ok2 && !c.draw.legal[i].Has(j) {
			out = append(out, Difference{
				White: g.White, Black: g.Black, Kind: WrongPair,
				Because: c.draw.whyIllegal(c.draw.players[i], c.draw.players[j]),
			})
		}
	}
	if i, ok := c.rank[c.given.Bye]; ok && c.draw.players[i].barred {
		out = append(out, Difference{White: c.given.Bye, Kind: WrongBye, Because: Because{Criterion: C2}})
	}
	return out
}

// differences compares all boards; those with a reason come first.
func (c *comparison) differences() []Difference {
	out := c.illegal()
	known := func(white int) bool {
		return slices.ContainsFunc(out, func(d Difference) bool { return d.White == white })
	}
	first := c.first()
	for _, g := range c.given.Games {
		if dep := c.board(g, first); dep.Kind != "" && !known(g.White) {
			out = append(out, dep)
		}
	}
	if dep := c.bye(first); dep.Kind != "" && !known(c.given.Bye) {
		out = append(out, dep)
	}
	for rank, p := range c.draw.players {
		if c.draw.claimed[rank] < 0 && p.number != c.given.Bye {
			out = append(out, Difference{White: p.number, Kind: LeftOut})
		}
	}
	for i := range out {
		out[i].Mates = [2]int{c.mate(out[i].White), c.mate(out[i].Black)}
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return cmp.Compare(when(a.follows()), when(b.follows())) })
	return out
}

// follows reports whether a board is wrong only since another board is.
func (d Difference) follows() bool { return d.Because.Criterion == 0 && d.Rule == 0 }

// first returns the first choice of the draw that the given round does not share: nil if it shares all.
func (c *comparison) first() *Reason {
	pairs := c.draw.explanation.Pairs
	if i := slices.IndexFunc(pairs, func(r Reason) bool { return r.departs }); i >= 0 {
		return &pairs[i]
	}
	return nil
}

// mate returns the opponent by the rules; 0 for the bye, or none.
func (c *comparison) mate(number int) int {
	if i, ok := c.rank[number]; ok && c.draw.mates[i] >= 0 {
		return c.draw.players[c.draw.mates[i]].number
	}
	return 0
}

func (c *comparison) board(g Game, first *Reason) Difference {
	dep := Difference{White: g.White, Black: g.Black}
	if c.mate(g.White) != g.Black || g.Black == 0 {
		dep.Kind = WrongPair
		if first != nil && (g.White == first.Higher || g.Black == first.Higher) {
			dep.Because = first.given
		}
		return dep
	}
	higher, lower := c.draw.players[c.rank[g.White]], c.draw.players[c.rank[g.Black]]
	white := pairing.White
	if c.rank[g.White] > c.rank[g.Black] {
		higher, lower, white = lower, higher, pairing.Black
	}
	if colour, rule := c.draw.colourOf(higher, lower); colour != white {
		dep.Kind, dep.Rule = WrongColours, rule
	}
	return dep
}

// bye judges the bye of the given round.
func (c *comparison) bye(first *Reason) Difference {
	i, plays := c.rank[c.given.Bye]
	if c.given.Bye == 0 || plays && c.draw.mates[i] < 0 {
		return Difference{}
	}
	dep := Difference{White: c.given.Bye, Kind: WrongBye}
	switch {
	case plays && c.draw.byeScore >= 0 && c.draw.players[i].score != c.draw.byeScore:
		dep.Because = Because{Criterion: C5}
	case first != nil && first.Higher == c.given.Bye:
		dep.Because = first.given
	}
	return dep
}

// compareChoice notes in the reason for a pair whether the given round has another mate for its higher vertex, and the
// criterion against that mate.
func (p *problem) compareChoice(r *Reason, v, taken int) {
	claimed := p.draw.claimed
	if claimed == nil || claimed[p.ranks[v]] == p.ranks[taken] {
		return
	}
	r.departs = true
	mate := claimed[p.ranks[v]]
	if w := slices.Index(p.ranks, mate); mate >= 0 && w >= 0 {
		r.given = p.whyNot(v, w)
		return
	}
	if mate >= 0 && !p.draw.legal[p.ranks[v]].Has(mate) {
		r.given = p.draw.whyIllegal(p.draw.players[p.ranks[v]], p.draw.players[mate])
		return
	}
	r.given = p.worse(p.loose, v, p.set(p.outside()))
}

// Article returns the place of a criterion in the FIDE Handbook; "" for a criterion of our own.
func (b Because) Article() string {
	switch b.Criterion {
	case 0, Ban, NotAllowed:
		return ""
	case Exchanges, Differences:
		return chapter + "4.3"
	case Sequence:
		return chapter + "4.2"
	}
	return chapter + criterion(b.Criterion)
}

// Article returns the place of the rule in the FIDE Handbook.
func (r ColourRule) Article() string { return chapter + r.article() }

// Words returns in words what is wrong, and what the rules have instead.
func (d Difference) Words() string {
	none := d.Mates == [2]int{} // the rules have no round at all
	switch d.Kind {
	case WrongColours:
		return fmt.Sprintf("%d has White against %d, and should have Black", d.White, d.Black)
	case WrongBye:
		if none {
			return fmt.Sprint(d.White, " has the bye")
		}
		return fmt.Sprintf("%d has the bye, and should %s", d.White, meets(d.Mates[0]))
	case LeftOut:
		return fmt.Sprintf("%d is not paired, and should %s", d.White, meets(d.Mates[0]))
	}
	if d.Kind == WrongPair && none {
		return fmt.Sprintf("%d meets %d", d.White, d.Black)
	}
	return fmt.Sprintf("%d meets %d; %d should %s, and %d should %s", d.White, d.Black, d.White, meets(d.Mates[0]),
		d.Black, meets(d.Mates[1]))
}

func meets(number int) string {
	if number == 0 {
		return "have the bye"
	}
	return fmt.Sprint("meet ", number)
}

// Allowed reports whether an arbiter may set the board so: it breaks no absolute rule.
func (d Difference) Allowed() bool {
	switch d.Because.Criterion {
	case C1, C2, C3, Ban:
		return false
	}
	return d.Kind != LeftOut
}

// Name returns the criterion's name in the Handbook, or a word for what else decided; "" for none.
func (b Because) Name() string {
	if b.Criterion == 0 {
		return ""
	}
	return criterion(b.Criterion)
}

// Words returns in words what would get worse, or what is not allowed.
func (b Because) Words() string {
	switch b.Criterion {
	case C2:
		return "the player has had a bye, or a win without playing (C2)"
	case C5:
		return "a player with the lowest score that leaves a legal pairing has the bye (C5)"
	}
	return b.String()
}
