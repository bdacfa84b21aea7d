package generate

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing/tables"
)

// tableRules are the regulations to draw from.
var tableRules = []tables.Rules{
	{Sizes: []int{3, 4, 5}, Preferred: 4},
	{Sizes: []int{3, 4, 5}, Preferred: 4, MeetingsSecond: true},
	{Sizes: []int{4}, Preferred: 4},
	{Sizes: []int{4}, Preferred: 4, Sides: [][]int{{1, 3}, {2, 4}}},
	{Sizes: []int{3, 4, 5}, Preferred: 4, Clubs: true},
	{Sizes: []int{3, 4}, Preferred: 3, Unseeded: true},
	{Sizes: []int{3, 4, 5}, Preferred: 5, MeetingsSecond: true},
}

// Of a tournament at tables, unless they are set: few enough entries that every draw is proved to be the best.
var tableEntries, tableRounds = interval{3, 18}, interval{2, 6}

// Tables returns the rounds of a tournament at tables for three to five as cases with their answers, lines of JSON as
// `quatuor pair --tables` reads them. PlayersNumber, RoundsNumber, ForbiddenPairs and ZPBRate can be set.
func Tables(s Settings, seed uint64) ([][]byte, error) {
	g := &tableGenerator{rand: rand.New(rand.NewPCG(seed, 0)), settings: s}
	g.begin()
	var lines [][]byte
	rounds := g.in("RoundsNumber", tableRounds)
	for round := 1; round <= rounds; round++ {
		c := tables.Case{ID: fmt.Sprintf("%d-%d", seed, round), Field: g.present()}
		answer, err := c.Answer(false)
		if err != nil {
			return nil, err
		}
		line, err := c.Text(answer)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
		drawn, err := tables.Draw(c.Field)
		if errors.Is(err, tournament.ErrUnpairable) {
			continue // no entry could be seated, which is an answer, too
		} else if err != nil {
			return nil, err
		}
		g.play(drawn)
	}
	return lines, nil
}

// tableGenerator makes a tournament at tables.
type tableGenerator struct {
	rand     *rand.Rand
	settings Settings
	field    tables.Field // of all entries
	strength []float64
}

// in draws a whole number, from what is set or otherwise from an interval.
func (g *tableGenerator) in(name string, usual interval) int {
	if said, ok := g.settings.given[name]; ok {
		usual = said.whole
	}
	return usual.low + g.rand.IntN(usual.high-usual.low+1)
}

// begin draws the regulations and the entries.
func (g *tableGenerator) begin() {
	g.field.Rules = tableRules[g.rand.IntN(len(tableRules))]
	n := g.in("PlayersNumber", tableEntries)
	for i := range n {
		e := tables.Entry{Number: i + 1}
		if g.field.Clubs {
			e.Club = string(rune('A' + g.rand.IntN(1+n/3)))
		}
		g.field.Entries = append(g.field.Entries, e)
		g.strength = append(g.strength, float64(n-i)/float64(n)*1.5)
	}
	for range g.in("ForbiddenPairs", interval{0, 2}) {
		if a, b := 1+g.rand.IntN(n), 1+g.rand.IntN(n); a != b {
			g.field.Forbidden = append(g.field.Forbidden, [2]int{min(a, b), max(a, b)})
		}
	}
}

// present returns the field of the next round: some entries miss it.
func (g *tableGenerator) present() tables.Field {
	out, away := g.field, g.in("ZPBRate", interval{0, 80})
	out.Entries = slices.DeleteFunc(slices.Clone(g.field.Entries), func(tables.Entry) bool {
		return g.rand.IntN(1000) < away
	})
	out.Rounds = slices.Clone(g.field.Rounds)
	return out
}

// play draws the results of a round: a point for each opponent behind, or for both of the side that wins.
func (g *tableGenerator) play(r tables.Round) {
	g.field.Rounds = append(g.field.Rounds, tables.Past{Tables: r.Tables, Byes: r.Byes})
	for _, n := range r.Byes {
		g.field.Entries[n-1].Points += 5 * (g.field.Preferred - 1)
	}
	for _, t := range r.Tables {
		form := make(map[int]float64, len(t))
		for _, n := range t {
			form[n] = g.strength[n-1] + g.rand.NormFloat64()
		}
		if g.field.Rotate() {
			side := g.field.Sides[g.rand.IntN(2)]
			g.field.Entries[t[side[0]-1]-1].Points += 10
			g.field.Entries[t[side[1]-1]-1].Points += 10
			continue
		}
		ranked := slices.SortedFunc(slices.Values(t), func(a, b int) int { return cmp.Compare(form[b], form[a]) })
		for rank, n := range ranked {
			g.field.Entries[n-1].Points += 10 * (len(t) - 1 - rank)
		}
	}
}
