package grid

import "encoding/json"

// Texts are the JSON of every square of a board in each of the states that a square can be in, made once, so that a
// board is written by copying: it is sent after every move.
type Texts struct {
	order []int      // the squares as a board is drawn
	of    [][]string // by square and state, with what comes before it in the lists of squares
}

// Texts makes the texts of a board whose squares can be in states from 0 to states-1; show gives what is encoded for a
// square in a state.
func (b *Board) Texts(states int, show func(n, state int) any) *Texts {
	t := &Texts{of: make([][]string, len(b.names))}
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
				text, err := json.Marshal(show(n, state))
				if err != nil {
					panic("grid: " + err.Error()) // what is shown are plain structs
				}
				t.of[n] = append(t.of[n], before+string(text))
			}
		}
	}
	return t
}

// Append appends the board as a list of its rows, each a list of squares, with the squares in the given states.
func (t *Texts) Append(b []byte, states []uint8) []byte {
	for _, n := range t.order {
		b = append(b, t.of[n][states[n]]...)
	}
	return append(b, "]]"...)
}
