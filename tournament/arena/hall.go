package arena

import (
	"slices"

	"quatuor/tournament"
)

// takenTables are the tables of an arena in the hall at which a game is open.
type takenTables map[int]bool

// next takes the first table that is free.
func (k takenTables) next() int {
	for n := 1; ; n++ {
		if !k[n] {
			k[n] = true
			return n
		}
	}
}

func tablesOf(t *tournament.Tournament) takenTables {
	taken := takenTables{}
	for _, p := range OpenGames(t) {
		if p.Arena != nil && p.Arena.Table > 0 {
			taken[p.Arena.Table] = true
		}
	}
	return taken
}

// FreeTables returns how many games an arena can open now; -1 for any number.
func FreeTables(t *tournament.Tournament) int {
	if t.Venue != tournament.InHall || t.Rules.Arena.Boards == 0 {
		return -1
	}
	return max(0, t.Rules.Arena.Boards-len(tablesOf(t)))
}

// HallTables returns how many tables an arena in the hall has: those that are set or, where there are enough, as many as
// all that want opponents could need, and no fewer than have been played at.
func HallTables(t *tournament.Tournament) int {
	if !t.Format.Continuous() || t.Venue != tournament.InHall {
		return 0
	}
	if t.Rules.Arena.Boards > 0 {
		return t.Rules.Arena.Boards
	}
	seats := 2
	if sizes := t.Rules.Tables.Sizes.List(); len(sizes) > 0 {
		seats = sizes[0]
	}
	tables := len(t.Numbered()) / seats
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Arena != nil {
				tables = max(tables, p.Arena.Table)
			}
		}
	}
	return tables
}

// AtTable returns the latest pairing of an arena at a table in the hall, from 1; false before the first.
func AtTable(t *tournament.Tournament, table int) (tournament.Pairing, bool) {
	if table < 1 {
		return tournament.Pairing{}, false
	}
	for _, r := range t.Rounds {
		for _, p := range slices.Backward(r.Pairings) {
			if p.Arena != nil && p.Arena.Table == table {
				return p, true
			}
		}
	}
	return tournament.Pairing{}, false
}

// PlayedNow returns how many games of an arena are open.
func PlayedNow(t *tournament.Tournament) (games int) {
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Result == nil {
				games++
			}
		}
	}
	return games
}
