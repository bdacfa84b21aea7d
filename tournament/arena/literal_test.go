package arena

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawArena draws an evening of games of two, some berserk, some forfeited, or of tables.
func drawArena(t *rapid.T) (Arena, []Idle) {
	a := Arena{Rules: DefaultRules()}
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	if rapid.Bool().Draw(t, "tables") {
		a.Sizes = rapid.SampledFrom([][]int{{3, 4, 5}, {3, 4}, {4}, {3, 5}, {5}, {3}}).Draw(t, "sizes")
		a.Preferred = rapid.SampledFrom(a.Sizes).Draw(t, "preferred")
		names = append(names, "i", "j", "k")
	}
	if rapid.IntRange(0, 2).Draw(t, "scarce") == 0 {
		boards := rapid.IntRange(0, 4).Draw(t, "boards")
		a.Boards = &boards
	}
	a.Players = rapid.Permutation(names).Draw(t, "players")[:rapid.IntRange(2, len(names)).Draw(t, "n")]
	at := int64(0)
	for range rapid.IntRange(0, 25).Draw(t, "games") {
		at += int64(rapid.IntRange(0, 3).Draw(t, "pause"))
		two := rapid.Permutation(a.Players).Draw(t, "two")
		if len(a.Sizes) > 0 {
			if n := rapid.SampledFrom(a.Sizes).Draw(t, "seats"); n <= len(two) {
				a.Games = append(a.Games, drawTable(t, at, two[:n]))
			}
			continue
		}
		g := Game{At: at, First: two[0], Second: two[1], Result: rapid.SampledFrom([]int{0, 1, 2, 2}).Draw(t, "result")}
		if rapid.Bool().Draw(t, "berserk") {
			g.Berserk = two[:rapid.IntRange(1, 2).Draw(t, "how many")]
			moves := rapid.SampledFrom([]int{0, 4, 5, 6}).Draw(t, "moves")
			g.Moves = &moves
		}
		a.Games = append(a.Games, g)
	}
	var idle []Idle
	for _, player := range rapid.Permutation(a.Players).Draw(t, "idle")[:rapid.IntRange(0, len(a.Players)).Draw(t, "waiting")] {
		idle = append(idle, Idle{player, int64(rapid.IntRange(100, 103).Draw(t, "since"))})
	}
	return a, idle
}

// drawTable draws a table; some places are shared, and some players absent.
func drawTable(t *rapid.T, at int64, players []string) Game {
	g := Game{At: at}
	points := rapid.SliceOfN(rapid.IntRange(0, 4), len(players), len(players)).Draw(t, "points") // 0 is absent
	for k, id := range players {
		place := 1
		for _, other := range points {
			if other > points[k] {
				place++
			}
		}
		g.Table = append(g.Table, Seat{Player: id, Place: place, Absent: points[k] == 0})
	}
	return g
}

// modelPlayer is what the evening was for a player, as lists.
type modelPlayer struct {
	name      string
	worth     []int  // of each game, in tenths
	wins      []bool // of each game that is not void for the streak
	gain      int64
	opponents [][]string
	early     []int // how many seats are after, less those before the own
}

func modelPlayers(a Arena) map[string]*modelPlayer {
	players := map[string]*modelPlayer{}
	for _, name := range a.Players {
		players[name] = &modelPlayer{name: name}
	}
	for _, g := range a.Games {
		for k, seat := range g.Table {
			players[seat.Player].sit(g, k)
		}
		for k, name := range []string{g.First, g.Second} {
			if g.Table == nil {
				halves := []int{g.Result, 2 - g.Result}[k]
				players[name].play(g, halves, []string{[]string{g.Second, g.First}[k]}, 1-2*k)
			}
		}
	}
	return players
}

// sit counts a table: each other that came after is a point, each beside half of one, out of all others two.
func (p *modelPlayer) sit(g Game, k int) {
	own := g.Table[k]
	twice, alone := 0, !own.Absent && own.Place == 1
	var others []string
	for i, other := range g.Table {
		if i == k {
			continue
		}
		others = append(others, other.Player)
		switch {
		case other.Place > own.Place:
			twice += 2
		case other.Place == own.Place:
			twice++
			alone = false
		}
	}
	if own.Absent {
		twice = 0
	}
	points := twice * 10 / len(others)
	if n := len(p.wins); n >= 2 && p.wins[n-1] && p.wins[n-2] {
		points *= 2
	}
	p.wins = append(p.wins, alone)
	p.enter(g, points, others, len(g.Table)-1-2*k)
}

func (p *modelPlayer) play(g Game, halves int, others []string, early int) {
	forfeited := g.Moves != nil && *g.Moves == 0 && g.Result != 1
	points := 10 * halves // 2, 1, 0
	n := len(p.wins)
	if !forfeited && n >= 2 && p.wins[n-1] && p.wins[n-2] {
		points *= 2
	}
	enough := g.Moves == nil || *g.Moves >= 5
	if !forfeited && halves == 2 && slices.Contains(g.Berserk, p.name) && enough {
		points += 10
	}
	if !forfeited || halves == 0 {
		p.wins = append(p.wins, halves == 2)
	}
	p.enter(g, points, others, early)
}

func (p *modelPlayer) enter(g Game, points int, others []string, early int) {
	if points > 0 {
		p.gain = g.At
	}
	p.worth = append(p.worth, points)
	p.opponents = append(p.opponents, others)
	p.early = append(p.early, early)
}

func (p *modelPlayer) points() (sum int) {
	for _, w := range p.worth {
		sum += w
	}
	return sum
}

func (p *modelPlayer) balance() (n int) {
	for _, early := range p.early {
		n += early
	}
	return n
}

func lastOf[T any](list []T) (last T) {
	if len(list) > 0 {
		last = list[len(list)-1]
	}
	return last
}

func modelOrder(players map[string]*modelPlayer) (order []string) {
	for name := range players {
		order = append(order, name)
	}
	slices.SortFunc(order, func(x, y string) int {
		a, b := players[x], players[y]
		return cmp.Or(b.points()-a.points(), len(a.worth)-len(b.worth), int(a.gain-b.gain), cmp.Compare(x, y))
	})
	return order
}

// allSeatings returns every way to seat a list, which is by rank, at tables of these sizes in any order.
func allSeatings(list []string, sizes []int) (all [][][]string) {
	if len(list) == 0 {
		return [][][]string{nil}
	}
	for mask := range 1 << (len(list) - 1) { // who sits with the first
		table, rest := list[:1:1], []string(nil)
		for k, id := range list[1:] {
			if mask>>k&1 == 1 {
				table = append(table, id)
			} else {
				rest = append(rest, id)
			}
		}
		if i := slices.Index(sizes, len(table)); i >= 0 {
			for _, others := range allSeatings(rest, slices.Concat(sizes[:i], sizes[i+1:])) {
				all = append(all, append([][]string{table}, others...))
			}
		}
	}
	return all
}

// cost returns the criteria of a seating, one after the other.
func cost(seating [][]string, order []string, players map[string]*modelPlayer) []int {
	again, squares := 0, 0
	var last []int
	for _, table := range seating {
		last = append(last, -len(table))
		for i, x := range table {
			last = append(last, slices.Index(order, x))
			for _, y := range table[:i] {
				apart := slices.Index(order, x) - slices.Index(order, y)
				squares += apart * apart
				if slices.Contains(lastOf(players[x].opponents), y) || slices.Contains(lastOf(players[y].opponents), x) {
					again++
				}
			}
		}
	}
	if len(players) <= 3 {
		again = 0
	}
	return append([]int{again, squares}, last...)
}

// modelSizes returns the sizes of the games of so many by looking at every list; false if there is none.
func modelSizes(a Arena, n int) (best []int, found bool) {
	sizes, preferred := a.Sizes, a.Preferred
	if sizes == nil {
		sizes, preferred = []int{2}, 2
	}
	var grow func(list []int, left, from int)
	worse := func(list []int) []int {
		liked := 0
		for _, size := range list {
			if size == preferred {
				liked--
			}
		}
		return []int{liked, len(list)}
	}
	grow = func(list []int, left, from int) {
		if left == 0 && (!found || slices.Compare(worse(list), worse(best)) < 0) {
			best, found = slices.Clone(list), true
		}
		for k := from; k >= 0; k-- {
			if sizes[k] <= left {
				grow(append(list, sizes[k]), left-sizes[k], k)
			}
		}
	}
	grow(nil, n, len(sizes)-1)
	return best, found && (a.Boards == nil || len(best) <= *a.Boards)
}

// modelPair pairs by looking at every way.
func modelPair(a Arena, order []string, players map[string]*modelPlayer, idle []Idle) (games [][]string, waits []string) {
	place := func(player string) int { return slices.Index(order, player) }
	waiting := slices.Clone(idle)
	slices.SortFunc(waiting, func(a, b Idle) int { // who goes last waits on first
		return cmp.Or(cmp.Compare(a.Since, b.Since), place(a.Player)-place(b.Player))
	})
	sizes, fit := modelSizes(a, len(waiting))
	for ; !fit; sizes, fit = modelSizes(a, len(waiting)) {
		waits = append(waits, waiting[len(waiting)-1].Player)
		waiting = waiting[:len(waiting)-1]
	}
	var list []string
	for _, i := range waiting {
		list = append(list, i.Player)
	}
	by := func(a, b string) int { return place(a) - place(b) }
	slices.SortFunc(list, by)
	slices.SortFunc(waits, by)
	if len(sizes) == 0 {
		return nil, waits
	}
	games = slices.MinFunc(allSeatings(list, sizes), func(a, b [][]string) int {
		return slices.Compare(cost(a, order, players), cost(b, order, players))
	})
	for k := range games {
		games[k] = slices.Clone(games[k])
		slices.SortFunc(games[k], func(x, y string) int {
			a, b := players[x], players[y]
			wasFirst := func(p *modelPlayer) int { return map[bool]int{true: 1}[lastOf(p.early) > 0] }
			return cmp.Or(a.balance()-b.balance(), wasFirst(a)-wasFirst(b), place(y)-place(x))
		})
	}
	return games, waits
}

// TestAgainstModel compares points, rankings and pairings of random arenas with lists of everything.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, idle := drawArena(t)
		standings, err := a.Rank()
		if err != nil {
			t.Fatal(err)
		}
		players := modelPlayers(a)
		order := modelOrder(players)
		for k, st := range standings {
			want := players[order[k]]
			if st.Player != order[k] || st.Rank != k+1 || int(st.Points) != want.points() || len(st.Sheet) != len(want.worth) {
				t.Fatalf("%d: %+v, want %+v of %v", k, st, want, order)
			}
			for n, points := range st.Sheet {
				if int(points) != want.worth[n] || st.Scores[n].Points != points {
					t.Fatalf("%s: %v, want %v", st.Player, st.Sheet, want.worth)
				}
			}
		}
		drawn, err := a.Pair(standings, idle)
		if err != nil {
			t.Fatal(err)
		}
		games, waits := modelPair(a, order, players, idle)
		if !slices.Equal(drawn.Waits, waits) || !slices.EqualFunc(drawn.Games, games, slices.Equal) {
			t.Fatalf("games %v, %q wait; want %v, %q", drawn.Games, drawn.Waits, games, waits)
		}
	})
}
