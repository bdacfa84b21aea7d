package grid

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Texts is a table of precomputed JSON: every square of a board in each of its states. It makes writing a board a
// matter of copying: a board is sent after every move.
type Texts struct {
	order []int    // the squares as a board is drawn
	of    [][]text // by square and state
}

// text is the JSON of a square with the punctuation before it. It is copied as a whole array whatever its length: a
// copy of a constant size compiles to a few instructions, a copy of a variable size to a call.
type text struct {
	bytes [textRoom]byte
	len   int8
}

const textRoom = 56

// Texts returns the table for a board with squares in states from 0 to states-1; show returns the value that is encoded
// for a square in a state.
func (b *Board) Texts(states int, show func(n, state int) any) *Texts {
	t := &Texts{of: make([][]text, len(b.names))}
	for i, row := range b.rows {
		for j, n := range row {
			before := ","
			if j == 0 {
				before = "],["
			}
			if i+j == 0 {
				before = "[["
			}
			t.order = append(t.order, n)
			for state := range states {
				t.of[n] = append(t.of[n], newText(before, show(n, state)))
			}
		}
	}
	return t
}

func newText(before string, shown any) (t text) {
	encoded, err := json.Marshal(shown)
	if err != nil || len(before)+len(encoded) > textRoom {
		panic(fmt.Sprintf("grid: the JSON of a square, %s, is longer than %d bytes, or: %v", encoded, textRoom, err))
	}
	t.len = int8(copy(t.bytes[:], before+string(encoded)))
	return t
}

// Append appends the board as a list of its rows, each a list of squares, with the squares in the given states.
// The spare capacity of the result may be overwritten.
func (t *Texts) Append(b []byte, states []uint8) []byte {
	end := len(b)
	b = slices.Grow(b, textRoom*len(t.order))
	b = b[:cap(b)]
	for _, n := range t.order {
		text := &t.of[n][states[n]]
		*(*[textRoom]byte)(b[end:]) = text.bytes
		end += int(text.len)
	}
	return append(b[:end], "]]"...)
}
