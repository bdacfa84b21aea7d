package standings

import "quatuor/tournament"

// buchholz is the sum of the opponents' adjusted scores (8.1).
func buchholz(b *book, page int, m modifiers) value {
	b.meetings(page, m)
	for i := range b.terms {
		b.terms[i].value = b.terms[i].strength
	}
	b.cut(m)
	return b.sum(tenths)
}

// foreBuchholz is Buchholz with the last round's games as draws (8.3).
func foreBuchholz(b *book, page int, m modifiers) value {
	m.fore = true
	return buchholz(b, page, m)
}

// averageBuchholz is the mean Buchholz of the opponents met at the board (8.2). The key is exact enough to
// distinguish any two means.
func averageBuchholz(b *book, page int, m modifiers) value {
	name := "BH"
	if m.fore {
		name = "FB"
	}
	b.opponents(page, b.all(name, buchholz, m))
	sum, n := b.total()
	if n == 0 {
		return undefined
	}
	return value{key: sum * 1_000_000 / n, text: hundredths(halfUp(10*sum, n))}
}

// opponents records a term for every opponent met in a game at the board, with the opponent's value in of.
func (b *book) opponents(page int, of []int64) {
	for i := range b.pages[page].rounds {
		r := &b.pages[page].rounds[i]
		if r.kind != tournament.Played {
			continue
		}
		for _, opponent := range r.opponents {
			t := termOf(i, r)
			t.opponent = int32(opponent)
			t.strength = of[opponent]
			t.value = of[opponent]
			b.terms = append(b.terms, t)
		}
	}
}

// sonnebornBerger is the sum of the opponents' adjusted scores, each times the points against them (9.1).
func sonnebornBerger(b *book, page int, m modifiers) value {
	b.meetings(page, m)
	for i := range b.terms {
		t := &b.terms[i]
		t.value = t.strength * int64(t.points)
	}
	b.cut(m)
	return b.sum(hundredths)
}

// koya is the sum of the points against opponents with at least half of the possible points (9.2).
func koya(b *book, page int, m modifiers) value {
	limit := tournament.Points(m.percent)*b.max + 100*tournament.Points(m.draws)*b.points.Draw
	b.record(page, func(_ int, r *round, t *term) bool {
		if !r.decided() {
			return false
		}
		score := b.pages[r.opponent].score
		t.strength, t.value = int64(score), int64(r.points)
		if 100*score < limit {
			t.cut = BelowLimit
		}
		return true
	})
	return b.sum(tenths)
}
