package forms

import (
	"regexp"
	"strings"
)

var (
	// minutesTyped is a time control as people write it: "7 min + 5 s", "90 min".
	minutesTyped = regexp.MustCompile(`^(\d+(?:[.,]\d+)?) ?min(?: ?\+ ?(\d+(?:[.,]\d+)?) ?s)?$`)
	// daysTyped are days for a move.
	daysTyped = regexp.MustCompile(`^(\d+) ?(?:days?|[Tt]age?|jours?)$`)
)

// ReadControl returns a time control in the contract's notation, which counts in seconds, from minutes and seconds, as
// in "7 min + 5 s", or days, as in "3 days". Other texts are returned unchanged: they are in that notation, or refused.
func ReadControl(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if m := daysTyped.FindStringSubmatch(text); m != nil {
		return m[1] + "days"
	}
	m := minutesTyped.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	minutes, err := Number(m[1], "control")
	extra, err2 := Number(m[2], "control")
	if err != nil || err2 != nil {
		return text
	}
	return showNumber(minutes*60) + "+" + showNumber(extra)
}
