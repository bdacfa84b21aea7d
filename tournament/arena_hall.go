package tournament

// In the hall an arena calls its players to tables: boards for two, or tables of three to five. The first free table is
// taken first, so that players stay near the desk.

// Place returns the number under which people find a board: in an arena in the hall that of its table.
func (p Pairing) Place() int {
	if p.Arena != nil && p.Arena.Table > 0 {
		return p.Arena.Table
	}
	return p.Board
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
				return RefuseNextGame()
			}
			entries[id] = true
		}
		if p.Arena == nil || p.Arena.Table == 0 {
			continue
		}
		if tables[p.Arena.Table] {
			return RefuseNextGame()
		}
		tables[p.Arena.Table] = true
	}
	return nil
}
