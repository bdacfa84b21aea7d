package quits

import (
	"strconv"

	"quatuor/engine"
)

// tileTexts are the tiles of a view as JSON, by the owner of the marble on them.
var tileTexts = board.Texts(maxSeats+1, func(n, owner int) any { return tileOf(n, uint8(owner)) })

// AppendView appends a view as JSON without building it.
func (s *state) AppendView(b []byte, _ engine.Viewer) []byte {
	owners := s.owners()
	b = strconv.AppendInt(append(b, `{"size":`...), size, 10)
	b = tileTexts.Append(append(b, `,"rows":`...), owners[:])
	b = append(b, `,"players":`...)
	for i := range s.variant.seats() {
		b = append(b, "[,"[min(i, 1)])
		p := s.player(i)
		b = p.append(b)
	}
	b = append(b, ']')
	if s.forbidden != none {
		b = append(append(append(b, `,"forbidden":"`...), s.forbiddenText()...), '"')
	}
	b = strconv.AppendInt(append(b, `,"passes":`...), int64(s.passes), 10)
	b = strconv.AppendInt(append(b, `,"needed":`...), int64(s.variant.needed), 10)
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
