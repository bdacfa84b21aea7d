package tournaments

// Prints lists the print pages that have content.
func (b TournamentBody) Prints() (list []string) {
	for _, kind := range Printable {
		if b.CanPrint(kind) {
			list = append(list, kind)
		}
	}
	return list
}

// CanPrint reports whether a print page has content.
func (b TournamentBody) CanPrint(kind string) bool {
	switch kind {
	case "pairings", "names", "standings", "crosstable":
		return b.Latest > 0
	case "prizes":
		return len(b.Tournament.Prizes.Categories) > 0
	case "bracket":
		return b.Knockout()
	case "scorecards":
		return !b.Knockout()
	}
	return true
}

// Printable are the print pages. Package desk has those with slips and cards for the boards.
var Printable = []string{"pairings", "names", "standings", "crosstable", "entries", "checkin", "badges", "scorecards", "prizes", "bracket"}
