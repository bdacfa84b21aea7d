package quixo

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
	return append(b, "]}"...)
}

func (c *Cube) append(b []byte) []byte {
	b = append(append(append(b, `{"square":"`...), c.Square...), '"')
	if c.Mark != "" {
		b = append(append(append(b, `,"mark":"`...), c.Mark...), '"')
	}
	if c.Dot != 0 {
		b = strconv.AppendInt(append(b, `,"dot":`...), int64(c.Dot), 10)
	}
	if c.Border {
		b = append(b, `,"border":true`...)
	}
	return append(b, '}')
}
