package standings

import (
	"testing"

	"quatuor/tournament"
)

// seat puts entries at a table, given the points each made.
func (f Field) seat(round int, numbers []int, points ...tournament.Points) {
	for i, number := range numbers {
		c := tournament.Cell{Kind: tournament.Played, Seat: i + 1, Points: points[i]}
		for _, other := range numbers {
			if other != number {
				c.Opponents = append(c.Opponents, other)
			}
		}
		f.Cards[number-1].Cells[round-1] = c
	}
}

// TestTables has two rounds at tables of four and of three; an entry sits out.
func TestTables(t *testing.T) {
	f := newField(7, 2, "WIN", "2ND", "3RD", "BH", "BH/C1")
	f.Format = tournament.TableSwiss
	f.seat(1, []int{3, 1, 4, 2}, 15, 30, 0, 15)
	f.seat(1, []int{5, 6, 7}, 20, 10, 0)
	f.seat(2, []int{1, 5, 2, 3}, 10, 30, 20, 0)
	f.seat(2, []int{4, 6}, 10, 0)
	f.sitOut(2, 7, tournament.ZeroPoint)
	// Points: 4, 3.5, 1.5, 1, 5, 1, 0.
	want := map[int][]string{
		1: {"1", "0", "1", "5.33", "3.33"}, // (3.5+1.5+1)/3 = 2.00 and (5+3.5+1.5)/3 = 3.33
		2: {"0", "2", "0", "5.67", "3.50"}, // (4+1.5+1)/3 = 2.17 and (4+5+1.5)/3 = 3.50
		3: {"0", "1", "0", "7.00", "4.17"}, // shares the second place; 2.83 and 4.17
		4: {"1", "0", "0", "4.00", "3.00"}, // 3.00 and 1.00
		5: {"2", "0", "0", "3.50", "3.00"}, // 0.50 and 3.00
		6: {"0", "2", "0", "3.50", "2.50"}, // 2.50 and 1.00
		7: {"0", "0", "1", "3.00", "3.00"}, // 3.00, and its own 0 for the bye
	}
	for number, row := range ranking(t, f) {
		compare(t, row.Entry.ID, row.TieBreaks, want[number]...)
	}
}
