package standings

import (
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// FieldOfReport returns the field of a report file: its players after all rounds in which any of them was paired.
// The lots of a report are drawn from an empty seed.
func FieldOfReport(r *trf.Report) Field {
	f := Field{Format: FormatOf(r), Points: r.Points, Rounds: r.Rounds}
	listed := make(map[int]bool, len(r.Players))
	for _, p := range r.Players {
		listed[p.Number] = true
	}
	for _, e := range r.History(lastRound(r) + 1).Field {
		if listed[e.Card.Entry.Number] { // the others are fillers for gaps in the numbers
			f.Cards = append(f.Cards, e.Card)
		}
	}
	f.Annulled = annulled(r, f)
	return f
}

// annulled returns, for a round-robin, the numbers whose games do not count: a report ranks all but those who
// withdrew with fewer than half of their games played.
func annulled(r *trf.Report, f Field) map[int]bool {
	out := make(map[int]bool)
	unranked := make(map[int]bool)
	for _, p := range r.Players {
		if p.Rank == 0 {
			unranked[p.Number] = true
		}
	}
	if f.Format.Cycles() == 0 || len(unranked) == len(r.Players) {
		return out
	}
	for _, card := range f.Cards {
		played := 0
		for _, c := range card.Cells {
			if c.Kind == tournament.Played {
				played++
			}
		}
		if unranked[card.Entry.Number] && 2*played < f.Format.Cycles()*(len(f.Cards)-1) {
			out[card.Entry.Number] = true
		}
	}
	return out
}

// lastRound returns the last round in which any player was paired, won or lost by forfeit, or was left over.
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

// FormatOf distinguishes round-robins from a Swiss by the report's system (192) or type (092).
func FormatOf(r *trf.Report) tournament.Format {
	for _, text := range []string{r.System, r.Kind} {
		text = strings.ToUpper(text)
		letters := strings.FieldsFunc(text, func(c rune) bool { return c < 'A' || c > 'Z' })
		joined := strings.Join(letters, " ")
		switch {
		case strings.Contains(joined, "SWISS") || strings.Contains(joined, "DUTCH"):
			return tournament.Swiss
		case strings.Contains(joined, "ROBIN") || strings.Contains(joined, "BERGER") || strings.Contains(" "+joined+" ", " RR "):
			if strings.Contains(joined, "DOUBLE") {
				return tournament.DoubleRoundRobin
			}
			return tournament.RoundRobin
		}
	}
	return tournament.Swiss
}
