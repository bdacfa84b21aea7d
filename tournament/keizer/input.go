package keizer

import (
	"math"

	"quatuor/tournament"
	"quatuor/tournament/exact"
)

// tenth is a tenth of a point.
const tenth = 100_000

// InputOf returns the input of a tournament's ranking from the cards of its entries. A game without a result is worth
// nothing yet. Ratings count as whole numbers.
func InputOf(cards []tournament.Card, r tournament.KeizerRules) Input {
	s := Input{Rules: Rules{
		Top: r.Top, Own: exact.Decimal(r.Own) * tenth, Absences: r.Absences, Gap: r.Gap, Meetings: r.Meetings,
	}}
	rounds := 0
	for _, card := range cards {
		s.Players = append(s.Players, Player{card.Entry.Number, int(math.Round(card.Entry.Rating))})
		rounds = max(rounds, len(card.Cells))
	}
	for i := range rounds {
		s.Rounds = append(s.Rounds, roundOf(cards, i))
	}
	return s
}

// roundOf returns a round, from 0.
func roundOf(cards []tournament.Card, i int) (r Round) {
	tables := map[int][]sitting{} // by board
	for _, card := range cards {
		n, cell := card.Entry.Number, card.Cells[i]
		switch {
		case cell.Kind == tournament.Played:
			tables[cell.Board] = append(tables[cell.Board], sitting{n, cell})
		case cell.Kind == tournament.ForfeitWin:
			r.Forfeit = append(r.Forfeit, n)
		case cell.Bye == tournament.PairingAllocated:
			r.Byes = append(r.Byes, n)
		case cell.Bye == tournament.ClubDuty:
			r.Duty = append(r.Duty, n)
		case cell.Kind == tournament.ForfeitLoss, cell.Kind == tournament.Pending, cell.Bye == tournament.NoShow:
			r.NoShow = append(r.NoShow, n)
		}
	}
	for board := range len(cards) {
		r.seat(tables[board+1])
	}
	return r
}

// sitting is a player that played at a table.
type sitting struct {
	number int
	cell   tournament.Cell
}

// seat adds what was played at a board or table by those that came.
func (r *Round) seat(table []sitting) {
	switch len(table) {
	case 0:
	case 1:
		r.Forfeit = append(r.Forfeit, table[0].number)
	case 2:
		a, b := table[0], table[1]
		if b.cell.Seat < a.cell.Seat {
			a, b = b, a
		}
		g := Game{White: a.number, Black: b.number, Result: 1}
		if a.cell.Points > b.cell.Points {
			g.Result = 2
		} else if a.cell.Points < b.cell.Points {
			g.Result = 0
		}
		r.Games = append(r.Games, g)
	default:
		var t Table
		for _, s := range table {
			t.Players = append(t.Players, s.number)
			t.Points = append(t.Points, exact.Decimal(s.cell.Points)*tenth)
		}
		r.Tables = append(r.Tables, t)
	}
}
