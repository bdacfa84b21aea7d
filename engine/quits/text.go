package quits

import (
	"math/bits"
	"strconv"
)

// Position returns the canonical text: board, status, forbidden slide, marbles out, passes, and in the game for
// four the seats that are out.
func (s *state) Position() string {
	text := append(make([]byte, 0, 80), board.Blank()...)
	for i, marbles := range s.marbles {
		for ; marbles != 0; marbles &= marbles - 1 {
			text[board.Offset(bits.TrailingZeros32(marbles))] = '1' + byte(i)
		}
	}
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

func (p *position) forbiddenText() string {
	if p.forbidden == none {
		return "-"
	}
	return string(slides[p.forbidden].token)
}
