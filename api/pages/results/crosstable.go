package results

import (
	"context"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/tournament"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

// crosstableBody holds the crosstable of a tournament.
type crosstableBody struct {
	Matrix  bool // every entry meets every other: columns are entries; otherwise they are rounds
	Rows    []crosstableRow
	Players []playersTable // of both teams of a Scheveningen; none in other formats
}

// playersTable is the players of a team of a Scheveningen against those of the other, which are the columns.
type playersTable struct {
	Team, Other string
	Rows        []crosstableRow // entries have the name and the place of a player
	Columns     []string
}

// crosstableRow is an entry's line.
type crosstableRow struct {
	standings.Line
	Results []crosstableResult // by row's entry in a matrix, by round otherwise
}

// crosstableResult is a cell.
type crosstableResult struct {
	Self      bool
	Marks     []crosstableMark
	Opponents []int // pairing numbers, where columns are rounds
	Seat      int
	Bye       tournament.Bye
}

// crosstableMark is a result, with the game that it comes from.
type crosstableMark struct {
	Text, GameID string
	First        bool // the row's player had seat 1; only where the boards of a match are shown
}

// FillCrosstable adds the crosstable after the round shown, as far as it is published.
func (b *Body) FillCrosstable(ctx context.Context, k *kit.Kit) error {
	if err := b.fillCrosstable(); err != nil {
		return err
	}
	m := team.MeetingsOf(b.Tournament, b.AsOf.Round)
	if m == nil {
		return nil
	}
	people, err := k.Look(ctx, m.IDs()...)
	b.Crosstable.Players = []playersTable{playersOf(m, 0, people), playersOf(m, 1, people)}
	return err
}

// playersOf returns the table of the players of a team, 0 or 1.
func playersOf(m *team.Meetings, side int, people kit.People) playersTable {
	table := playersTable{Team: m.Teams[side].Name, Other: m.Teams[1-side].Name}
	for _, other := range m.Players[1-side] {
		table.Columns = append(table.Columns, people.Person(other.Player).Name)
	}
	for i, player := range m.Players[side] {
		row := crosstableRow{Results: make([]crosstableResult, len(table.Columns))}
		row.Entry.Name = people.Person(player.Player).Name
		row.Entry.Number = player.Place
		row.Points = player.Points
		for j := range row.Results {
			for _, met := range m.Between(side, i, j) {
				mark := crosstableMark{Text: playerMarks[met.Marks[side]], GameID: met.Game, First: met.SeatOne == side}
				row.Results[j].Marks = append(row.Results[j].Marks, mark)
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// playerMarks are the marks of a board as crosstables print them.
var playerMarks = map[team.Mark]string{
	team.Unfinished: "*", team.Won: "1", team.Drawn: "½", team.Lost: "0", team.ForfeitWon: "+", team.ForfeitLost: "−",
}

func (b *Body) fillCrosstable() error {
	if b.AsOf.Round == 0 {
		return nil
	}
	table, err := standings.CrosstableAfter(b.Tournament, b.AsOf.Round)
	if err != nil {
		return err
	}
	b.Crosstable.Matrix = b.Format.RoundRobin() && !b.Format.Teams()
	for _, line := range table.Rows {
		row := crosstableRow{Line: line}
		if b.Crosstable.Matrix {
			row.Results = against(b.Tournament, line, table.Rows)
		} else {
			row.Results = byRound(b.Tournament, line)
		}
		b.Crosstable.Rows = append(b.Crosstable.Rows, row)
	}
	return nil
}

// against returns a line's results against every entry, in the order of the rows.
func against(t *tournament.Tournament, line standings.Line, rows []standings.Line) []crosstableResult {
	results := make([]crosstableResult, len(rows))
	for i, other := range rows {
		results[i].Self = other.Entry.ID == line.Entry.ID
	}
	at := make(map[int]int, len(rows)) // row by number
	for i, other := range rows {
		at[other.Entry.Number] = i
	}
	for round, cell := range line.Cells {
		for _, n := range cell.Opponents {
			if i, there := at[n]; there {
				results[i].Marks = append(results[i].Marks, markOf(t, round+1, cell))
			}
		}
	}
	return results
}

// byRound returns a line's results round by round.
func byRound(t *tournament.Tournament, line standings.Line) []crosstableResult {
	results := make([]crosstableResult, len(line.Cells))
	for i, cell := range line.Cells {
		results[i] = crosstableResult{Opponents: cell.Opponents, Seat: cell.Seat, Bye: cell.Bye}
		if mark := markOf(t, i+1, cell); mark.Text != "" {
			results[i].Marks = []crosstableMark{mark}
		}
	}
	return results
}

// markOf returns a cell's result and the game that it comes from.
func markOf(t *tournament.Tournament, round int, cell tournament.Cell) crosstableMark {
	mark := crosstableMark{Text: kit.Halves(strings.ReplaceAll(standings.Mark(cell), "-", "−"))}
	if t.Format.Continuous() {
		round = 1 // its cells are the games of it
	}
	if pairings := t.Rounds[round-1].Pairings; cell.Board > 0 && cell.Board <= len(pairings) {
		mark.GameID = pairings[cell.Board-1].ShownGame()
	}
	return mark
}

// ResultText returns a pairing's result as forms send it: that of the sides where partners change.
func ResultText(t *tournament.Tournament, pair tournament.Pairing) string {
	if text, ok := t.Sides(pair); ok {
		return text
	}
	return pair.Text()
}
