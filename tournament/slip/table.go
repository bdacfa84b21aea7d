package slip

import "quatuor/tournament"

// In an arena in the hall one game after the other is played at a table. Its card has a code that is good for all of
// them, and opens the latest; the codes of seats are those of one game, as elsewhere.

// firstTable is more than any number of a board.
const firstTable = 1_000_000

// Table returns the table of an arena whose card has a number as its board; 0 for a board.
func Table(number int) int { return max(0, number-firstTable) }

// Cards returns the tables of an arena in the hall as boards without players.
func Cards(t *tournament.Tournament) (list []tournament.Pairing) {
	for n := range t.ArenaTables() {
		list = append(list, tournament.Pairing{Board: firstTable + n + 1})
	}
	return list
}

// CodeKey identifies what the codes at a place are derived for, of which p is the pairing now: a table keeps its own.
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
