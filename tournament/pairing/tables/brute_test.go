package tables_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing/tables"
)

// The referee below is a second, slow account of the regulation, written without a look at the first: it looks at every
// set of byes, every list of sizes, every way to seat and every order of seats.

// fields returns random fields of up to most entries with earlier rounds drawn at random.
func fields(most int) *rapid.Generator[tables.Field] {
	return rapid.Custom(func(t *rapid.T) tables.Field {
		f := tables.Field{Rules: randomRules(t)}
		all := rapid.SampledFrom(upTo(most)[2:]).Draw(t, "all")
		clubs := []string{"", "A", "B"}
		levels := rapid.IntRange(1, 4).Draw(t, "levels")
		for n := 1; n <= all; n++ {
			if all > 3 && rapid.IntRange(0, 9).Draw(t, "away") == 0 {
				continue
			}
			f.Entries = append(f.Entries, tables.Entry{
				Number: n, Points: 5 * rapid.IntRange(0, levels).Draw(t, "points"), Club: rapid.SampledFrom(clubs).Draw(t, "club"),
			})
		}
		for range rapid.IntRange(0, 4).Draw(t, "rounds") {
			f.Rounds = append(f.Rounds, randomRound(t, f.Rules, all))
		}
		for range rapid.IntRange(0, 3).Draw(t, "forbidden") {
			a, b := rapid.IntRange(1, all).Draw(t, "a"), rapid.IntRange(1, all).Draw(t, "b")
			if a != b {
				f.Forbidden = append(f.Forbidden, [2]int{a, b})
			}
		}
		return f
	})
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

func randomRules(t *rapid.T) tables.Rules {
	r := tables.Rules{
		MeetingsSecond: rapid.Bool().Draw(t, "second"), Clubs: rapid.Bool().Draw(t, "clubs"), Unseeded: rapid.Bool().
				Draw(t, "unseeded"),
	}
	if rapid.IntRange(0, 3).Draw(t, "rotate") == 0 {
		r.Sizes = []int{4}
		r.Preferred = 4
		r.Sides = [][]int{{1, 3}, {2, 4}}
		return r
	}
	r.Sizes = rapid.SampledFrom([][]int{{3}, {4}, {5}, {3, 4}, {3, 5}, {4, 5}, {3, 4, 5}, {3, 4, 5}}).Draw(t, "sizes")
	r.Preferred = rapid.SampledFrom(r.Sizes).Draw(t, "preferred")
	return r
}

func randomRound(t *rapid.T, r tables.Rules, all int) tables.Past {
	var past tables.Past
	numbers := rapid.Permutation(upTo(all)).Draw(t, "seats")
	for {
		size := rapid.SampledFrom(r.Sizes).Draw(t, "size")
		if size > len(numbers) {
			past.Byes = numbers[:min(len(numbers), 2)]
			return past
		}
		past.Tables = append(past.Tables, numbers[:size])
		numbers = numbers[size:]
	}
}

func TestAgainstBruteForce(t *testing.T) {
	for range 20 { // rapid draws 100 fields at a time, few of them large
		rapid.Check(t, againstReferee)
	}
}

func againstReferee(t *rapid.T) {
	f := fields(9).Draw(t, "field")
	got, err := tables.Draw(f)
	want, ok := newReferee(f).draw()
	if !ok {
		if !errors.Is(err, tournament.ErrUnpairable) {
			t.Fatalf("drawn %v, %v; the round cannot be drawn", got, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("drawn\n%+v, want\n%+v", got, want)
	}
}

// referee draws by looking at everything.
type referee struct {
	tables.Field
	order []tables.Entry // as section 1 has it
	place map[int]int
	entry map[int]tables.Entry
}

func newReferee(f tables.Field) *referee {
	r := &referee{Field: f, order: slices.Clone(f.Entries), place: map[int]int{}, entry: map[int]tables.Entry{}}
	slices.SortStableFunc(r.order, func(a, b tables.Entry) int { return b.Points - a.Points })
	for i, e := range r.order {
		r.place[e.Number], r.entry[e.Number] = i, e
	}
	return r
}

// count returns the sum of a function over the tables of all earlier rounds.
func (r *referee) count(each func(table []int) int) int {
	n := 0
	for _, past := range r.Rounds {
		for _, t := range past.Tables {
			n += each(t)
		}
	}
	return n
}

func (r *referee) met(a, b int) int {
	return r.count(func(t []int) int {
		if slices.Contains(t, a) && slices.Contains(t, b) {
			return 1
		}
		return 0
	})
}

func (r *referee) partners(a, b int) int {
	return r.count(func(t []int) int {
		for _, side := range r.Sides {
			x, y := t[side[0]-1], t[side[1]-1]
			if x == a && y == b || x == b && y == a {
				return 1
			}
		}
		return 0
	})
}

func (r *referee) byesOf(n int) int {
	count := 0
	for _, past := range r.Rounds {
		if slices.Contains(past.Byes, n) {
			count++
		}
	}
	return count
}

func (r *referee) mayMeet(table []int) bool {
	for _, pair := range r.Forbidden {
		if slices.Contains(table, pair[0]) && slices.Contains(table, pair[1]) {
			return false
		}
	}
	return true
}

// sizeLists returns all descending lists of allowed sizes with the sum n in their order.
func (r *referee) sizeLists(n, most int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var out [][]int
	for _, s := range r.Sizes {
		if s <= n && s <= most {
			for _, rest := range r.sizeLists(n-s, s) {
				out = append(out, append([]int{s}, rest...))
			}
		}
	}
	preferred := func(list []int) int {
		count := 0
		for _, s := range list {
			if s == r.Preferred {
				count++
			}
		}
		return count
	}
	slices.SortStableFunc(out, func(a, b []int) int {
		if d := preferred(b) - preferred(a); d != 0 {
			return d
		}
		return len(a) - len(b)
	})
	return out
}

// seatings returns all ways to seat these at tables of these sizes.
func (r *referee) seatings(who, sizes []int, found func([][]int)) {
	var tables [][]int
	var walk func(k int)
	room := slices.Clone(sizes)
	tables = make([][]int, len(sizes))
	walk = func(k int) {
		if k == len(who) {
			found(tables)
			return
		}
		for t := range tables {
			if len(tables[t]) == room[t] {
				continue
			}
			if len(tables[t]) == 0 && t > 0 && len(tables[t-1]) == 0 && room[t-1] == room[t] {
				continue // the same with tables named otherwise
			}
			tables[t] = append(tables[t], who[k])
			if r.mayMeet(tables[t]) {
				walk(k + 1)
			}
			tables[t] = tables[t][:len(tables[t])-1]
		}
	}
	walk(0)
}

func (r *referee) draw() (tables.Round, bool) {
	present := len(r.order)
	for b := 0; b < present; b++ {
		lists := r.sizeLists(present-b, 5)
		if len(lists) == 0 {
			continue
		}
		for _, list := range lists {
			if round, ok := r.withByes(b, list); ok {
				return round, true
			}
		}
		return tables.Round{}, false
	}
	return tables.Round{}, false
}

// withByes returns the best round with these sizes and b byes.
func (r *referee) withByes(b int, list []int) (tables.Round, bool) {
	var sets [][]int
	for mask := range 1 << len(r.order) {
		var set []int
		for i, e := range r.order {
			if mask>>i&1 == 1 {
				set = append(set, e.Number)
			}
		}
		if len(set) == b {
			sets = append(sets, set)
		}
	}
	descending := func(set []int, value func(n int) int) []int {
		var out []int
		for _, n := range set {
			out = append(out, value(n))
		}
		slices.Sort(out)
		slices.Reverse(out)
		return out
	}
	slices.SortFunc(sets, func(x, y []int) int {
		if d := slices.Compare(descending(x, r.byesOf), descending(y, r.byesOf)); d != 0 {
			return d
		}
		points := func(n int) int { return r.entry[n].Points }
		if d := slices.Compare(descending(x, points), descending(y, points)); d != 0 {
			return d
		}
		place := func(n int) int { return r.place[n] }
		return slices.Compare(descending(y, place), descending(x, place))
	})
	for _, set := range sets {
		var who []int
		for _, e := range r.order {
			if !slices.Contains(set, e.Number) {
				who = append(who, e.Number)
			}
		}
		var best [][]int
		var bestCost []int64
		r.seatings(who, list, func(seating [][]int) {
			if cost := r.vector(seating, who); best == nil || slices.Compare(cost, bestCost) < 0 {
				best, bestCost = nil, cost
				for _, t := range seating {
					best = append(best, slices.Clone(t))
				}
			}
		})
		if best != nil {
			return r.finish(set, best), true
		}
	}
	return tables.Round{}, false
}

// top returns the greatest count of a pair of those present.
func (r *referee) top(count func(a, b int) int) int {
	most := 0
	for _, a := range r.order {
		for _, b := range r.order {
			if a.Number != b.Number {
				most = max(most, count(a.Number, b.Number))
			}
		}
	}
	return most
}

// sides returns the partners at a table: the best of three ways.
func (r *referee) sides(table []int) (pairs [2][2]int, vector []int64, gap int64) {
	t := slices.Clone(table)
	slices.SortFunc(t, func(a, b int) int { return r.place[a] - r.place[b] })
	for k, way := range [][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}} {
		p := [2][2]int{{t[way[0]], t[way[1]]}, {t[way[2]], t[way[3]]}}
		var v []int64
		for m := r.top(r.partners); m > 0; m-- {
			n := int64(0)
			for _, side := range p {
				if r.partners(side[0], side[1]) == m {
					n++
				}
			}
			v = append(v, n)
		}
		diff := 0
		for s, sign := range []int{1, -1} {
			diff += sign * (r.entry[p[s][0]].Points + r.entry[p[s][1]].Points)
		}
		g := int64(diff) * int64(diff)
		if k == 0 || slices.Compare(append(slices.Clone(v), g), append(slices.Clone(vector), gap)) < 0 {
			pairs, vector, gap = p, v, g
		}
	}
	return pairs, vector, gap
}

// cost returns the cost of a seating.
func (r *referee) cost(seating [][]int) tables.Cost {
	c := tables.Cost{P: []int64{}, M: make([]int64, r.top(r.met))}
	if len(r.Sides) > 0 {
		c.P = make([]int64, r.top(r.partners))
	}
	for _, t := range seating {
		if len(r.Sides) > 0 {
			_, v, gap := r.sides(t)
			for k := range v {
				c.P[k] += v[k]
			}
			c.W += gap
		}
		if len(t) != r.Preferred {
			for _, n := range t {
				c.L += int64(r.entry[n].Points)
				c.O += int64(r.count(func(past []int) int {
					if slices.Contains(past, n) && len(past) != r.Preferred {
						return 1
					}
					return 0
				}))
			}
		}
		for k, a := range t {
			for _, b := range t[:k] {
				r.addPair(&c, a, b)
			}
		}
	}
	return c
}

func (r *referee) addPair(c *tables.Cost, a, b int) {
	if m := r.met(a, b); m > 0 {
		c.M[len(c.M)-m]++
	}
	if r.Clubs && r.entry[a].Club != "" && r.entry[a].Club == r.entry[b].Club {
		c.K++
	}
	points := int64(r.entry[a].Points - r.entry[b].Points)
	c.G += points * points
	distance := int64(r.place[a] - r.place[b])
	distance = max(distance, -distance)
	switch {
	case r.Unseeded:
	case points != 0:
		c.F += distance
	default:
		c.D -= distance
		c.E -= distance * distance
	}
}

// vector returns the cost as a single vector, with T at its end.
func (r *referee) vector(seating [][]int, who []int) []int64 {
	c := r.cost(seating)
	v := slices.Clone(c.P)
	if !r.MeetingsSecond {
		v = append(v, c.M...)
	}
	v = append(v, c.K, c.O, c.L, c.G)
	if r.MeetingsSecond {
		v = append(v, c.M...)
	}
	v = append(v, c.W, c.F, c.D, c.E)
	named := map[int]int64{}
	for _, n := range who {
		for t, table := range seating {
			if slices.Contains(table, n) {
				if named[t] == 0 {
					named[t] = int64(len(named) + 1)
				}
				v = append(v, named[t])
			}
		}
	}
	return v
}

// finish seats the tables and numbers them.
func (r *referee) finish(byes []int, seating [][]int) tables.Round {
	round := tables.Round{Byes: append([]int{}, byes...), Cost: r.cost(seating)}
	slices.Sort(round.Byes)
	for _, t := range seating {
		round.Tables = append(round.Tables, r.seat(t))
	}
	key := func(t []int) []int {
		most, sum, first := -1<<40, 0, 1<<40
		for _, n := range t {
			most, sum, first = max(most, r.entry[n].Points), sum+r.entry[n].Points, min(first, r.place[n])
		}
		return []int{-most, -sum, first}
	}
	slices.SortFunc(round.Tables, func(a, b []int) int { return slices.Compare(key(a), key(b)) })
	return round
}

// seat returns the best order of seats.
func (r *referee) seat(table []int) []int {
	var best, bestKey []int
	var walk func(order, rest []int)
	walk = func(order, rest []int) {
		if len(rest) > 0 {
			for k := range rest {
				walk(append(slices.Clone(order), rest[k]), slices.Delete(slices.Clone(rest), k, k+1))
			}
			return
		}
		if len(r.Sides) > 0 {
			pairs, _, _ := r.sides(table)
			for _, side := range r.Sides {
				a, b := order[side[0]-1], order[side[1]-1]
				for _, p := range pairs {
					if slices.Contains(p[:], a) != slices.Contains(p[:], b) {
						return
					}
				}
			}
		}
		key := []int{0, 0}
		for k, n := range order {
			next := order[(k+1)%len(order)]
			key[0] += r.count(func(past []int) int {
				if k < len(past) && past[k] == n {
					return 1
				}
				return 0
			})
			key[1] += r.count(func(past []int) int {
				for at, x := range past {
					if x == n && past[(at+1)%len(past)] == next {
						return 1
					}
				}
				return 0
			})
		}
		for _, n := range order {
			key = append(key, -r.place[n])
		}
		if best == nil || slices.Compare(key, bestKey) < 0 {
			best, bestKey = order, key
		}
	}
	walk(nil, table)
	return best
}
