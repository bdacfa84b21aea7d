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
	sum, n := b.mean(page, b.all(name, buchholz, m))
	if n == 0 {
		return undefined
	}
	return value{key: sum * 1_000_000 / n, text: hundredths(halfUp(10*sum, n))}
}

// mean records a term for every game at the board, worth what of holds for the opponent, and returns their sum and
// number.
func (b *book) mean(page int, of []int64) (sum, n int64) {
	for i := range b.pages[page].rounds {
		r := &b.pages[page].rounds[i]
		if r.kind != tournament.Played {
			continue
		}
		for _, opponent := range r.opponents {
			t := termOf(i, r)
			t.opponent = int32(opponent)
			t.strength, t.value = of[opponent], of[opponent]
			b.terms = append(b.terms, t)
			sum += t.value
			n++
		}
	}
	return sum, n
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
	for i := range b.pages[page].rounds {
		r := &b.pages[page].rounds[i]
		if !r.decided() {
			continue
		}
		score := b.pages[r.opponent].score
		t := termOf(i, r)
		t.strength, t.value = int64(score), int64(r.points)
		if 100*score < limit {
			t.cut = BelowLimit
		}
		b.terms = append(b.terms, t)
	}
	return b.sum(tenths)
}
