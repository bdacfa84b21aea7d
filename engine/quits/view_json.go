package quits

import "strconv"

// AppendJSON appends what encoding/json makes of a view, but for escapes that only HTML needs, and without reflection:
// a view is sent after every move.
func (v View) AppendJSON(b []byte) []byte {
	b = append(b, `{"size":`...)
	b = strconv.AppendInt(b, int64(v.Size), 10)
	b = append(b, `,"rows":[`...)
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
	b = append(b, `],"players":[`...)
	for i := range v.Players {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.Players[i].append(b)
	}
	b = append(b, ']')
	if v.Forbidden != "" {
		b = append(append(append(b, `,"forbidden":"`...), v.Forbidden...), '"')
	}
	b = strconv.AppendInt(append(b, `,"passes":`...), int64(v.Passes), 10)
	b = strconv.AppendInt(append(b, `,"needed":`...), int64(v.Needed), 10)
	return append(b, '}')
}

func (t *Tile) append(b []byte) []byte {
	b = append(append(append(b, `{"square":"`...), t.Square...), '"')
	if t.Owner != 0 {
		b = strconv.AppendInt(append(b, `,"owner":`...), int64(t.Owner), 10)
	}
	return append(b, '}')
}

func (p *Player) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"seat":`...), int64(p.Seat), 10)
	b = append(append(append(b, `,"goal":"`...), p.Goal...), '"')
	b = strconv.AppendInt(append(b, `,"out":`...), int64(p.Out), 10)
	if p.Gone != 0 {
		b = strconv.AppendInt(append(b, `,"gone":`...), int64(p.Gone), 10)
	}
	return append(b, '}')
}
