package tournaments

// Prints lists the pages for paper that have something to print.
func (b TournamentBody) Prints() (list []string) {
	for _, kind := range Printable {
		if b.CanPrint(kind) {
			list = append(list, kind)
		}
	}
	return list
}

// CanPrint reports whether there is something to print.
func (b TournamentBody) CanPrint(kind string) bool {
	switch kind {
	case "pairings", "names", "standings", "crosstable":
		return b.Latest > 0
	case "prizes":
		return len(b.Tournament.Prizes.Categories) > 0
	case "bracket":
		return b.Knockout()
	}
	return true
}

// Printable are the pages that are made for paper. Slips and cards for the boards are made elsewhere.
var Printable = []string{"pairings", "names", "standings", "crosstable", "entries", "checkin", "prizes", "bracket"}
