package keizer

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament/exact"
)

// drawSeason draws a season of up to 9 players.
func drawSeason(t *rapid.T) Input {
	s := Input{Rules: DefaultRules()}
	n := rapid.IntRange(1, 9).Draw(t, "players")
	var numbers []int
	for k := range n {
		numbers = append(numbers, 3*k%n+n*(3*k/n)+1)
	}
	for _, number := range numbers {
		s.Players = append(s.Players, Player{number, 1500 + 50*rapid.IntRange(0, 3).Draw(t, "rating")})
	}
	s.Own = exact.Decimal(rapid.SampledFrom([]int{1_000_000, 0, 500_000, 2_000_000, 250_000}).Draw(t, "own"))
	s.Absences = rapid.IntRange(0, 5).Draw(t, "absences")
	s.Gap = rapid.IntRange(0, 4).Draw(t, "gap")
	s.Meetings = rapid.IntRange(0, 3).Draw(t, "meetings")
	s.Top = rapid.SampledFrom([]int{0, 0, 3, 20}).Draw(t, "top")
	for range rapid.IntRange(0, 8).Draw(t, "rounds") {
		s.Rounds = append(s.Rounds, drawRound(t, rapid.Permutation(numbers).Draw(t, "evening")))
	}
	return s
}

// drawRound draws an evening; players are taken from the list in its order.
func drawRound(t *rapid.T, left []int) Round {
	var r Round
	for len(left) > 0 {
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind >= 5 && len(left) > 1:
			r.Games = append(r.Games, Game{left[0], left[1], rapid.IntRange(0, 2).Draw(t, "result")})
			left = left[1:]
		case kind == 4 && len(left) > 2:
			last := exact.Whole(rapid.IntRange(0, 7).Draw(t, "points"))
			r.Tables = append(r.Tables, Table{left[:3], []exact.Decimal{exact.Whole(2), exact.Whole(1), last}})
			left = left[2:]
		case kind < 4:
			list := []*[]int{&r.Byes, &r.Duty, &r.Forfeit, &r.NoShow}[kind]
			*list = append(*list, left[0])
		}
		left = left[1:]
	}
	return r
}

// model is the regulation taken literally: names and fractions, and everything looked up each time.
type model struct{ Input }

func (m model) value(ranking []int, number int) *big.Rat {
	n := len(m.Players)
	top := n
	if 2*top < 3*(n-1) {
		top = (3*(n-1) + 1) / 2
	}
	if m.Top > 0 {
		top = m.Top
	}
	rank := slices.Index(ranking, number) + 1
	return big.NewRat(int64(top-rank+1), 1)
}

// total returns a player's total and points of games after this number of rounds.
func (m model) total(ranking []int, rounds, me int) (total, scored *big.Rat) {
	own := m.value(ranking, me)
	part := func(a, b int64, of *big.Rat) *big.Rat { return new(big.Rat).Mul(big.NewRat(a, b), of) }
	total, scored = part(int64(m.Own), 1_000_000, own), new(big.Rat)
	missed := 0
	for _, r := range m.Rounds[:rounds] {
		named := slices.Contains(r.NoShow, me)
		for _, g := range r.Games {
			if g.White == me || g.Black == me {
				named = true
				points, other := g.Result, g.Black
				if g.Black == me {
					points, other = 2-g.Result, g.White
				}
				total.Add(total, part(int64(points), 2, m.value(ranking, other)))
				scored.Add(scored, big.NewRat(int64(points), 2))
			}
		}
		for _, table := range r.Tables {
			at := slices.Index(table.Players, me)
			if at < 0 {
				continue
			}
			named = true
			sum, most := new(big.Rat), exact.Decimal(0)
			for k, other := range table.Players {
				most = max(most, table.Points[k])
				if other != me {
					sum.Add(sum, m.value(ranking, other))
				}
			}
			got := big.NewRat(int64(table.Points[at]), int64(most))
			scored.Add(scored, got)
			total.Add(total, new(big.Rat).Mul(part(1, int64(len(table.Players)-1), sum), got))
		}
		if slices.Contains(slices.Concat(r.Byes, r.Duty, r.Forfeit), me) {
			named = true
			total.Add(total, part(2, 3, own))
		}
		if !named {
			missed++
			if missed <= m.Absences {
				total.Add(total, part(1, 3, own))
			}
		}
	}
	return total, scored
}

// before reports whether a is ranked before b by the values of a ranking.
func (m model) before(ranking []int, rounds, a, b int) bool {
	x, xs := m.total(ranking, rounds, a)
	y, ys := m.total(ranking, rounds, b)
	if c := x.Cmp(y); c != 0 {
		return c > 0
	}
	if c := xs.Cmp(ys); c != 0 {
		return c > 0
	}
	if c := m.rating(a) - m.rating(b); c != 0 {
		return c > 0
	}
	return a < b
}

func (m model) rating(number int) int {
	return m.Players[slices.IndexFunc(m.Players, func(p Player) bool { return p.Number == number })].Rating
}

// ranked inserts the players in turn.
func (m model) ranked(ranking []int, rounds int) (out []int) {
	for _, p := range m.Players {
		at := 0
		for at < len(out) && m.before(ranking, rounds, out[at], p.Number) {
			at++
		}
		out = slices.Insert(out, at, p.Number)
	}
	return out
}

func (m model) rank() [][]int {
	everything := Input{Players: m.Players, Rules: Rules{}}
	orders := [][]int{model{everything}.ranked(m.numbers(), 0)}
	for rounds := 1; rounds <= len(m.Rounds); rounds++ {
		trail := []string{}
		by := map[string][]int{}
		for ranking := orders[rounds-1]; ; ranking = m.ranked(ranking, rounds) {
			name := fmt.Sprint(ranking)
			if first := slices.Index(trail, name); first >= 0 {
				var best []int
				for _, other := range trail[first:] {
					if best == nil || slices.Compare(by[other], best) < 0 {
						best = by[other]
					}
				}
				orders = append(orders, best)
				break
			}
			trail = append(trail, name)
			by[name] = ranking
		}
	}
	return orders
}

func (m model) numbers() (out []int) {
	for _, p := range m.Players {
		out = append(out, p.Number)
	}
	return out
}

// may reports whether two may meet.
func (m model) may(a, b, gap, meetings int) bool {
	met, between := 0, 1<<30
	for k, r := range m.Rounds {
		together := slices.ContainsFunc(r.Games, func(g Game) bool {
			return g.White == a && g.Black == b || g.White == b && g.Black == a
		}) || slices.ContainsFunc(r.Tables, func(t Table) bool {
			return slices.Contains(t.Players, a) && slices.Contains(t.Players, b)
		})
		if together {
			met++
			between = len(m.Rounds) - 1 - k
		}
	}
	return met < meetings && between >= gap
}

// pairings returns every way to pair a list, in the order of rule 2.
func (m model) pairings(list []int, gap, meetings int) (all [][][2]int) {
	if len(list) == 0 {
		return [][][2]int{nil}
	}
	for k := 1; k < len(list); k++ {
		if m.may(list[0], list[k], gap, meetings) {
			rest := slices.Concat(list[1:k], list[k+1:])
			for _, others := range m.pairings(rest, gap, meetings) {
				all = append(all, append([][2]int{{list[0], list[k]}}, others...))
			}
		}
	}
	return all
}

// pair returns pairs, the higher-ranked first, and the bye.
func (m model) pair(order, present []int) (pairs [][2]int, bye int) {
	var list []int
	for _, number := range order {
		if slices.Contains(present, number) {
			list = append(list, number)
		}
	}
	if len(list)%2 == 1 {
		for few := 0; bye == 0; few++ {
			for _, number := range slices.Backward(list) {
				had := 0
				for _, r := range m.Rounds {
					if slices.Contains(r.Byes, number) {
						had++
					}
				}
				if had == few && bye == 0 {
					bye = number
				}
			}
		}
		list = slices.DeleteFunc(list, func(number int) bool { return number == bye })
	}
	for gap := m.Gap; gap >= 0; gap-- {
		if all := m.pairings(list, gap, m.Meetings); len(all) > 0 {
			return all[0], bye
		}
	}
	for meetings := m.Meetings + 1; ; meetings++ {
		if all := m.pairings(list, 0, meetings); len(all) > 0 {
			return all[0], bye
		}
	}
}

// white returns which of two has White; a is ranked higher.
func (m model) white(a, b int) int {
	colours := map[int]string{}
	for _, r := range m.Rounds {
		for _, g := range r.Games {
			colours[g.White] = "W" + colours[g.White] // the latest first
			colours[g.Black] = "B" + colours[g.Black]
		}
	}
	count := func(number int) (n int) {
		for _, c := range colours[number] {
			n += map[rune]int{'W': 1, 'B': -1}[c]
		}
		return n
	}
	if count(a) < count(b) {
		return a
	} else if count(b) < count(a) {
		return b
	}
	x, y := colours[a], colours[b]
	for k := 0; k < len(x) && k < len(y); k++ {
		if x[k] == 'W' && y[k] == 'B' {
			return b
		} else if x[k] == 'B' && y[k] == 'W' {
			return a
		}
	}
	switch {
	case x != "" && x[0] == 'W':
		return b
	case x != "" || len(m.Rounds)%2 == 0:
		return a
	}
	return b
}

// TestAgainstModel compares rankings, totals and pairings of random seasons with the regulation, word by word.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeason(t)
		ranking, err := s.Rank()
		if err != nil {
			t.Fatal(err)
		}
		m := model{s}
		orders := m.rank()
		if !slices.EqualFunc(ranking.Orders, orders, slices.Equal[[]int]) {
			t.Fatalf("orders %v, want %v", ranking.Orders, orders)
		}
		order := orders[len(orders)-1]
		for k, st := range ranking.Standings() {
			total, _ := m.total(order, len(s.Rounds), st.Number)
			if want := exact.Ratio(total.Num().Int64(), total.Denom().Int64()); st.Rank != k+1 || st.Total.Cmp(want) != 0 {
				t.Fatalf("standing %d: %+v, want a total of %v", k, st, want)
			}
			sum := st.Own
			for _, line := range st.Lines {
				sum = sum.Add(line.Points)
			}
			if sum.Cmp(st.Total) != 0 {
				t.Fatalf("the lines add up to %v: %+v", sum, st)
			}
		}
		present := slices.DeleteFunc(m.numbers(), func(int) bool { return rapid.IntRange(0, 3).Draw(t, "away") == 0 })
		drawn, err := ranking.Pair(present)
		if err != nil {
			t.Fatal(err)
		}
		pairs, bye := m.pair(order, present)
		if drawn.Bye != bye || len(drawn.Pairs) != len(pairs) {
			t.Fatalf("bye %d, pairs %v; want %d, %v", drawn.Bye, drawn.Pairs, bye, pairs)
		}
		for k, p := range pairs {
			white := m.white(p[0], p[1])
			if got := drawn.Pairs[k]; got.White != white || got.White+got.Black != p[0]+p[1] {
				t.Fatalf("pair %d is %v, want %v with White to %d", k, got, p, white)
			}
		}
	})
}
