package trf

import (
	"fmt"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// History returns the input of a pairing system for a round: cells of later rounds are left out, and of the round
// itself only the byes on request count. Numbers without a player are filled with players that are always away.
func (r *Report) History(round int) pairing.History {
	last := 0
	for _, p := range r.Players {
		last = max(last, p.Number)
	}
	h := pairing.History{
		Round: round, Rounds: r.Rounds, Points: r.Points, Initial: r.initialColour(), Bans: r.bans(round),
		Field: make([]pairing.Entrant, last),
	}
	absent, lines := make([]tournament.Cell, round-1), r.accounts()
	for i := range h.Field {
		h.Field[i] = pairing.Entrant{
			Card: tournament.Card{Entry: tournament.Entry{Number: i + 1}, Cells: absent}, Away: tournament.ZeroPoint,
		}
	}
	for _, p := range r.Players {
		e := &h.Field[p.Number-1]
		e.Entry, e.Cells = p.entry(), make([]tournament.Cell, round-1)
		for i := range e.Cells {
			e.Cells[i] = lines.cell(p.Number, i+1, p.Cell(i+1))
		}
		e.Away = tournament.NoBye
		if bye := lines.cell(p.Number, round, p.Cell(round)).Bye; bye != tournament.PairingAllocated {
			e.Away = bye
		}
	}
	return h
}

// Drawn returns [Report.History] as a round is paired from it: a game without a result has the points that line
// 162 assigns to unknown results.
func (r *Report) Drawn(round int) pairing.History {
	h := r.History(round)
	for i := range h.Field {
		for j := range h.Field[i].Cells {
			if c := &h.Field[i].Cells[j]; c.Kind == tournament.Pending {
				c.Kind, c.Points = tournament.Played, r.Unknown
			}
		}
	}
	return h
}

// Has reports whether a player has this number.
func (r *Report) Has(number int) bool {
	return slices.ContainsFunc(r.Players, func(p Player) bool { return p.Number == number })
}

func (p *Player) entry() tournament.Entry {
	rating, _ := readNumber(p.Rating, 0, maxPlayers) // blank is 0: unrated
	return tournament.Entry{ID: fmt.Sprint(p.Number), Number: p.Number, Name: p.Name, Rating: float64(rating)}
}

// cell translates a cell; a bye requested by a 240 line fills a blank cell.
func (a accounts) cell(number, round int, c Cell) tournament.Cell {
	if asked, ok := a.requested[[2]int{number, round}]; ok && c == (Cell{Result: NoResult}) {
		c.Result = asked
	}
	out := tournament.Cell{Points: a.worth(number, round, c), Bye: byes[c.Result]}
	if c.Opponent > 0 {
		out.Opponents, out.Seat = []int{c.Opponent}, int(c.Colour)
	}
	switch {
	case c.Result.isGame():
		out.Kind = tournament.Played
	case c.Result == ForfeitWin:
		out.Kind = tournament.ForfeitWin
	case c.Result == ForfeitLoss:
		out.Kind = tournament.ForfeitLoss
	case c.Result.isBye():
		out.Kind = tournament.Unpaired
	case c.Opponent > 0:
		out.Kind = tournament.Pending
	}
	return out
}

var byes = map[Result]tournament.Bye{
	HalfPoint: tournament.HalfPoint, FullPoint: tournament.FullPoint,
	Allocated: tournament.PairingAllocated, ZeroPoint: tournament.ZeroPoint,
}

// initialColour returns the colour in line 152, else the colour of the first player of the list paired in round 1, or
// 0.
func (r *Report) initialColour() pairing.Colour {
	if r.Initial != 0 {
		return r.Initial
	}
	first := 0
	var colour pairing.Colour
	for _, p := range r.Players {
		if c := p.Cell(1); c.Colour != 0 && (first == 0 || p.Number < first) {
			first, colour = p.Number, c.Colour
		}
	}
	return colour
}

// VirtualPoints returns the sum of the 250 lines for a player when a round is paired.
func (r *Report) VirtualPoints(number, round int) tournament.Points {
	var sum tournament.Points
	for _, v := range r.Virtual {
		if v.First <= round && round <= v.Last && v.From <= number && number <= v.To {
			sum += v.Points
		}
	}
	return sum
}

// bans returns the groups of players that must not meet in a round.
func (r *Report) bans(round int) [][]int {
	var out [][]int
	for _, f := range r.Forbidden {
		if f.First <= round && round <= f.Last {
			out = append(out, f.Numbers)
		}
	}
	return out
}
