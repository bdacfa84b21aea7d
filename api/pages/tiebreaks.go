package pages

import (
	"strings"

	"quatuor/api/pages/message"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// tieBreakTitle returns what a tie-break is called: its name, its modifiers, and the articles of C.07; "" for a code that
// the format does not know.
func tieBreakTitle(in *message.Printer, f tournament.Format, code string) string {
	full := standings.Title(f, code)
	if full == "" {
		return ""
	}
	name, rest, _ := strings.Cut(code, "/")
	id := "tie_breaks." + strings.ToLower(name)
	if f.Tables() && (name == "WIN" || name == "BH") {
		id += "_tables"
	}
	parts := []string{say(in, id)}
	for modifier := range strings.SplitSeq(rest, "/") {
		switch {
		case modifier == "":
		case name == "PS" && strings.HasPrefix(modifier, "C"):
			parts = append(parts, say(in, "tie_breaks.first_"+strings.ToLower(modifier)))
		case strings.HasPrefix(modifier, "L"):
			parts = append(parts, say(in, "tie_breaks.limit", "Limit", modifier[1:]))
		default:
			parts = append(parts, say(in, "tie_breaks.with_"+strings.ToLower(modifier)))
		}
	}
	title := strings.Join(parts, ", ")
	if i := strings.LastIndex(full, " (C.07, "); i >= 0 {
		title += full[i:]
	}
	return title
}
