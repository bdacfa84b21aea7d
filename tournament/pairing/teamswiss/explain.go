package teamswiss

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/matching"
	"quatuor/tournament/pairing/swiss"
)

// Explanation explains the pairing of a round.
type Explanation struct {
	Pairs    []Reason // in the order of the matches
	Bye      *Reason  // of the team with the pairing-allocated bye, which is First; nil without a bye
	Readings Readings // in force
}

// Reason explains why two teams met, and why with these colours.
type Reason struct {
	First, Second int                  // numbers: the first-team (4.2) and the other
	Bracket       tournament.Points    // the score of the top of their bracket
	Virtual       [2]tournament.Points // of First and Second in the round
	Upfloaters    []int                // of the bracket, in their order
	NotFloated    PassedOver           // the first candidate that did not become an upfloater
	Top           int                  // the team of the pair that chose, with the smaller seat
	NotMet        PassedOver           // the candidate next above the chosen that Top did not get
	FirstColour   pairing.Colour
	ColourRule    ColourRule
}

// PassedOver is a candidate before the chosen candidate, with the reason for rejecting it. Number is 0 for none.
type PassedOver struct {
	Number int
	Because
}

// Because is the reason for ruling a candidate out: the most important criterion that makes every choice with it worse.
type Because struct {
	Criterion Criterion
	Round     int // for C1: the round of their meeting
}

// Explain pairs a round like [Pairer.Draw] and also returns the reasons. It takes several times as long.
func (p Pairer) Explain(h pairing.History) (swiss.Round, Explanation, error) {
	d := p.newDraw(h)
	d.explain = true
	d.explanation.Readings = p.Readings
	if err := d.pair(); err != nil {
		return swiss.Round{}, Explanation{}, err
	}
	return d.round(), d.explained(), nil
}

// explained returns the reasons in the order of the matches, with those of the colours.
func (d *draw) explained() Explanation {
	reasons := make(map[int]Reason, 2*len(d.explanation.Pairs))
	for _, r := range d.explanation.Pairs {
		reasons[r.First], reasons[r.Second] = r, r
	}
	e := d.explanation
	e.Pairs = nil
	for _, m := range d.matches() {
		r := reasons[m.first.number]
		r.First = m.first.number
		r.Second = m.second.number
		r.FirstColour = m.colour
		r.ColourRule = m.rule
		r.Virtual = [2]tournament.Points{m.first.score - m.first.primary, m.second.score - m.second.primary}
		e.Pairs = append(e.Pairs, r)
	}
	return e
}

// explainBye keeps the candidate for the bye that was passed over last, or else the next candidate.
func (d *draw) explainBye(candidates []int) {
	if !d.explain {
		return
	}
	t := d.teams[d.bye]
	r := &Reason{First: t.number, Bracket: t.score}
	d.explanation.Bye = r
	switch at := slices.Index(candidates, d.bye); {
	case at > 0:
		r.NotFloated = PassedOver{d.teams[candidates[at-1]].number, Because{Criterion: C3}}
	case len(candidates) > 1:
		o := d.teams[candidates[1]]
		r.NotFloated = PassedOver{o.number, d.whyNoBye(o)}
	}
}

// whyNoBye returns why a candidate for the bye comes after the team that has it.
func (d *draw) whyNoBye(o *team) Because {
	switch t := d.teams[d.bye]; {
	case o.score != t.score:
		return Because{Criterion: ByeScore}
	case len(o.colours) != len(t.colours):
		return Because{Criterion: ByePlays}
	}
	return Because{Criterion: ByeOrder}
}

// explainUpfloaters keeps the reason against the first candidate that is no upfloater.
func (d *draw) explainUpfloaters(b *bracket, p *problem, solved *matching.Matching, tops matching.Set) {
	if !d.explain || len(b.rest) == 0 {
		return
	}
	v := slices.Index(p.ranks, b.rest[0])
	b.notFloated = PassedOver{d.teams[b.rest[0]].number, p.worse(solved, v, tops, C3)}
}

// explainPair keeps the reason against the candidate next above a top's partner; loose is the matching without the
// choices that only the order of candidates has made, other than the pairs before.
func (d *draw) explainPair(b *bracket, p *problem, loose *matching.Matching, v int, order []int, w int) {
	if !d.explain {
		return
	}
	r := Reason{
		First: d.teams[p.ranks[v]].number, Second: d.teams[p.ranks[w]].number, Top: d.teams[p.ranks[v]].number,
		Bracket: d.teams[b.top[0]].score, NotFloated: b.notFloated,
	}
	for _, rank := range b.upfloaters {
		r.Upfloaters = append(r.Upfloaters, d.teams[rank].number)
	}
	if at := slices.Index(order, w); at > 0 {
		r.NotMet = PassedOver{d.teams[p.ranks[order[at-1]]].number, d.whyNot(p, loose, v, order[at-1])}
	}
	d.comparePair(p, loose, v, w)
	loose.Pick(v, []int{w})
	d.explanation.Pairs = append(d.explanation.Pairs, r)
}

// whyNot returns the criterion that rules out a pair of vertices.
func (d *draw) whyNot(p *problem, loose *matching.Matching, v, w int) Because {
	a, b := d.teams[p.ranks[v]], d.teams[p.ranks[w]]
	if d.legal[p.ranks[v]].Has(p.ranks[w]) {
		return p.worse(loose, v, set(len(p.ranks), w, w+1), Inside)
	}
	return d.whyIllegal(a, b)
}

// whyIllegal returns why two teams may not meet.
func (d *draw) whyIllegal(a, b *team) Because {
	if slices.Contains(a.opponents, b.number) {
		for i, c := range d.history.Field[a.number-1].Cells {
			if slices.Contains(c.Opponents, b.number) {
				return Because{Criterion: C1, Round: i + 1}
			}
		}
	}
	return Because{Criterion: Ban}
}

// worse returns the first criterion that makes the pairing worse if v's mate must be in allowed; impossible if that
// leaves no pairing.
func (p *problem) worse(m *matching.Matching, v int, allowed matching.Set, impossible Criterion) Because {
	forced, ok := m.Try(v, allowed)
	if !ok {
		return Because{Criterion: impossible}
	}
	return p.worseThan(p.digits.Totals(m.Cost()), p.digits.Totals(forced))
}

// worseThan returns the first criterion with different totals in two pairings.
func (p *problem) worseThan(before, after []int64) Because {
	for i, l := range p.levels {
		if before[i] != after[i] {
			return Because{Criterion: l.criterion}
		}
	}
	return Because{Criterion: Order}
}
