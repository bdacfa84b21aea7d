package standings

import "quatuor/tournament"

// black is the second seat of a duel.
const black = 2

func wins(b *book, p page) value {
	return tally(p, func(c tournament.Cell) bool { return c.Kind != tournament.Absent && c.Points >= b.points.Win })
}

func gamesWon(b *book, p page) value {
	return tally(p, func(c tournament.Cell) bool { return c.Kind == tournament.Played && c.Points >= b.points.Win })
}

func blackGames(_ *book, p page) value {
	return tally(p, func(c tournament.Cell) bool { return c.Kind == tournament.Played && c.Seat == black })
}

func blackWins(b *book, p page) value {
	return tally(p, func(c tournament.Cell) bool {
		return c.Kind == tournament.Played && c.Seat == black && c.Points >= b.points.Win
	})
}

func tally(p page, counts func(tournament.Cell) bool) value {
	n := 0
	for _, c := range p.cells {
		if counts(c) {
			n++
		}
	}
	return count(n)
}

func progressive(_ *book, p page) value {
	var total, sum tournament.Points
	for _, c := range p.cells {
		total += c.Points
		sum += total
	}
	return tenths(sum)
}
