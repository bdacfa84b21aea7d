package standings

import (
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// FieldOfReport gives the field of a report file: its players after all rounds in which somebody was paired. The lots
// of a report are drawn from an empty seed.
func FieldOfReport(r *trf.Report) Field {
	f := Field{Format: formatOf(r), Points: r.Points, Rounds: r.Rounds}
	listed := make(map[int]bool, len(r.Players))
	for _, p := range r.Players {
		listed[p.Number] = true
	}
	for _, e := range r.History(lastRound(r) + 1).Field {
		if listed[e.Card.Entry.Number] { // the others fill gaps in the numbers
			f.Cards = append(f.Cards, e.Card)
		}
	}
	return f
}

// lastRound is the last round in which anybody was paired, won or lost by forfeit, or was left over.
func lastRound(r *trf.Report) int {
	last := 0
	for _, p := range r.Players {
		for i, c := range p.Cells {
			switch {
			case c.Opponent > 0, c.Result == trf.Allocated, c.Result == trf.ForfeitWin, c.Result == trf.ForfeitLoss:
				last = max(last, i+1)
			}
		}
	}
	return last
}

// formatOf tells a round-robin from a Swiss by what the report says of its type (092) or system (192).
func formatOf(r *trf.Report) tournament.Format {
	for _, text := range []string{r.System, r.Kind} {
		text = strings.ToUpper(text)
		letters := strings.FieldsFunc(text, func(c rune) bool { return c < 'A' || c > 'Z' })
		joined := strings.Join(letters, " ")
		switch {
		case strings.Contains(joined, "SWISS") || strings.Contains(joined, "DUTCH"):
			return tournament.Swiss
		case strings.Contains(joined, "ROBIN") || strings.Contains(joined, "BERGER") || strings.Contains(" "+joined+" ", " RR "):
			return tournament.RoundRobin
		}
	}
	return tournament.Swiss
}
