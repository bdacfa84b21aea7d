package arena

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing/tables"
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
	return len(idle) >= r.fewest() && (2*len(idle) >= inArena ||
		slices.ContainsFunc(idle, func(i Idle) bool { return now-i.Since >= r.Patience }))
}

// fewest returns how many play a game at least.
func (r Rules) fewest() int {
	if len(r.Sizes) == 0 {
		return 2
	}
	return r.Sizes[0]
}

// Grace returns for how many seconds after the end of the arena games still count: the clock's base time, or five
// minutes if that is longer.
func Grace(base int64) int64 { return max(base, 300) }

// Pairings are the games of a tick in the order of the highest-ranked of each, with their players in the order of the
// seats; those that wait on are in the order of the ranking.
type Pairings struct {
	Games [][]string
	Waits []string
}

// Pair pairs the waiting players, or seats them at tables. Where their number cannot be made up of games, or there are
// too few boards, those that have waited least wait on, of equals the lower-ranked.
func (r Rules) Pair(standings []Standing, idle []Idle) (Pairings, error) {
	if err := r.check(); err != nil {
		return Pairings{}, err
	}
	field, since, err := waiting(standings, idle)
	if err != nil {
		return Pairings{}, err
	}
	d := Pairings{Games: [][]string{}, Waits: []string{}}
	sizes, fit := r.games(len(field))
	for ; !fit; sizes, fit = r.games(len(field)) {
		least := 0
		for k, st := range field {
			if since[st.Player] >= since[field[least].Player] {
				least = k
			}
		}
		d.Waits = append(d.Waits, field[least].Player)
		field = slices.Delete(field, least, least+1)
	}
	for len(sizes) > 0 {
		games, players := windowOf(sizes)
		d.Games = append(d.Games, seatWindow(field[:players], sizes[:games])...)
		field, sizes = field[players:], sizes[games:]
	}
	place := make(map[string]int, len(standings))
	for _, st := range standings {
		place[st.Player] = st.Rank
	}
	slices.SortFunc(d.Waits, func(a, b string) int { return place[a] - place[b] })
	return d, nil
}

// waiting returns the standings of those that wait, by rank, and since when they do.
func waiting(standings []Standing, idle []Idle) (field []Standing, since map[string]int64, err error) {
	since = make(map[string]int64, len(idle))
	known := make(map[string]bool, len(standings))
	for _, st := range standings {
		known[st.Player] = true
	}
	for k, i := range idle {
		if !known[i.Player] {
			return nil, nil, tournament.Fault(fmt.Sprintf("idle[%d]", k), "there is no player %q", i.Player)
		}
		if _, twice := since[i.Player]; twice {
			return nil, nil, tournament.Fault(fmt.Sprintf("idle[%d]", k), "%q is no name, or comes twice", i.Player)
		}
		since[i.Player] = i.Since
	}
	for _, st := range standings {
		if _, waits := since[st.Player]; waits {
			field = append(field, st)
		}
	}
	return field, since, nil
}

// games returns the sizes of the games of so many players, the greatest first, as a draw of tables has them; false if
// they cannot be divided so, or lack boards.
func (r Rules) games(players int) ([]int, bool) {
	sizes, preferred := r.Sizes, r.Preferred
	if len(sizes) == 0 {
		sizes, preferred = []int{2}, 2
	}
	for list := range tables.SizeLists(sizes, preferred, players) {
		return list, r.Boards == nil || len(list) <= *r.Boards
	}
	return nil, false
}

// windowOf returns how many of the first games, and how many players, make up a window.
func windowOf(sizes []int) (games, players int) {
	for games < len(sizes) && players+sizes[games] <= window {
		players += sizes[games]
		games++
	}
	return games, players
}

// bySeat orders players of a game, who are given by rank, by their seats: fewer firsts less seconds sits before, else
// who was not first in the last game, else the lower-ranked.
func bySeat(a, b Standing) int {
	first := func(st Standing) int {
		if st.first {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.balance, b.balance), first(a)-first(b), b.Rank-a.Rank)
}

// seatWindow returns the games of a window in the best of all ways to seat it at tables of these sizes: fewest pairs at
// a table of whom one had the other in the last game (with three in the arena there is only one way), then the least
// sum of squared differences of the ranks of all pairs, then the player from the top at the larger table, with the
// highest-ranked others.
func seatWindow(field []Standing, sizes []int) (games [][]string) {
	var s seating
	for b := range field {
		for a := range b {
			s.costs[a][b] = pairCost(field[a], field[b])
		}
	}
	left := uint(1)<<len(field) - 1
	s.best(left, sizes)
	for left != 0 {
		var players []Standing
		table := s.found[left].table
		for t := table; t != 0; t &= t - 1 {
			players = append(players, field[bits.TrailingZeros(t)])
		}
		slices.SortFunc(players, bySeat)
		game := make([]string, len(players))
		for k, st := range players {
			game[k] = st.Player
		}
		games = append(games, game)
		left &^= table
	}
	return games
}

// seating is the search for the best way to seat a window. Sets of players are bits, the highest-ranked the lowest.
type seating struct {
	costs [window][window]int64
	found [1 << window]struct {
		cost  int64
		table uint // of the first of those left; 0 if it is not known yet
	}
}

// best returns the least cost of seating those left. Their number tells the sizes that are left: of sizes with a sum of
// at most twelve no two choices have the same sum.
func (s *seating) best(left uint, sizes []int) int64 {
	f := &s.found[left]
	if left == 0 || f.table != 0 {
		return f.cost
	}
	first := left & -left
	for i, size := range sizes {
		if i > 0 && size == sizes[i-1] {
			continue
		}
		rest := sizes[1:]
		if i > 0 {
			rest = slices.Concat(sizes[:i], sizes[i+1:])
		}
		s.fill(first, left&^first, size-1, 0, func(table uint, cost int64) {
			cost += s.best(left&^table, rest)
			if f.table == 0 || cost < f.cost {
				f.cost, f.table = cost, table
			}
		})
	}
	return f.cost
}

// fill calls found with each table that so many of others make with those at it, the highest-ranked first.
func (s *seating) fill(table, others uint, more int, cost int64, found func(table uint, cost int64)) {
	if more == 0 {
		found(table, cost)
		return
	}
	for ; others != 0; others &= others - 1 {
		b := bits.TrailingZeros(others)
		sum := cost
		for t := table; t != 0; t &= t - 1 {
			sum += s.costs[bits.TrailingZeros(t)][b]
		}
		s.fill(table|1<<b, others&(others-1), more-1, sum, found)
	}
}

// again is the cost of a pair of whom one had the other in the last game: more than all squares of a window.
const again = 1 << 56

// pairCost returns the cost of two at a table.
func pairCost(a, b Standing) int64 {
	apart := int64(a.Rank - b.Rank)
	cost := apart * apart
	if slices.Contains(a.last, b.Player) || slices.Contains(b.last, a.Player) {
		cost += again
	}
	return cost
}
