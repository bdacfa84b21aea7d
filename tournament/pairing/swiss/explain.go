package swiss

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/matching"
)

// Explanation explains the pairing of a round.
type Explanation struct {
	Pairs  []Reason // in board order
	Floats []Float  // the players left over in a bracket, from the top; the player with the bye comes last
}

// Reason explains why two players met, and why with these colours.
type Reason struct {
	Higher, Lower           int // numbers
	HigherScore, LowerScore tournament.Points
	Bracket                 tournament.Points // score of the residents of their bracket
	Role                    Role
	PassedOver              PassedOver // the next candidate above Lower that Higher did not get
	HigherDue, LowerDue     Due
	HigherColour            pairing.Colour
	ColourRule              ColourRule

	departs bool    // a round given for comparison has another mate for Higher
	given   Because // the reason against that mate
}

// Role is the role of the higher-ranked of a pair in its pairing.
type Role uint8

// The roles.
const (
	MovedDown Role = iota + 1 // moved down into the bracket: these get their opponents first
	UpperHalf                 // of S1 of the bracket, or of what those moved down have left of it
	Exchanged                 // of S2, changed into S1
)

// PassedOver is a candidate before the chosen candidate, with the reason for rejecting it. Number is 0 for none.
type PassedOver struct {
	Number int
	Because
}

// Because is the reason for ruling a candidate out: the most important criterion that makes every pairing with it
// worse.
type Because struct {
	Criterion Criterion
	Round     int // for C1: the round of their meeting
}

// Float is a player left over in a bracket, with the criterion against pairing it there.
type Float struct {
	Number  int
	Score   tournament.Points
	Bracket tournament.Points
	Bye     bool // no bracket was left to float into
	Because
}

// Due is the colour that a player was due.
type Due struct {
	Colour   pairing.Colour // 0 for none
	Strength Strength
}

// Strength is the strength of a colour preference.
type Strength uint8

// The strengths (Art. 1.7).
const (
	NotDue     Strength = iota // no game yet
	Mildly                     // equally often both: the other colour than last time
	Strongly                   // a game more with the other
	Absolutely                 // two more of the other, or the other twice running
)

// Explain pairs a round like [Pairer.Draw] and also returns the reasons. It takes several times as long.
func (p Pairer) Explain(h pairing.History) (Round, Explanation, error) {
	d, err := p.newDraw(h)
	if err != nil {
		return Round{}, Explanation{}, err
	}
	d.explain = true
	if err := d.complete(); err != nil {
		return Round{}, Explanation{}, err
	}
	d.pairBrackets(d.best)
	return d.round(), d.explained(), nil
}

// explained returns the reasons in board order, with those of the colours.
func (d *draw) explained() Explanation {
	e := d.explanation
	board := make(map[int]int)
	for i, rank := range d.boards() {
		board[d.players[rank].number] = i
	}
	for i := range e.Pairs {
		d.explainColours(&e.Pairs[i])
	}
	slices.SortFunc(e.Pairs, func(a, b Reason) int { return board[a.Higher] - board[b.Higher] })
	for i := range e.Floats {
		f := &e.Floats[i]
		f.Bye = i == len(e.Floats)-1 && len(d.players)%2 == 1
	}
	return e
}

func (d *draw) explainColours(r *Reason) {
	higher, lower := &d.all[r.Higher-1], &d.all[r.Lower-1]
	r.HigherColour, r.ColourRule = d.colourOf(higher, lower)
	r.HigherScore, r.LowerScore = higher.score, lower.score
	r.HigherDue, r.LowerDue = higher.preference.due(), lower.preference.due()
}

func (p preference) due() Due { return Due{p.colour, p.strength} }

// explaining calls do if reasons are wanted.
func (p *problem) explaining(do func()) {
	if p.draw.explain {
		do()
	}
}

func (p *problem) keepLoose() {
	p.explaining(func() { p.loose = p.match.Clone() })
}

// whyPair returns the reason for the pair of v with the vertex at a place of the order, and makes the pair in the
// loose matching, too.
func (p *problem) whyPair(v int, order []int, at int) Reason {
	pl := p.draw.players[p.ranks[v]]
	lower := p.draw.players[p.ranks[order[at]]]
	r := Reason{Higher: pl.number, Lower: lower.number, Bracket: p.bracketScore(), Role: UpperHalf}
	switch k := p.kinds[v]; {
	case k.place == mover:
		r.Role = MovedDown
	case k.sequence > 0 && !k.upper:
		r.Role = Exchanged
	}
	if at > 0 {
		better := p.draw.players[p.ranks[order[at-1]]]
		r.PassedOver = PassedOver{Number: better.number, Because: p.whyNot(v, order[at-1])}
	}
	p.compareChoice(&r, v, order[at])
	p.loose.Pick(v, order[at:at+1])
	return r
}

func (p *problem) bracketScore() tournament.Points {
	return p.draw.players[p.bracket.residents[0]].score
}

// whyNot returns the criterion that rules out a pair of vertices.
func (p *problem) whyNot(v, w int) Because {
	a, b := p.draw.players[p.ranks[v]], p.draw.players[p.ranks[w]]
	if !p.draw.legal[p.ranks[v]].Has(p.ranks[w]) {
		return p.draw.whyIllegal(a, b)
	}
	return p.worse(p.loose, v, p.set([]int{w}))
}

// whyIllegal returns why two players may not meet at all.
func (d *draw) whyIllegal(a, b *player) Because {
	for i, c := range d.history.Field[a.number-1].Cells {
		if c.Kind == tournament.Played && c.Opponents[0] == b.number {
			return Because{Criterion: C1, Round: i + 1}
		}
	}
	if a.preference.absolutely(b.preference) && !d.isTopscorer(a) && !d.isTopscorer(b) {
		return Because{Criterion: C3}
	}
	return Because{Criterion: Ban}
}

// worse returns the first criterion that makes the pairing worse if v's mate must be in allowed.
func (p *problem) worse(m *matching.Matching, v int, allowed matching.Set) Because {
	forced, ok := m.Try(v, allowed)
	if !ok && p.wide {
		return Because{Criterion: C4}
	} else if !ok {
		return Because{Criterion: C6}
	}
	before, after := p.packing.totals(m.Cost()), p.packing.totals(forced)
	for i, l := range p.packing.levels {
		if before[i] != after[i] {
			return Because{Criterion: l.criterion}
		}
	}
	return Because{Criterion: Sequence}
}

// whyLeft returns the reasons for the players left over, by the matching before any choice.
func (p *problem) whyLeft(solved *matching.Matching, floats []int) []Float {
	var out []Float
	for _, rank := range floats {
		pl := p.draw.players[rank]
		f := Float{Number: pl.number, Score: pl.score, Bracket: p.bracketScore()}
		v := slices.Index(p.ranks, rank)
		f.Because = p.worse(solved, v, p.set(span(0, p.inside)))
		out = append(out, f)
	}
	return out
}

// Line is a row of a check-list: the data that the pairing of a participating player is based on.
type Line struct {
	Number    int
	Score     tournament.Points // virtual points included
	Colours   []pairing.Colour
	Due       Due
	Floats    [2]int // one and two rounds ago: 1 down, -1 up
	MayBeFree bool   // may have the pairing-allocated bye (C2)
}

// Lines returns the rows of the check-list of a round, best first.
func (p Pairer) Lines(h pairing.History) ([]Line, error) {
	d, err := p.newDraw(h)
	if err != nil {
		return nil, err
	}
	direction := map[float]int{down: 1, up: -1}
	lines := make([]Line, len(d.players))
	for i, player := range d.players {
		lines[i] = Line{
			Number: player.number, Score: player.score, Colours: player.colours, Due: player.preference.due(),
			Floats: [2]int{direction[player.floats[0]], direction[player.floats[1]]}, MayBeFree: !player.barred,
		}
	}
	return lines, nil
}
