package standings

import "quatuor/tournament"

// Crosstable has every result of every entry.
type Crosstable struct {
	Round int    // after this round
	Rows  []Line // in the order of the standings
}

// Line is an entry with its rounds.
type Line struct {
	Rank   int // as in the standings, 0 without a rank
	Entry  tournament.Entry
	Points tournament.Points
	Total  string            // as in the standings
	Cells  []tournament.Cell // round n at index n−1, as played: also what does not count
}

// CrosstableAfter returns the crosstable after a round, 0 meaning the last published round. Errors as in [After].
func CrosstableAfter(t *tournament.Tournament, round int) (*Crosstable, error) {
	table, err := After(t, round)
	if err != nil {
		return nil, err
	}
	cards := t.Cards(table.Round)
	out := &Crosstable{Round: table.Round}
	if t.Format.Continuous() && len(cards) > 0 {
		out.Round = len(cards[0].Cells) // its cells are games
	}
	for _, row := range table.Rows {
		out.Rows = append(out.Rows, Line{
			Rank: row.Rank, Entry: row.Entry, Points: row.Points, Total: row.Total, Cells: cards[row.Entry.Number-1].Cells,
		})
	}
	return out, nil
}

// Mark returns a cell as crosstables print it: the points of a game ("1", "½", "0", or "2.5" at tables), "+" and "-"
// for forfeits, "*" for a game without result yet, and "" for no game.
func Mark(c tournament.Cell) string {
	switch c.Kind {
	case tournament.Pending:
		return "*"
	case tournament.ForfeitWin:
		return "+"
	case tournament.ForfeitLoss:
		return "-"
	case tournament.Played:
		if c.Points == 5 {
			return "½"
		}
		return c.Points.String()
	}
	return ""
}
