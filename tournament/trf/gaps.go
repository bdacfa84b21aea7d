package trf

import (
	"slices"

	"quatuor/tournament"
)

// gaps are the columns between the fields of a 001 line, and cellGaps those within the ten of a round.
var (
	gaps     = []int{4, 9, 14, 48, 53, 57, 69, 80, 85}
	cellGaps = []int{1, 2, 7, 9}
)

// filledGaps returns the columns of a 001 line that should be blank and are not. Those of the rounds are numbered as in
// the first.
func filledGaps(line []rune) (out []int) {
	filled := func(column int) bool { return column <= len(line) && columns(line, column, column) != "" }
	for _, column := range gaps {
		if filled(column) {
			out = append(out, column)
		}
	}
	for at := firstCell; at < len(line); at += cellWidth {
		for _, gap := range cellGaps {
			if filled(at + gap) {
				out = append(out, firstCell+gap)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// checkGaps refuses a line with moved fields: it has a character between fields where most others have none. A program
// that writes all its lines like that has columns of its own.
func (r *Report) checkGaps() error {
	count := make(map[int]int)
	for _, p := range r.Players {
		for _, column := range p.gaps {
			count[column]++
		}
	}
	for _, p := range r.Players {
		for _, column := range p.gaps {
			if 2*count[column] > len(r.Players) {
				continue
			}
			where := ""
			if column > firstCell {
				where = ", or the same column of a later round"
			}
			return tournament.Refuse(tournament.ErrInvalid,
				"line %d, player %d: column %d is between two fields and must be blank%s; the columns have moved, or a text is "+
					"too long", p.line, p.Number, column, where)
		}
	}
	return nil
}
