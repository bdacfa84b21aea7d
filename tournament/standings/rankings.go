package standings

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/arena"
	"quatuor/tournament/exact"
	"quatuor/tournament/keizer"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
	"quatuor/tournament/standings/teams"
)

// rankSeason ranks the pages of a Keizer season.
func (b *book) rankSeason(f Field) error {
	ranking, err := keizer.InputOf(f.Cards, f.Keizer).Rank()
	if err != nil {
		return err
	}
	b.season = make([]keizer.Standing, len(b.pages))
	for _, st := range ranking.Standings() {
		b.season[b.pageOf(st.Number)] = st
	}
	return nil
}

// pageOf returns the page of a number that is known.
func (b *book) pageOf(number int) int {
	return slices.IndexFunc(b.pages, func(p page) bool { return p.entry.Number == number })
}

// bySeason returns the pages by rank, each a group of its own.
func (b *book) bySeason() [][]int {
	groups := make([][]int, len(b.pages))
	for i, st := range b.season {
		groups[st.Rank-1] = []int{i}
	}
	return groups
}

// valuePart is the fraction of a point that makes means of two to four values exact.
const valuePart = 12

func valuesOf(parts int64) string { return exact.Ratio(parts, valuePart).String() }

// keizerTotal is the own value plus the worth of each round. Each term names the opponents' value, or the own value
// where the round is a share of it.
func keizerTotal(b *book, page int, _ modifiers) value {
	st := b.season[page]
	own := int64(st.Value) * valuePart
	if st.Own.Cmp(exact.Sum{}) != 0 {
		b.terms = append(b.terms, term{round: -1, opponent: -1, strength: own, text: st.Own.String()})
	}
	b.record(page, func(i int, r *round, t *term) bool {
		line := st.Lines[i]
		t.text, t.strength = line.Points.String(), own
		if n := int64(len(line.Opponents)); n > 0 {
			t.strength = 0
			for _, o := range line.Opponents {
				t.strength += int64(o.Value) * valuePart / n
			}
		}
		return r.kind != tournament.Pending
	})
	return value{text: st.Total.String()}
}

// keizerValue is the worth of a win over the player.
func keizerValue(b *book, page int, _ modifiers) value {
	return value{text: whole(int64(b.season[page].Value))}
}

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
