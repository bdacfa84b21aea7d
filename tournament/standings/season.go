package standings

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/exact"
	"quatuor/tournament/keizer"
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
