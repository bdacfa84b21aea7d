package keizer

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing/matching"
)

// Pairings are the next round.
type Pairings struct {
	Pairs    []Pairing `json:"pairs"`    // in the order of the ranking
	Bye      int       `json:"bye"`      // the player that is odd, 0 for none
	Gap      int       `json:"gap"`      // the whole rounds between two games that could be kept
	Meetings int       `json:"meetings"` // the games of the same two players that had to be admitted
}

// Pairing is a pair of players, with the reason for their colours.
type Pairing struct {
	White int          `json:"w"`
	Black int          `json:"b"`
	Why   ColourReason `json:"why"`
}

// ColourReason is the rule that decided about White.
type ColourReason string

// The rules of colours, in their order.
const (
	FewerWhites ColourReason = "balance"   // fewer Whites minus Blacks
	Alternating ColourReason = "alternate" // the opposite of the colours where the histories last differ
	HigherRank  ColourReason = "higher"    // the opposite of the higher-ranked's last colour
	FirstColour ColourReason = "first"     // by the number of the round
)

// Pair pairs the players that are present for the next round. The bye goes to the lowest-ranked of those with the
// fewest byes. From the top, each player gets the highest-ranked opponent that leaves the others pairable.
func (r *Ranking) Pair(present []int) (Pairings, error) {
	return r.PairApart(present, func(int, int) bool { return false })
}

// PairApart is Pair with pairs that may not meet. The error wraps tournament.ErrUnpairable if the players cannot be
// paired without these.
func (r *Ranking) PairApart(present []int, apart func(a, b int) bool) (Pairings, error) {
	var names roll
	names.addAll("present", present)
	if err := names.check(r.index); err != nil {
		return Pairings{}, err
	}
	here := make([]bool, len(r.input.Players))
	for _, number := range present {
		here[r.index[number]] = true
	}
	var field []int
	for _, i := range r.last {
		if here[i] {
			field = append(field, i)
		}
	}
	var d Pairings
	if len(field)%2 == 1 {
		odd := r.odd(field)
		d.Bye = r.input.Players[field[odd]].Number
		field = slices.Delete(field, odd, odd+1)
	}
	history := r.histories()
	solved := r.legal(field, history, apart, &d)
	if solved == nil {
		return Pairings{}, tournament.Refuse(tournament.ErrUnpairable,
			"those present cannot be paired without two that are not to meet; allow it for this round")
	}
	everyone := make([]int, len(field))
	for k := range everyone {
		everyone[k] = k
	}
	paired := make([]bool, len(field))
	for k, i := range field {
		if paired[k] {
			continue
		}
		mate := solved.Pick(k, everyone)
		paired[mate] = true
		d.Pairs = append(d.Pairs, r.colours(history, i, field[mate]))
	}
	return d, nil
}

// odd returns the index in the field of the player that gets the bye.
func (r *Ranking) odd(field []int) int {
	byes := make([]int, len(r.input.Players))
	for _, credits := range r.sheets {
		for i, c := range credits {
			if c.kind == Bye {
				byes[i]++
			}
		}
	}
	odd := 0
	for k, i := range field {
		if byes[i] <= byes[field[odd]] {
			odd = k
		}
	}
	return odd
}

// history is the part of a player's games that counts for pairing.
type history struct {
	white []bool      // by game
	met   map[int]int // how often, by opponent
	last  map[int]int // round of the last meeting, from 1
}

func (r *Ranking) histories() []history {
	out := make([]history, len(r.input.Players))
	for i := range out {
		out[i] = history{met: map[int]int{}, last: map[int]int{}}
	}
	for k, round := range r.input.Rounds {
		for _, g := range round.Games {
			w, b := r.index[g.White], r.index[g.Black]
			out[w].add(b, k+1, true)
			out[b].add(w, k+1, false)
		}
		for _, t := range round.Tables {
			for _, a := range t.Players {
				for _, b := range t.Players {
					if a != b {
						out[r.index[a]].meet(r.index[b], k+1)
					}
				}
			}
		}
	}
	return out
}

func (h *history) add(opponent, round int, white bool) {
	h.white = append(h.white, white)
	h.meet(opponent, round)
}

func (h *history) meet(opponent, round int) {
	h.met[opponent]++
	h.last[opponent] = round
}

// legal returns a solved matching of the field under the strictest rules that allow it: Rules.Gap and Rules.Meetings,
// then a smaller gap, then without a gap more meetings; nil if those that are apart prevent it.
func (r *Ranking) legal(field []int, histories []history, apart func(a, b int) bool, d *Pairings) *matching.Matching {
	d.Gap, d.Meetings = r.input.Gap, r.input.Meetings
	for {
		g := matching.NewGraph(len(field))
		for a, i := range field {
			for b, j := range field[:a] {
				met := histories[i].met[j]
				between := len(r.input.Rounds) - histories[i].last[j]
				if met < d.Meetings && (met == 0 || between >= d.Gap) &&
					!apart(r.input.Players[i].Number, r.input.Players[j].Number) {
					g.Join(a, b)
				}
			}
		}
		solved := matching.New(g, make([]int32, len(field)), matching.NewCosts(1, 0))
		if solved.Solve() {
			return solved
		}
		if d.Gap == 0 && d.Meetings > len(r.input.Rounds) {
			return nil // any other two may meet
		}
		if d.Gap > 0 {
			d.Gap = max(0, min(d.Gap, len(r.input.Rounds))-1) // more rounds do not lie between any
		} else {
			d.Meetings++
		}
	}
}

// colours assigns colours to two players; the first is ranked higher.
func (r *Ranking) colours(histories []history, higher, lower int) Pairing {
	first, why := whiteFirst(histories[higher].white, histories[lower].white, len(r.input.Rounds)+1)
	p := Pairing{r.input.Players[higher].Number, r.input.Players[lower].Number, why}
	if !first {
		p.White, p.Black = p.Black, p.White
	}
	return p
}

// whiteFirst reports whether the higher-ranked player has White, by the colours that both have had.
func whiteFirst(higher, lower []bool, round int) (bool, ColourReason) {
	if a, b := balance(higher), balance(lower); a != b {
		return a < b, FewerWhites
	}
	for k := 1; k <= min(len(higher), len(lower)); k++ {
		if a, b := higher[len(higher)-k], lower[len(lower)-k]; a != b {
			return b, Alternating
		}
	}
	if n := len(higher); n > 0 {
		return !higher[n-1], HigherRank
	}
	return round%2 == 1, FirstColour
}

// balance returns Whites minus Blacks.
func balance(white []bool) int {
	n := 0
	for _, w := range white {
		if w {
			n++
		} else {
			n--
		}
	}
	return n
}
