package standings

import "quatuor/tournament"

// firsts, seconds and thirds are the numbers of rounds that ended in this place at a table; a shared place is the
// better one.
func firsts(b *book, page int, _ modifiers) value  { return b.placed(page, 1) }
func seconds(b *book, page int, _ modifiers) value { return b.placed(page, 2) }
func thirds(b *book, page int, _ modifiers) value  { return b.placed(page, 3) }

func (b *book) placed(page, place int) value {
	n := int64(0)
	for i := range b.pages[page].rounds {
		r := &b.pages[page].rounds[i]
		if r.kind != tournament.Played {
			continue
		}
		rank := 1
		for _, other := range r.opponents {
			if b.pages[other].rounds[i].points > r.points {
				rank++
			}
		}
		if rank == place {
			t := termOf(i, r)
			t.value = 1
			b.terms = append(b.terms, t)
			n++
		}
	}
	return value{key: n, text: whole(n)}
}

// twelfth is the fraction of a point's tenth in which means of two to four scores are added up exactly.
const twelfth = 12

// tableBuchholz is the sum, round by round, of the mean points of the others at the table. A round without a table
// counts as one among equals.
func tableBuchholz(b *book, page int, m modifiers) value {
	for i := range b.pages[page].rounds {
		r := &b.pages[page].rounds[i]
		if r.kind == tournament.Pending {
			continue
		}
		t := termOf(i, r)
		if n := len(r.opponents); r.kind == tournament.Played && n > 0 {
			for _, other := range r.opponents {
				t.value += int64(b.pages[other].score)
			}
			t.value = t.value * twelfth / int64(n)
		} else {
			t.dummy, t.voluntary = true, r.voluntary()
			t.value = int64(b.pages[page].score) * twelfth
		}
		t.strength = t.value
		b.terms = append(b.terms, t)
	}
	b.cut(m)
	return b.sum(twelfths)
}

// twelfths formats twelfths of a tenth with two decimals.
func twelfths(n int64) string { return hundredths(halfUp(10*n, twelfth)) }
