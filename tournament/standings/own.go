package standings

import "quatuor/tournament"

// Counts of rounds with the points of a win, played or not (7.1), of wins at the board (7.2), of games (7.3) and wins
// (7.4) with the second colour, and of rounds with the entry present (7.6).
var (
	wins       = counting(func(b *book, r *round) bool { return r.kind != tournament.Absent && r.points >= b.points.Win })
	gamesWon   = counting(func(b *book, r *round) bool { return r.played() && r.points >= b.points.Win })
	blackGames = counting(func(_ *book, r *round) bool { return r.played() && r.seat == black })
	blackWins  = counting(func(b *book, r *round) bool {
		return r.played() && r.seat == black && r.points >= b.points.Win
	})

	electedToPlay = counting(func(b *book, r *round) bool {
		return !r.voluntary() && !(b.fixed && r.kind == tournament.Unpaired)
	})
)

// counting is the number of rounds that counts accepts, printed without decimals.
func counting(counts func(*book, *round) bool) func(*book, int, modifiers) value {
	return func(b *book, page int, _ modifiers) value {
		b.record(page, func(_ int, r *round, t *term) bool {
			t.value = 1
			return counts(b, r)
		})
		return b.sum(whole)
	}
}

// progressive is the sum of the running totals (7.5); cuts take the first rounds.
func progressive(b *book, page int, m modifiers) value {
	var total tournament.Points
	b.record(page, func(i int, r *round, t *term) bool {
		total += r.points
		t.value = int64(total)
		if i < m.low {
			t.cut = CutEarly
		}
		return true
	})
	return b.sum(tenths)
}

// standardPoints counts 1 for a round with more points than the opponent, ½ for as many; without a game, the
// points of a draw take the opponent's place (7.7).
func standardPoints(b *book, page int, _ modifiers) value {
	b.record(page, func(i int, r *round, t *term) bool {
		other := b.points.Draw
		if r.played() {
			other = b.pages[r.opponent].rounds[i].points
		}
		switch {
		case r.points > other:
			t.value = 10
		case r.points == other:
			t.value = 5
		}
		return r.kind != tournament.Pending && (!b.fixed || r.opponent >= 0)
	})
	sum, _ := b.total()
	return value{key: sum, text: tenths(sum)}
}

// pairingNumber is the entry's number, the lowest being the best (7.8).
func pairingNumber(b *book, page int, _ modifiers) value {
	n := int64(b.pages[page].entry.Number)
	return value{key: -n, text: whole(n)}
}

// lot is the last resort of article 4.2.
func lot(b *book, page int, _ modifiers) value {
	if b.lots == nil {
		ids := make([]string, len(b.pages))
		for i, p := range b.pages {
			ids[i] = p.entry.ID
		}
		b.lots = tournament.Lots(b.seed, ids)
	}
	place := int64(b.lots[page])
	return value{key: -place, text: whole(place)}
}
