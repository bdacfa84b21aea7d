package arena

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"

	"quatuor/tournament"
)

// window is how many players are paired at once, exactly.
const window = 12

// Idle is a player that waits for an opponent. Its JSON is ["a", 100].
type Idle struct {
	Player string
	Since  int64 // in seconds
}

// UnmarshalJSON reads a pair of name and time.
func (i *Idle) UnmarshalJSON(data []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("a waiting player is a name and a time, not %s", data)
	}
	if err := json.Unmarshal(pair[0], &i.Player); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &i.Since)
}

// MarshalJSON writes a pair of name and time.
func (i Idle) MarshalJSON() ([]byte, error) { return json.Marshal([]any{i.Player, i.Since}) }

// Due reports whether the waiting players are paired at a tick, with so many players in the arena: at least half of
// them wait, or one has lost patience.
func (r Rules) Due(now int64, inArena int, idle []Idle) bool {
	return len(idle) > 1 && (2*len(idle) >= inArena ||
		slices.ContainsFunc(idle, func(i Idle) bool { return now-i.Since >= r.Patience }))
}

// Grace returns for how many seconds after the end of the arena games still count: the clock's base time, or five
// minutes if that is longer.
func Grace(base int64) int64 { return max(base, 300) }

// Pairings are the pairs of a tick, [first seat, second seat], by the higher-ranked of each; Waits is the player that
// waits on because the number is odd, "" for none.
type Pairings struct {
	Pairs [][2]string `json:"pairs"`
	Waits string      `json:"waits"`
}

// Pair pairs the waiting players. With an odd number, the one that has waited least waits on, of equals the
// lower-ranked.
func Pair(standings []Standing, idle []Idle) (Pairings, error) {
	since := make(map[string]int64, len(idle))
	known := make(map[string]bool, len(standings))
	for _, st := range standings {
		known[st.Player] = true
	}
	for k, i := range idle {
		if !known[i.Player] {
			return Pairings{}, tournament.Fault(fmt.Sprintf("idle[%d]", k), "there is no player %q", i.Player)
		}
		if _, twice := since[i.Player]; twice {
			return Pairings{}, tournament.Fault(fmt.Sprintf("idle[%d]", k), "%q is no name, or comes twice", i.Player)
		}
		since[i.Player] = i.Since
	}
	var field []Standing
	odd := 0
	for _, st := range standings {
		if at, waits := since[st.Player]; waits {
			if len(field) > 0 && at >= since[field[odd].Player] {
				odd = len(field)
			}
			field = append(field, st)
		}
	}
	d := Pairings{Pairs: [][2]string{}}
	if len(field)%2 == 1 {
		d.Waits = field[odd].Player
		field = slices.Delete(field, odd, odd+1)
	}
	for part := range slices.Chunk(field, window) {
		for _, pair := range pairWindow(part) {
			d.Pairs = append(d.Pairs, seats(part[pair[0]], part[pair[1]]))
		}
	}
	return d, nil
}

// seats returns who is first and who second; a is ranked higher. Fewer firsts less seconds is first, else who was not
// first in the last game, else the lower-ranked.
func seats(a, b Standing) [2]string {
	if a.balance < b.balance || a.balance == b.balance && !a.first && b.first {
		return [2]string{a.Player, b.Player}
	}
	return [2]string{b.Player, a.Player}
}

// pairWindow returns the best of all ways to pair up to 12 players, an even number: fewest pairs of whom one had the
// other as last opponent (with three in the arena there is only one way), then the least sum of squared differences of
// ranks, then the first by the opponents of the players from the top. best[mask] is the least cost of pairing the
// players of a mask, where the first of them gets the highest opponent that allows it.
func pairWindow(field []Standing) [][2]int {
	var costs [window][window]int64
	for b := range field {
		for a := range b {
			costs[a][b] = pairCost(field[a], field[b])
		}
	}
	best := make([]int64, 1<<len(field))
	mate := make([]int, len(best))
	for mask := 1; mask < len(best); mask++ {
		if bits.OnesCount(uint(mask))%2 == 1 {
			continue
		}
		a := bits.TrailingZeros(uint(mask))
		best[mask] = -1
		for rest := mask &^ (1 << a); rest != 0; rest &= rest - 1 {
			b := bits.TrailingZeros(uint(rest))
			cost := best[mask&^(1<<a|1<<b)] + costs[a][b]
			if best[mask] < 0 || cost < best[mask] {
				best[mask], mate[mask] = cost, b
			}
		}
	}
	var pairs [][2]int
	for mask := len(best) - 1; mask != 0; {
		a, b := bits.TrailingZeros(uint(mask)), mate[mask]
		pairs = append(pairs, [2]int{a, b})
		mask &^= 1<<a | 1<<b
	}
	return pairs
}

// again is the cost of a pair of whom one had the other as last opponent: more than all squares of a window.
const again = 1 << 56

// pairCost returns the cost of one pair.
func pairCost(a, b Standing) int64 {
	apart := int64(a.Rank - b.Rank)
	cost := apart * apart
	if a.last == b.Player || b.last == a.Player {
		cost += again
	}
	return cost
}
