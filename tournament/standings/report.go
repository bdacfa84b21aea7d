package standings

import (
	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// FieldOfReport returns the field of a report file: its players after all rounds that are over or under way.
// The lots of a report are drawn from an empty seed.
func FieldOfReport(r *trf.Report) Field {
	f := Field{Format: r.Format(), Points: r.Points, Rounds: r.Rounds}
	listed := make(map[int]bool, len(r.Players))
	for _, p := range r.Players {
		listed[p.Number] = true
	}
	for _, e := range r.History(r.Held() + 1).Field {
		if listed[e.Card.Entry.Number] { // the others are fillers for gaps in the numbers
			f.Cards = append(f.Cards, e.Card)
		}
	}
	f.Annulled = annulled(r, f)
	return f
}

// annulled returns, for a round-robin, the numbers of annulled games: a report ranks all but entries that withdrew with
// fewer than half of their games played.
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
