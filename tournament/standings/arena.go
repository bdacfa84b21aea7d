package standings

import (
	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// rankArena ranks an arena by the points and places of package arena. Entries that have neither played nor joined come
// last, without a rank.
func rankArena(f Field) (*Standings, error) {
	ranked, err := f.Arena.Rank()
	if err != nil {
		return nil, err
	}
	out := &Standings{Columns: []string{}, Round: 1}
	entries := map[string]tournament.Entry{}
	for _, card := range f.Cards {
		entries[card.Entry.ID] = card.Entry
	}
	there := map[string]bool{}
	for i := range ranked {
		st := &ranked[i]
		there[st.Player] = true
		out.Rows = append(out.Rows, Row{
			Rank: st.Rank, Shared: st.Rank, Entry: entries[st.Player], Points: tournament.Points(st.Points),
			TieBreaks: []string{}, Arena: st,
		})
	}
	for _, card := range f.Cards {
		if !there[card.Entry.ID] {
			out.Rows = append(out.Rows, Row{Entry: card.Entry, TieBreaks: []string{}, Arena: &arena.Standing{}})
		}
	}
	return out, nil
}
