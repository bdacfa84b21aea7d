package tournament

import "slices"

// In the hall an arena calls its players to tables. A table is a board on which one game after the other is played, or
// a table of three to five; the first that is free is given away first, so that players stay near the desk.

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

func (t *Tournament) takenTables() takenTables {
	taken := takenTables{}
	for _, p := range t.OpenGames() {
		if p.Arena != nil && p.Arena.Table > 0 {
			taken[p.Arena.Table] = true
		}
	}
	return taken
}

// FreeTables returns how many games an arena can open now; -1 for any number.
func (t *Tournament) FreeTables() int {
	if t.Venue != InHall || t.Rules.Arena.Boards == 0 {
		return -1
	}
	return max(0, t.Rules.Arena.Boards-len(t.takenTables()))
}

// ArenaTables returns how many tables an arena in the hall has: those that are set or, where there are enough, as many as
// all that want opponents could need, and no fewer than have been played at.
func (t *Tournament) ArenaTables() int {
	if !t.Format.Continuous() || t.Venue != InHall {
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

// Place returns the number under which people find a board: in an arena in the hall that of its table.
func (p Pairing) Place() int {
	if p.Arena != nil && p.Arena.Table > 0 {
		return p.Arena.Table
	}
	return p.Board
}

// AtTable returns the latest pairing of an arena at a table in the hall, from 1; false before the first.
func (t *Tournament) AtTable(table int) (Pairing, bool) {
	if table < 1 {
		return Pairing{}, false
	}
	for _, r := range t.Rounds {
		for _, p := range slices.Backward(r.Pairings) {
			if p.Arena != nil && p.Arena.Table == table {
				return p, true
			}
		}
	}
	return Pairing{}, false
}

// stayedAway reports whether the player in a seat, from 0, of an arena's game that is over did nothing in it.
func (p Pairing) stayedAway(seat int) bool {
	r := p.Result
	if len(p.Seats) > 2 {
		return r.Ranks != nil && slices.Contains(r.Verdict().Absent(len(p.Seats)), seat+1) ||
			seat < len(p.Arena.Moves) && p.Arena.Moves[seat] == 0
	}
	return r.Forfeit && r.Ranks != nil && r.Ranks[seat] != 1
}

// PlayedNow returns how many games of an arena are open.
func (t *Tournament) PlayedNow() (games int) {
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Result == nil {
				games++
			}
		}
	}
	return games
}

// OneGameEach returns an error for a round in which an entry, or a table in the hall, has two open games.
func (r Round) OneGameEach() error {
	entries, tables := map[string]bool{}, map[int]bool{}
	for _, p := range r.Pairings {
		if p.Result != nil {
			continue
		}
		for _, id := range p.Seats {
			if entries[id] {
				return ErrNextGame
			}
			entries[id] = true
		}
		if p.Arena == nil || p.Arena.Table == 0 {
			continue
		}
		if tables[p.Arena.Table] {
			return ErrNextGame
		}
		tables[p.Arena.Table] = true
	}
	return nil
}
