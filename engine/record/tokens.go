package record

import (
	"slices"
	"strconv"

	"quatuor/engine/sentence"
)

// errHidden means that a record of a game that goes on was taken for a whole record.
var errHidden = sentence.Errorf("the record hides moves; take one of the whole game")

// Tokens returns the events of the game itself, as [Game] takes them: its moves, without those that were taken back,
// and its end. Offers, pauses and clocks are left out. It fails for records that hide moves.
func (r Record) Tokens() ([]string, error) {
	var tokens []string
	var moves []int // indices of the moves among them
	for _, e := range r.Entries {
		switch {
		case e.hidden():
			return nil, errHidden
		case e.Kind == Takeback:
			first, err := strconv.Atoi(e.Text)
			if err != nil || first < 1 || first > len(moves) {
				return nil, sentence.Errorf("there is no move %s to be taken back", clip(e.Text))
			}
			tokens = slices.Delete(tokens, moves[first-1], len(tokens))
			moves = moves[:first-1]
		case e.ofTheGame():
			if e.Kind == Move {
				moves = append(moves, len(tokens))
			}
			tokens = append(tokens, e.token())
		}
	}
	return tokens, nil
}
