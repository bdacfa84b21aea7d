package face

import (
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quiwin"
)

func (outside) Choice(w face.Words, v engine.View, seat engine.Seat, token string) face.Choice {
	c := face.Choice{Words: token}
	view, known := v.(quiwin.View)
	slot, gives := strings.CutPrefix(token, "give-")
	switch {
	case gives:
		c.Words = w("give", "Slot", slot)
	case token == "change" || token == "transfer" || token == "none":
		c.Words = w("action_" + token)
	case len(token) > 1 && tileColours[token[0]] != "":
		c.Words, c.Kind = tileWords(w, token), token[:1]
	}
	if !known {
		return c
	}
	for _, name := range view.Seats[seat-1].Hand {
		if name == token {
			c.Count++
		}
	}
	c.Note = note(w, token, view.Seats[seat-1].Row, view.Seats[2-seat].Row)
	return c
}

// note explains an action by the two rows on the table; it returns "" for a tile.
func note(w face.Words, token string, own, other []string) string {
	switch slot, gives := strings.CutPrefix(token, "give-"); {
	case token == "change" && len(other) > 0:
		return w("why_change", "Tile", tileWords(w, other[len(other)-1]), "Slot", len(other))
	case token == "transfer" && len(own) > 0:
		return w("why_transfer", "Tile", tileWords(w, own[len(own)-1]), "Slot", len(own))
	case token == "none":
		return w("why_none")
	case gives:
		if n, err := strconv.Atoi(slot); err == nil && n > 0 && n <= len(own) {
			return w("why_give", "Tile", tileWords(w, own[n-1]))
		}
	}
	return ""
}

func (outside) Sealed(v engine.View, seat engine.Seat) string {
	if view := v.(quiwin.View); view.Chosen(seat) {
		return view.Seats[seat-1].Choice
	}
	return ""
}

// Did describes the result of a choice; before the last choice of a turn only that it was made.
func (outside) Did(w face.Words, m face.Move) (text string, named bool) {
	before, after := m.Before.(quiwin.View), m.After.(quiwin.View)
	var words []string
	if slot := len(after.Seats[0].Row); slot > len(before.Seats[0].Row) {
		for _, seat := range after.Seats {
			words = append(words, w("did.laid", "Name", m.Name(seat.Seat), "Tile", tileWords(w, seat.Row[slot-1]), "Slot", slot))
		}
	}
	for _, gone := range after.Discarded[len(before.Discarded):] {
		words = append(words, w("did.gone", "Name", m.Name(gone.Seat), "Tile", tileWords(w, gone.Tile), "Slot", gone.Slot))
		if row := after.Seats[gone.Seat-1].Row; gone.Slot <= len(row) {
			words = append(words, w("did.instead", "Tile", tileWords(w, row[gone.Slot-1])))
		}
	}
	for _, tier := range after.Tiers[len(before.Tiers):] {
		words = append(words, measured(w, tier, m.Name))
	}
	switch token := m.Event.Text; {
	case len(words) > 0:
		return strings.Join(words, w("then")), true
	case m.Event.Seat > 0 && after.Chosen(m.Event.Seat):
		return w("did.sealed"), false
	case strings.HasPrefix(token, "transfer") || strings.HasPrefix(token, "change"):
		return w("did." + token), false
	}
	return w("did.none"), false
}

// measured describes the measuring of a tier.
func measured(w face.Words, tier quiwin.Tier, name func(engine.Seat) string) string {
	args := []any{
		"Tier", tier.Tier, "First", tier.Lengths[0], "Second", tier.Lengths[1], "FirstName", name(1), "SecondName", name(2),
	}
	if tier.Winner == 0 {
		return w("did.measured_equal", args...)
	}
	return w("did.measured", append(args, "Name", name(tier.Winner))...)
}

// tileColours are the names of the colours, by their letters.
var tileColours = map[byte]string{'g': "green", 'r': "red", 'y': "yellow", 'b': "blue", 'o': "orange"}

// tileWords returns a tile in words, for example "orange 25".
func tileWords(w face.Words, name string) string {
	switch {
	case len(name) < 2:
		return name
	case name[1:] == "?":
		return w("tile_unknown", "Colour", w(tileColours[name[0]]))
	}
	return w(tileColours[name[0]]) + " " + name[1:]
}
