package standings

import (
	"cmp"

	"quatuor/tournament"
)

// outlook is the worth of every page under article 16.
type outlook struct {
	own  []tournament.Points // to itself: the score of the dummy
	seen []tournament.Points // to its opponents: the adjusted score
}

// outlook returns the scores for Buchholz and its kin; with fore the last round's games are draws (8.3).
func (b *book) outlook(fore bool) *outlook {
	which := 0
	if fore {
		which = 1
	}
	if b.outlooks[which] == nil {
		o := &outlook{own: make([]tournament.Points, len(b.pages)), seen: make([]tournament.Points, len(b.pages))}
		for i := range b.pages {
			o.own[i], o.seen[i] = b.worth(&b.pages[i], fore)
		}
		b.outlooks[which] = o
	}
	return b.outlooks[which]
}

func (b *book) worth(p *page, fore bool) (own, seen tournament.Points) {
	if b.fixed {
		return p.score, p.score
	}
	last := -1 // the last round that is no VUR, from 0
	for i := range p.rounds {
		r := &p.rounds[i]
		if b.drawn(i, r, fore) || !r.voluntary() {
			last = i
		}
	}
	for i := range p.rounds {
		r := &p.rounds[i]
		points := r.points
		if b.drawn(i, r, fore) {
			points = b.points.Draw
		}
		own += points
		if i > last && r.requested() {
			points = b.points.Draw
		}
		seen += points
	}
	return own, seen
}

// drawn reports whether fore counts a round (from 0) as a draw: paired, and the tournament's last.
func (b *book) drawn(i int, r *round, fore bool) bool { return fore && i == b.final && r.opponent >= 0 }

// meetings records a term for every round with its opponent and its strength. Values come later.
func (b *book) meetings(page int, m modifiers) {
	o := b.outlook(m.fore)
	b.record(page, func(i int, r *round, t *term) bool {
		switch drawn := b.drawn(i, r, m.fore); {
		case r.kind == tournament.Pending && !drawn, b.fixed && r.opponent < 0:
			return false
		case r.played() || drawn || r.opponent >= 0 && (m.played || b.fixed):
			t.strength = int64(o.seen[r.opponent])
		default:
			t.dummy, t.voluntary = true, r.voluntary()
			t.strength = int64(min(o.own[page], b.cap(r, o)))
		}
		return true
	})
}

// cap returns the greatest worth of a dummy (16.4.1, 16.4.2).
func (b *book) cap(r *round, o *outlook) tournament.Points {
	if r.opponent >= 0 {
		return o.seen[r.opponent]
	}
	return b.points.Draw * tournament.Points(b.rounds)
}

// cut cuts terms (14.1, 14.3, 16.5).
func (b *book) cut(m modifiers) {
	for range m.low {
		least, voluntary := weakest(b.terms, false), weakest(b.terms, true)
		switch {
		case least == nil:
			return
		case voluntary != nil && voluntary.value >= least.value:
			voluntary.cut = CutVoluntary
		default:
			least.cut = CutLowest
		}
	}
	for range m.high {
		if most := strongest(b.terms); most != nil {
			most.cut = CutHighest
		}
	}
}

// weakest returns the least significant term that is not cut: the lowest term with the weakest opponent; only among
// VURs if voluntary is set.
func weakest(terms []term, voluntary bool) *term {
	return utmost(terms, func(t, found *term) bool {
		return (t.voluntary || !voluntary) && (found == nil || t.compare(found) < 0)
	})
}

// strongest returns the most significant term that is not cut.
func strongest(terms []term) *term {
	return utmost(terms, func(t, found *term) bool { return found == nil || t.compare(found) > 0 })
}

func utmost(terms []term, better func(t, found *term) bool) *term {
	var found *term
	for i := range terms {
		if t := &terms[i]; t.cut == Counted && better(t, found) {
			found = t
		}
	}
	return found
}

func (t *term) compare(o *term) int {
	return cmp.Or(cmp.Compare(t.strength, o.strength), cmp.Compare(t.value, o.value))
}
