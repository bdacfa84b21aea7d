package standings

import (
	"slices"

	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
	"quatuor/tournament/standings/teams"
)

// rankKnockout ranks a field by its bracket.
func rankKnockout(f Field) (*Standings, error) {
	h := pairing.History{Rounds: f.Rounds, ThirdPlace: f.Third, Legs: f.Legs, Field: make([]pairing.Entrant, len(f.Cards))}
	out := &Standings{Columns: []string{}, Rows: make([]Row, len(f.Cards))}
	for i, card := range f.Cards {
		h.Field[i].Card = card
		out.Round = max(out.Round, len(card.Cells))
	}
	ranks := knockout.Of(h).Ranks(len(f.Cards))
	for i, card := range f.Cards {
		row := Row{Rank: ranks[i].Rank, Out: ranks[i].Out, Entry: card.Entry, TieBreaks: []string{}}
		for _, c := range card.Cells {
			row.Points += c.Points
		}
		out.Rows[i] = row
	}
	if f.Teams != nil {
		totals, err := teams.Rank(*f.Teams)
		if err != nil {
			return nil, err
		}
		for _, r := range totals {
			out.Rows[r.Number-1].Team = &r.Totals
		}
	}
	slices.SortStableFunc(out.Rows, func(a, b Row) int { return a.Rank - b.Rank })
	for from := 0; from < len(out.Rows); {
		to := from
		for to < len(out.Rows) && out.Rows[to].Rank == out.Rows[from].Rank {
			to++
		}
		first := out.Rows[from].Rank
		last := min(first+to-from-1, len(out.Rows))
		if first > 1 {
			last = min(last, 2*(first-1)) // as many as go out in a round, even if both forfeited a match
		}
		for i := from; i < to; i++ {
			out.Rows[i].Shared = last
		}
		from = to
	}
	return out, nil
}
