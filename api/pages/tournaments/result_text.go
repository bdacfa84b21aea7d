package tournaments

import (
	"quatuor/tournament"
)

// ResultText returns a pairing's result as forms send it: that of the sides where partners change.
func ResultText(t *tournament.Tournament, pair tournament.Pairing) string {
	if text, ok := t.Sides(pair); ok {
		return text
	}
	return pair.Text()
}
