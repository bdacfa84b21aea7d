package arena

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawArena draws an evening of games of two, some berserk, some forfeited.
func drawArena(t *rapid.T) (Arena, []Idle) {
	a := Arena{Rules: DefaultRules()}
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	a.Players = rapid.Permutation(names).Draw(t, "players")[:rapid.IntRange(2, len(names)).Draw(t, "n")]
	at := int64(0)
	for range rapid.IntRange(0, 25).Draw(t, "games") {
		at += int64(rapid.IntRange(0, 3).Draw(t, "pause"))
		two := rapid.Permutation(a.Players).Draw(t, "two")
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

// modelPlayer is what the evening was for a player, as lists.
type modelPlayer struct {
	name      string
	worth     []int  // of each game, in points
	wins      []bool // of each game that is not void for the streak
	gain      int64
	opponents []string
	firsts    []bool
}

func modelPlayers(a Arena) map[string]*modelPlayer {
	players := map[string]*modelPlayer{}
	for _, name := range a.Players {
		players[name] = &modelPlayer{name: name}
	}
	for _, g := range a.Games {
		for k, name := range []string{g.First, g.Second} {
			halves := []int{g.Result, 2 - g.Result}[k]
			players[name].play(g, halves, []string{g.Second, g.First}[k], k == 0)
		}
	}
	return players
}

func (p *modelPlayer) play(g Game, halves int, opponent string, first bool) {
	forfeited := g.Moves != nil && *g.Moves == 0 && g.Result != 1
	points := halves // 2, 1, 0
	n := len(p.wins)
	if !forfeited && n >= 2 && p.wins[n-1] && p.wins[n-2] {
		points *= 2
	}
	enough := g.Moves == nil || *g.Moves >= 5
	if !forfeited && halves == 2 && slices.Contains(g.Berserk, p.name) && enough {
		points++
	}
	if !forfeited || halves == 0 {
		p.wins = append(p.wins, halves == 2)
	}
	if points > 0 {
		p.gain = g.At
	}
	p.worth = append(p.worth, points)
	p.opponents = append(p.opponents, opponent)
	p.firsts = append(p.firsts, first)
}

func (p *modelPlayer) points() (sum int) {
	for _, w := range p.worth {
		sum += w
	}
	return sum
}

func (p *modelPlayer) balance() (n int) {
	for _, first := range p.firsts {
		n += map[bool]int{true: 1, false: -1}[first]
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

// allPairings returns every way to pair a list.
func allPairings(list []string) (all [][][2]string) {
	if len(list) == 0 {
		return [][][2]string{nil}
	}
	for k := 1; k < len(list); k++ {
		for _, rest := range allPairings(slices.Concat(list[1:k], list[k+1:])) {
			all = append(all, append([][2]string{{list[0], list[k]}}, rest...))
		}
	}
	return all
}

// cost returns the criteria of a pairing, one after the other.
func cost(pairing [][2]string, order []string, players map[string]*modelPlayer) []int {
	again, squares := 0, 0
	opponent := map[string]int{}
	for _, p := range pairing {
		a, b := slices.Index(order, p[0]), slices.Index(order, p[1])
		opponent[p[0]], opponent[p[1]] = b, a
		squares += (a - b) * (a - b)
		if lastOf(players[p[0]].opponents) == p[1] || lastOf(players[p[1]].opponents) == p[0] {
			again++
		}
	}
	if len(players) <= 3 {
		again = 0
	}
	out := []int{again, squares}
	for _, player := range order {
		if b, ok := opponent[player]; ok {
			out = append(out, b)
		}
	}
	return out
}

// modelPair pairs by looking at every pairing.
func modelPair(order []string, players map[string]*modelPlayer, idle []Idle) (pairs [][2]string, waits string) {
	waiting := slices.Clone(idle)
	slices.SortFunc(waiting, func(a, b Idle) int {
		return slices.Index(order, a.Player) - slices.Index(order, b.Player)
	})
	if len(waiting)%2 == 1 {
		least := waiting[0]
		for _, i := range waiting {
			if i.Since >= least.Since {
				least = i
			}
		}
		waits = least.Player
		waiting = slices.DeleteFunc(waiting, func(i Idle) bool { return i == least })
	}
	var list []string
	for _, i := range waiting {
		list = append(list, i.Player)
	}
	pairs = slices.MinFunc(allPairings(list), func(a, b [][2]string) int {
		return slices.Compare(cost(a, order, players), cost(b, order, players))
	})
	for k, pair := range pairs {
		a, b := players[pair[0]], players[pair[1]]
		higherFirst := a.balance() < b.balance()
		if a.balance() == b.balance() {
			higherFirst = !lastOf(a.firsts) && lastOf(b.firsts)
		}
		if !higherFirst {
			pairs[k] = [2]string{pair[1], pair[0]}
		}
	}
	return pairs, waits
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
			if st.Player != order[k] || st.Rank != k+1 || int(st.Points) != 10*want.points() || len(st.Sheet) != len(want.worth) {
				t.Fatalf("%d: %+v, want %+v of %v", k, st, want, order)
			}
			for n, points := range st.Sheet {
				if int(points) != 10*want.worth[n] || st.Scores[n].Points != points {
					t.Fatalf("%s: %v, want %v", st.Player, st.Sheet, want.worth)
				}
			}
		}
		drawn, err := Pair(standings, idle)
		if err != nil {
			t.Fatal(err)
		}
		if pairs, waits := modelPair(order, players, idle); drawn.Waits != waits || !slices.Equal(drawn.Pairs, pairs) {
			t.Fatalf("pairs %v, %q waits; want %v, %q", drawn.Pairs, drawn.Waits, pairs, waits)
		}
	})
}
