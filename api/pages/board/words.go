package board

import (
	"strings"

	"quatuor/api/pages/message"
)

// MoveWords returns a move of a game without a board of squares in words, and its kind: that of a tile is its colour's letter,
// that of anything else is "".
func MoveWords(token string, in *message.Printer) (words, kind string) {
	d := drawing{in: in}
	slot, gives := strings.CutPrefix(token, "give-")
	switch {
	case gives:
		return d.word("give", "Slot", slot), ""
	case token == "change" || token == "transfer" || token == "none":
		return d.word("action_" + token), ""
	case len(token) > 1 && tileColours[token[0]] != "":
		return d.tileInWords(token), token[:1]
	}
	return token, ""
}
