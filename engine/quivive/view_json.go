package quivive

import "strconv"

// AppendJSON appends what encoding/json makes of a view, but for escapes that only HTML needs, and without reflection:
// a view is sent after every move.
func (v View) AppendJSON(b []byte) []byte {
	b = append(append(append(b, `{"phase":"`...), v.Phase...), `","rows":[`...)
	for i, row := range v.Rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		for j := range row {
			if j > 0 {
				b = append(b, ',')
			}
			b = row[j].append(b)
		}
		b = append(b, ']')
	}
	b = strconv.AppendInt(append(b, `],"podiums_left":`...), int64(v.PodiumsLeft), 10)
	b = strconv.AppendInt(append(b, `,"podiums_on":`...), int64(v.PodiumsOn), 10)
	b = append(b, `,"gone":[`...)
	for i, seat := range v.Gone {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(seat), 10)
	}
	return append(b, "]}"...)
}

func (c *Cell) append(b []byte) []byte {
	b = append(append(append(b, `{"square":"`...), c.Square...), `","height":`...)
	b = strconv.AppendInt(b, int64(c.Height), 10)
	if c.Pawn != 0 {
		b = strconv.AppendInt(append(b, `,"pawn":`...), int64(c.Pawn), 10)
	}
	return append(b, '}')
}
