package quiwin

import "fmt"

// Position returns the complete position, for the server's eyes only until the game is over: the rows, the phase or the
// end of the game, both hands, the sealed choices, the bag, the tiles out of the game with seat and slot (1.4), the
// seat that used the change, how the transfer was used (1@4>5: seat 1 moved its tile of slot 4 into the other's slot
// 5), how many tiers have been measured, which seat leads, and how many words of the seed's stream are used up.
func (s state) Position() string {
	f := s.full
	text := append(make([]byte, 0, 400), "rows "...)
	text = append(appendTiles(text, f.rows[0][:]), '/')
	text = append(appendTiles(text, f.rows[1][:]), ' ')
	if f.end != nil {
		text = append(text, f.end.String()...)
	} else {
		text = append(text, f.phase.String()...)
	}
	text = append(appendTiles(append(text, " hands "...), f.hand(1)), '/')
	text = appendTiles(text, f.hand(2))
	text = append(appendToken(append(text, " chosen "...), f.chosen[0]), ',')
	text = appendToken(text, f.chosen[1])
	text = appendTiles(append(text, " bag "...), f.bag[f.drawn:])
	text = f.appendLosses(append(text, " out "...))
	return string(fmt.Appendf(text, " change %d transfer %s measured %d lead %d words %d",
		f.change, f.transfer, f.measured, f.lead, f.words))
}

// appendToken appends a choice, or - for none.
func appendToken(text []byte, t token) []byte {
	if t == noToken {
		return append(text, '-')
	}
	return append(text, t.String()...)
}

// appendTiles appends tiles, with - for a place without a tile, and - for an empty list.
func appendTiles(text []byte, tiles []tile) []byte {
	if len(tiles) == 0 {
		return append(text, '-')
	}
	for i, t := range tiles {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendToken(text, token(t))
	}
	return text
}

func (f *full) appendLosses(text []byte) []byte {
	if len(f.out) == 0 {
		return append(text, '-')
	}
	for i, l := range f.out {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%s@%d.%d", l.tile, l.seat, l.slot)
	}
	return text
}

// String returns the transfer as a position prints it.
func (x exchange) String() string {
	if x.by == 0 {
		return "-"
	}
	return fmt.Sprintf("%d@%d>%d", x.by, x.slot, x.into)
}
