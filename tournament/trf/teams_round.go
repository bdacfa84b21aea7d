package trf

import (
	"quatuor/tournament/pairing"
	"quatuor/tournament/team"
)

// RoundOf returns the matches of a round, by the number of the team that comes first in the file, and the byes of the
// teams without a match. A match without a named opponent has 0 for it.
func (r *TeamReport) RoundOf(round int) (matches []Encounter, byes map[int]team.Kind) {
	byes = make(map[int]team.Kind)
	listed := make(map[int]bool)
	for i, t := range r.Teams {
		m := r.matches[i][round-1]
		switch {
		case !m.paired:
			byes[t.Number] = m.bye
		case !listed[t.Number]:
			listed[m.opponent] = m.opponent > 0
			matches = append(matches, r.encounter(t.Number, m, round))
		}
	}
	return matches, byes
}

// encounter returns a match of a team, by White and Black. Where no cell has a colour the team is White.
func (r *TeamReport) encounter(number int, own match, round int) Encounter {
	e, sides := Encounter{White: number, Black: own.opponent, Ruling: own.ruling}, [2]match{own, {}}
	if j := r.index(own.opponent); j >= 0 {
		sides[1] = r.matches[j][round-1]
	}
	if own.colour == pairing.Black || own.colour == 0 && sides[1].colour == pairing.White {
		e.White, e.Black = e.Black, e.White
		e.Ruling = e.Ruling.Other()
		sides[0], sides[1] = sides[1], sides[0]
	}
	if own.paired && (len(sides[0].players) > 0 || len(sides[1].players) > 0) {
		e.Boards = make([]BoardGame, r.BoardCount())
	}
	for i := range e.Boards {
		b := &e.Boards[i]
		for side, m := range sides {
			if i < len(m.players) && m.players[i] > 0 {
				c := r.cell(m.players[i], round)
				b.Players[side], b.Results[side] = m.players[i], c.Result
				b.Turned = b.Turned || c.Colour != 0 && (c.Colour == pairing.White) != ((r.letter(i+1) == 'W') == (side == 0))
			}
		}
	}
	return e
}

// MarkOf returns the mark of a player with a number on a board of a match.
func (r *TeamReport) MarkOf(number, round int) team.Mark {
	if number == 0 {
		return team.Empty
	}
	return markOf(r.cell(number, round))
}
