package results

import (
	"slices"

	"quatuor/tournament"
)

// PlayerLine is an entry in the list of participants.
type PlayerLine struct {
	tournament.Entry
	Order int // pairing number, before the start the place in the list
}

// PlayerLines lists the entries by number, before the numbers are fixed in their order.
func PlayerLines(t *tournament.Tournament) []PlayerLine {
	fixed := numbersFixed(t)
	list := make([]PlayerLine, 0, len(t.Entries))
	for i, e := range t.Entries {
		if !fixed {
			list = append(list, PlayerLine{e, i + 1})
		} else if e.Number > 0 {
			list = append(list, PlayerLine{e, e.Number})
		}
	}
	slices.SortStableFunc(list, func(a, b PlayerLine) int { return a.Order - b.Order })
	return list
}

func numbersFixed(t *tournament.Tournament) bool {
	return slices.ContainsFunc(t.Entries, func(e tournament.Entry) bool { return e.Number > 0 })
}

// EntryAt returns the entry that the address of a card names: by its pairing number, and before the numbers are fixed
// by its place in the list.
func EntryAt(t *tournament.Tournament, number int) (tournament.Entry, bool) {
	for _, line := range PlayerLines(t) {
		if line.Order == number {
			return line.Entry, true
		}
	}
	return tournament.Entry{}, false
}
