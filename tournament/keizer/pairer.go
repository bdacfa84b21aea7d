package keizer

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/tables"
)

// Pairer is the format as a pairing system for a tournament: for two by the rules of this package, at tables of three
// to five as a Swiss at tables with the totals as points.
type Pairer struct {
	Rules tournament.PairingRules // in canonical form
}

var (
	_ pairing.Explainer = Pairer{}
	_ pairing.Keeper    = Pairer{}
)

// Rounds returns the planned number of rounds, 0 for an open-ended season.
func (p Pairer) Rounds(entries, planned int) (int, error) {
	if entries > maxPlayers {
		return 0, tournament.NotValid("at most %d entries can be ranked, and there are %d", maxPlayers, entries)
	}
	return planned, nil
}

// Pair returns the round: boards in the order of the ranking, then the bye, then the entries that are away.
func (p Pairer) Pair(h pairing.History) ([]tournament.Pairing, error) {
	out, _, err := p.PairAndKeep(h)
	return out, err
}

// PairAndKeep is Pair; the draw of tables is kept.
func (p Pairer) PairAndKeep(h pairing.History) ([]tournament.Pairing, string, error) {
	ranking, err := p.ranking(h)
	if err != nil {
		return nil, "", err
	}
	if p.Rules.Tables.Sizes != 0 {
		return p.tables(ranking).PairAndKeep(h)
	}
	drawn, err := ranking.PairApart(present(h), h.Barred)
	return pairings(h, drawn), "", err
}

func (p Pairer) ranking(h pairing.History) (*Ranking, error) {
	cards := make([]tournament.Card, len(h.Field))
	for i, e := range h.Field {
		cards[i] = e.Card
	}
	return InputOf(cards, p.Rules.Keizer).Rank()
}

// tables returns the draw of tables with the totals, in tenths, as points.
func (p Pairer) tables(r *Ranking) tables.Pairer {
	totals := map[int]int{}
	for _, st := range r.Standings() {
		totals[st.Number] = st.Total.Tenths()
	}
	return tables.Pairer{Rules: p.Rules.Tables, Totals: totals}
}

// present returns the numbers that are to be paired.
func present(h pairing.History) (numbers []int) {
	for i, e := range h.Field {
		if e.Away == tournament.NoBye {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

func pairings(h pairing.History, drawn Pairings) (out []tournament.Pairing) {
	add := func(bye tournament.Bye, numbers ...int) { out = append(out, h.Pairing(len(out)+1, bye, numbers...)) }
	for _, p := range drawn.Pairs {
		add(tournament.NoBye, p.White, p.Black)
	}
	if drawn.Bye > 0 {
		add(tournament.PairingAllocated, drawn.Bye)
	}
	for i, e := range h.Field {
		if e.Away != tournament.NoBye {
			add(e.Away, i+1)
		}
	}
	return out
}

// Reasons explains a round by the ranking, the games of the two before, and their colours.
func (p Pairer) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	ranking, err := p.ranking(h)
	if err != nil {
		return pairing.Reasons{}, err
	}
	if p.Rules.Tables.Sizes != 0 {
		return p.tables(ranking).Reasons(h, a)
	}
	drawn, err := ranking.PairApart(present(h), h.Barred)
	if err != nil {
		return pairing.Reasons{}, err
	}
	e := explainer{
		h: h, a: a, drawn: drawn, rules: p.Rules.Keizer, rank: map[int]int{}, free: map[int]bool{},
		histories: ranking.histories(),
	}
	for _, n := range present(h) {
		e.free[n] = n != drawn.Bye
	}
	for k, st := range ranking.Standings() {
		e.order = append(e.order, st.Number)
		e.rank[st.Number] = k + 1
	}
	var out pairing.Reasons
	for i, paired := range pairings(h, drawn) {
		r := pairing.Reason{Seats: paired.Seats, Bye: paired.Bye}
		switch {
		case i < len(drawn.Pairs):
			e.pair(drawn.Pairs[i], &r)
		case paired.Bye == tournament.PairingAllocated:
			r.Meeting = sentence.New("%s has the bye: the lowest-ranked of those present with the fewest byes.",
				a.Name(drawn.Bye))
		default:
			r.Meeting = awayWords[paired.Bye]
		}
		out.Boards = append(out.Boards, r)
	}
	return out, nil
}
