package standings

import "quatuor/tournament"

func sonnebornBerger(b *book, p page) value {
	var sum int64
	for _, c := range p.cells {
		if n, ok := duel(c); ok {
			sum += int64(b.pages[n-1].score) * int64(c.Points)
		}
	}
	return hundredths(sum)
}

func koya(b *book, p page) value {
	most := b.most()
	var sum tournament.Points
	for _, c := range p.cells {
		if n, ok := duel(c); ok && 2*b.pages[n-1].score >= most {
			sum += c.Points
		}
	}
	return tenths(sum)
}
