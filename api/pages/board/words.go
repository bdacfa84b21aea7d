package board

import (
	"strconv"
	"strings"

	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/quiwin"
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

// Notice explains a move of a game without a board of squares by what lies on the table: "the orange 25 in their slot 3 leaves
// the game". It is "" for a move that says everything itself.
func Notice(token string, view engine.View, seat engine.Seat, in *message.Printer) string {
	v, ok := view.(quiwin.View)
	if !ok || len(v.Seats) != 2 {
		return ""
	}
	d := drawing{in: in}
	own, other := v.Seats[seat-1].Row, v.Seats[2-seat].Row
	switch slot, gives := strings.CutPrefix(token, "give-"); {
	case token == "change" && len(other) > 0:
		return d.word("why_change", "Tile", d.tileInWords(other[len(other)-1]), "Slot", len(other))
	case token == "transfer" && len(own) > 0:
		return d.word("why_transfer", "Tile", d.tileInWords(own[len(own)-1]), "Slot", len(own))
	case token == "none":
		return d.word("why_none")
	case gives:
		if n, err := strconv.Atoi(slot); err == nil && n > 0 && n <= len(own) {
			return d.word("why_give", "Tile", d.tileInWords(own[n-1]))
		}
	}
	return ""
}

// Held returns how many tiles of a name a seat holds.
func Held(token string, view engine.View, seat engine.Seat) int {
	v, ok := view.(quiwin.View)
	if !ok {
		return 0
	}
	count := 0
	for _, name := range v.Seats[seat-1].Hand {
		if name == token {
			count++
		}
	}
	return count
}

// Choice returns the secret choice that a seat has made for this turn, in words; "" if it has made none.
func Choice(view engine.View, seat engine.Seat, in *message.Printer) string {
	v, ok := view.(quiwin.View)
	if !ok || !v.Chosen(seat) || v.Seats[seat-1].Choice == "" {
		return ""
	}
	words, _ := MoveWords(v.Seats[seat-1].Choice, in)
	return words
}

// TileWords returns a tile in words, such as "orange 25".
func TileWords(name string, in *message.Printer) string {
	d := drawing{in: in}
	return d.tileInWords(name)
}
