package quivive

import (
	"strconv"

	"quatuor/engine"
)

// cellTexts are the cells of a view as JSON, by their contents.
var cellTexts = shape.Texts(heights*(maxSides+1), func(c, content int) any { return cellOf(c, uint8(content)) })

// AppendView appends a view as JSON without building it.
func (s *state) AppendView(b []byte, _ engine.Viewer) []byte {
	contents := s.contents()
	b = append(append(append(b, `{"phase":"`...), s.phase.String()...), `","rows":`...)
	b = cellTexts.Append(b, contents[:])
	left, on := s.podiumsLeft()
	b = strconv.AppendInt(append(b, `,"podiums_left":`...), int64(left), 10)
	b = strconv.AppendInt(append(b, `,"podiums_on":`...), int64(on), 10)
	b = append(b, `,"gone":[`...)
	for i, seat := range s.gone {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(seat), 10)
	}
	return append(b, "]}"...)
}
