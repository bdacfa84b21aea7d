package slip

import (
	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// In an arena in the hall, games follow each other at a table. The code of its card is good for all of them, and opens
// the latest; the codes of seats are for a single game, as in other formats.

// firstTable is more than any number of a board.
const firstTable = 1_000_000

// Table returns the table of an arena by the board number of its card; 0 for a board.
func Table(number int) int { return max(0, number-firstTable) }

// Cards returns the tables of an arena in the hall as boards without players.
func Cards(t *tournament.Tournament) (list []tournament.Pairing) {
	for n := range arena.HallTables(t) {
		list = append(list, tournament.Pairing{Board: firstTable + n + 1})
	}
	return list
}

// CodeKey returns the key that the codes at a place are derived from; p is its present pairing. A table keeps its key.
func CodeKey(t *tournament.Tournament, at Place, p tournament.Pairing) string {
	if Table(at.Board) > 0 {
		p = tournament.Pairing{Board: at.Board}
	}
	return Key(t, at.Round, p)
}

// Coded returns the pairings of a round that have codes now: in an arena, those that are open.
func Coded(t *tournament.Tournament, round int) (list []tournament.Pairing) {
	for _, p := range Pairings(t, round) {
		if !t.Format.Continuous() || p.Result == nil {
			list = append(list, p)
		}
	}
	return list
}
