package quits

import (
	"strconv"

	"quatuor/engine"
)

// Position is the canonical text: board, status, forbidden slide, marbles out, passes, and in the game for four the
// seats that are out.
func (s *state) Position() string {
	text := board.Append(make([]byte, 0, 80), func(n int) byte {
		if seat := s.ownerOn(n); seat != 0 {
			return '0' + byte(seat)
		}
		return '.'
	})
	text = append(text, ' ')
	text = append(text, s.Pending().Status()...)
	text = append(text, ' ')
	text = append(text, s.forbiddenText()...)
	for i := range s.variant.seats() {
		text = append(text, " ,"[min(i, 1)])
		text = strconv.AppendInt(text, int64(s.out[i]), 10)
	}
	text = append(text, ' ')
	text = strconv.AppendInt(text, int64(s.passes), 10)
	if s.variant.seats() > 2 {
		text = append(text, ' ')
		text = append(text, s.gone.String()...)
	}
	return string(text)
}

// ownerOn gives the seat whose marble stands on a square, or 0.
func (p *position) ownerOn(n int) engine.Seat {
	for i, marbles := range p.marbles {
		if marbles&(1<<n) != 0 {
			return engine.Seat(i + 1)
		}
	}
	return 0
}

func (p *position) forbiddenText() string {
	if p.forbidden == none {
		return "-"
	}
	return string(slides[p.forbidden].token)
}
