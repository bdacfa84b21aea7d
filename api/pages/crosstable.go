package pages

import (
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// crosstableBody is what the crosstable of a tournament shows.
type crosstableBody struct {
	*tournament.Tournament
	Round  int
	Matrix bool // every entry meets every other: columns are entries; otherwise they are rounds
	Rows   []crosstableRow
}

// crosstableRow is one entry's line.
type crosstableRow struct {
	standings.Line
	Results []crosstableResult // by row's entry in a matrix, by round otherwise
}

// crosstableResult is what stands in one field.
type crosstableResult struct {
	Self      bool
	Marks     string
	Opponents []int // pairing numbers, where columns are rounds
	Seat      int
	Bye       tournament.Bye
}

func (p *Pages) crosstable(c echo.Context) error {
	t, _, err := p.known(c)
	if err != nil {
		return err
	}
	body := crosstableBody{Tournament: t, Matrix: t.Format == tournament.RoundRobin || t.Format == tournament.DoubleRoundRobin}
	if t.PublishedRounds() > 0 {
		table, err := standings.CrosstableAfter(t, 0)
		if err != nil {
			return err
		}
		body.Round = table.Round
		for _, line := range table.Rows {
			row := crosstableRow{Line: line}
			if body.Matrix {
				row.Results = against(line, table.Rows)
			} else {
				row.Results = byRound(line)
			}
			body.Rows = append(body.Rows, row)
		}
	}
	return p.show(c, "crosstable", "tournaments", body)
}

// against returns a line's results against every entry, in the order of the rows.
func against(line standings.Line, rows []standings.Line) []crosstableResult {
	results := make([]crosstableResult, len(rows))
	for i, other := range rows {
		if other.Entry.ID == line.Entry.ID {
			results[i].Self = true
			continue
		}
		var marks []string
		for _, cell := range line.Against(other.Entry.Number) {
			marks = append(marks, standings.Mark(cell))
		}
		results[i].Marks = strings.Join(marks, " ")
	}
	return results
}

// byRound returns a line's results round by round.
func byRound(line standings.Line) []crosstableResult {
	results := make([]crosstableResult, len(line.Cells))
	for i, cell := range line.Cells {
		results[i] = crosstableResult{
			Marks: standings.Mark(cell), Opponents: cell.Opponents, Seat: cell.Seat, Bye: cell.Bye,
		}
	}
	return results
}
