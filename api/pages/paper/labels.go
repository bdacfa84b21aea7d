package paper

import (
	"cmp"
	"slices"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// label is the badge or the player card of an entry.
type label struct {
	tournament.Entry
	Rounds []scoreLine // of a player card
}

// scoreLine is a round on a player card, filled in as far as it is known.
type scoreLine struct {
	tournament.Cell
	Round  int
	Result string            // "" while it is open
	Sum    tournament.Points // after the round
}

// Labels on a sheet of paper.
const (
	badgesOnSheet = 8
	cardsOnSheet  = 4
	longOnSheet   = 2 // player cards with more rounds than a quarter of a sheet has room for
	shortCard     = 9 // rounds
	unknownRounds = 7 // lines, before the number of rounds is known
)

// Long reports whether a name takes smaller type on a badge.
func (l label) Long() bool { return len(l.Name) > 18 }

// labels lists the entries that take part, by sheet.
func labels(t *tournament.Tournament, onSheet int) [][]label {
	list := make([]label, 0, len(t.Entries))
	for _, line := range results.PlayerLines(t) {
		if line.Status != tournament.Withdrawn {
			list = append(list, label{Entry: line.Entry})
		}
	}
	return append([][]label{}, slices.Collect(slices.Chunk(list, onSheet))...)
}

// scorecards lists the player cards of the entries that take part, by sheet.
func scorecards(t *tournament.Tournament) [][]label {
	last := t.PublishedRounds()
	rounds, onSheet := max(cmp.Or(t.RoundCount, unknownRounds), last), cardsOnSheet
	if rounds > shortCard {
		onSheet = longOnSheet
	}
	cards, sheets := t.Cards(last), labels(t, onSheet)
	for _, sheet := range sheets {
		for i := range sheet {
			lines := make([]scoreLine, rounds)
			sum := tournament.Points(0)
			for r := range lines {
				lines[r].Round = r + 1
				if n := sheet[i].Number; n > 0 && r < last {
					cell := cards[n-1].Cells[r]
					sum += cell.Points
					lines[r].Cell, lines[r].Sum = cell, sum
					lines[r].Result = kit.Halves(strings.NewReplacer("*", "", "-", "−").Replace(standings.Mark(cell)))
				}
			}
			sheet[i].Rounds = lines
		}
	}
	return sheets
}
