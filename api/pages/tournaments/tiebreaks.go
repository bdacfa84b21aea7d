package tournaments

import (
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// tieBreakTitle returns the title of a tie-break: its name, its modifiers, and the articles of C.07; "" for a code
// unknown to the format.
func tieBreakTitle(in *message.Printer, f tournament.Format, code string) string {
	o, modifiers, known := standings.Describe(f, code)
	if !known {
		return ""
	}
	title := kit.Say(in, "tie_breaks."+o.Text)
	for _, m := range modifiers {
		title += ", " + kit.Say(in, "tie_breaks."+m.Text, "Limit", m.Code[1:])
	}
	return title + standings.Articles(append(modifiers, o)...)
}
