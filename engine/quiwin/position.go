package quiwin

import (
	"fmt"
	"strings"
)

// Position prints all there is to know, for the server's eyes only until the game is over: the rows, what is chosen now
// or how the game ended, both hands, the sealed choices, the bag, the tiles out of the game with seat and slot (1.4),
// who used the change, how the transfer was used (1@4>5: seat 1 moved its tile of slot 4 into the other's slot 5), how
// many tiers have been measured, who leads, and how many words of the seed's stream are used up.
func (s state) Position() string {
	f := s.full
	status := f.phase.String()
	if f.end != nil {
		status = f.end.String()
	}
	return fmt.Sprintf("rows %s/%s %s hands %s/%s chosen %s,%s bag %s out %s change %d transfer %s measured %d lead %d words %d",
		list(f.rows[0][:]), list(f.rows[1][:]), status, list(f.hand(1)), list(f.hand(2)), dash(f.chosen[0]), dash(f.chosen[1]),
		list(f.bag[f.drawn:]), f.losses(), f.change, f.transfer, f.measured, f.lead, f.words)
}

// dash prints a choice, or - for none.
func dash(t token) string {
	if t == noToken {
		return "-"
	}
	return t.String()
}

// list prints tiles, or - for none.
func list(tiles []tile) string {
	if len(tiles) == 0 {
		return "-"
	}
	text := make([]byte, 0, len("b24,")*len(tiles))
	for i, t := range tiles {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, dash(token(t))...)
	}
	return string(text)
}

func (f *full) losses() string {
	if len(f.out) == 0 {
		return "-"
	}
	words := make([]string, len(f.out))
	for i, l := range f.out {
		words[i] = fmt.Sprintf("%s@%d.%d", l.tile, l.seat, l.slot)
	}
	return strings.Join(words, ",")
}

// String is the transfer as a position prints it.
func (x exchange) String() string {
	if x.by == 0 {
		return "-"
	}
	return fmt.Sprintf("%d@%d>%d", x.by, x.slot, x.into)
}
