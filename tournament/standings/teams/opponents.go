package teams

import (
	"cmp"

	"quatuor/tournament"
	"quatuor/tournament/team"
)

// Cut is the reason for leaving a term out, or Counted.
type Cut string

// The values of Cut.
const (
	Counted      Cut = ""
	CutLowest    Cut = "lowest"               // the least significant value (14.1)
	CutVoluntary Cut = "not played by choice" // a round that the team chose not to play goes first (16.5)
	CutHighest   Cut = "highest"              // the most significant value (14.3)
)

// Term is a contribution to a tie-break.
type Term struct {
	Round    int
	Opponent int // number of the team that was met or should have been; 0 for byes
	Kind     team.Kind
	Own      team.Totals       // points of the round
	Dummy    bool              // the strength is not the opponent's but that of a dummy (16.4)
	Strength tournament.Points // worth of the opponent or dummy
	Text     string            // the contribution as printed
	Cut      Cut

	value     int64
	voluntary bool
}

// term returns the term of a round (from 0), without its value.
func (b *book) term(p *page, round int) Term {
	r := p.Rounds[round]
	return Term{
		Round: round + 1, Opponent: r.Opponent, Kind: r.Kind, Own: r.Totals, voluntary: voluntary(r.Kind) && !b.Table,
	}
}

func printed(terms []Term, print func(int64) string) []Term {
	for i := range terms {
		terms[i].Text = print(terms[i].value)
	}
	return terms
}

// meetings returns a term for every round with its opponent and its strength by a score.
func (b *book) meetings(page int, score team.Score) (terms []Term) {
	p := &b.pages[page]
	for i, r := range p.Rounds {
		opponent := p.opponents[i]
		if r.Kind == team.Underway || b.Table && opponent < 0 {
			continue
		}
		t := b.term(p, i)
		if b.counts(p, i) {
			t.Strength = b.pages[opponent].adjusted.Of(score)
		} else {
			t.Dummy, t.Strength = true, min(p.total.Of(score), b.capOfDummy(p, i, score))
		}
		terms = append(terms, t)
	}
	return terms
}

// capOfDummy returns the greatest worth of a dummy (16.4.1, 16.4.2).
func (b *book) capOfDummy(p *page, round int, score team.Score) tournament.Points {
	if opponent := p.opponents[round]; opponent >= 0 {
		return b.pages[opponent].adjusted.Of(score)
	}
	return b.Scoring.Drawn().Of(score) * tournament.Points(cmp.Or(b.Rounds, b.held))
}

// buchholz is the sum of the opponents' adjusted scores (8.1).
func buchholz(b *book, page int, m modifiers) value {
	terms := b.meetings(page, b.scoreOf(m))
	for i := range terms {
		terms[i].value = int64(terms[i].Strength)
	}
	cut(terms, m)
	return sumOf(terms, tenths)
}

// sonnebornBerger is the sum of a score of the opponents, each times an own score against them (13.2).
func (b *book) sonnebornBerger(page int, m modifiers, theirs, own team.Score) value {
	terms := b.meetings(page, theirs)
	for i := range terms {
		terms[i].value = int64(terms[i].Strength) * int64(terms[i].Own.Of(own))
	}
	cut(terms, m)
	return sumOf(terms, hundredths)
}

// scheduleStrength is the secondary score and a share of the Buchholz (13.4).
func scheduleStrength(b *book, page int, m modifiers) value {
	k := m.factor
	if k == 0 {
		k = b.strengthFactor()
	}
	v := buchholz(b, page, modifiers{})
	n := int64(b.pages[page].total.Of(b.Primary.Other()))*k + v.key[0]
	return value{key: []int64{n}, text: decimal(n, 10*k), terms: v.terms}
}

// strengthFactor returns the most primary points of the tournament over the most secondary points of a match, at least
// 1.
func (b *book) strengthFactor() int64 {
	won := b.Scoring.Won()
	most := tournament.Points(cmp.Or(b.Rounds, b.held)) * won.Of(b.Primary)
	if by := won.Of(b.Primary.Other()); by > 0 {
		return max(1, int64(most/by))
	}
	return 1
}

// sumOf returns the sum of the terms that count.
func sumOf(terms []Term, print func(int64) string) value {
	var sum int64
	for _, t := range terms {
		if t.Cut == Counted {
			sum += t.value
		}
	}
	return value{key: []int64{sum}, text: print(sum), terms: printed(terms, print)}
}

// cut cuts terms (14.1, 14.3, 16.5).
func cut(terms []Term, m modifiers) {
	for range m.low {
		least := utmost(terms, func(*Term) bool { return true }, weaker)
		if least == nil {
			return
		}
		vur := utmost(terms, func(t *Term) bool { return t.voluntary }, func(t, o *Term) bool { return t.value < o.value })
		if vur != nil && vur.value >= least.value {
			vur.Cut = CutVoluntary
			continue
		}
		least.Cut = CutLowest
	}
	for range m.high {
		stronger := func(t, o *Term) bool { return weaker(o, t) }
		if most := utmost(terms, func(*Term) bool { return true }, stronger); most != nil {
			most.Cut = CutHighest
		}
	}
}

// weaker reports whether a term is less significant than another: by its opponent, then by its value.
func weaker(t, o *Term) bool {
	return cmp.Or(cmp.Compare(t.Strength, o.Strength), cmp.Compare(t.value, o.value)) < 0
}

// utmost returns the first of the best terms that count and fit; nil for none.
func utmost(terms []Term, fits func(*Term) bool, better func(t, o *Term) bool) (found *Term) {
	for i := range terms {
		if t := &terms[i]; t.Cut == Counted && fits(t) && (found == nil || better(t, found)) {
			found = t
		}
	}
	return found
}
