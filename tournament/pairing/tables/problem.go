package tables

import (
	"cmp"
	"math"
	"slices"

	"quatuor/tournament"
)

// maxWords bounds the words of a cost.
const maxWords = 8

// words is a packed cost: criteria in order of importance, most important first. Sums compare as the sums of the
// criteria do, lexicographically.
type words [maxWords]int64

// problem is the search for tables: entries are indices 0 … n−1 in the order, those with byes left out.
type problem struct {
	*past
	n       int
	seated  []int // index in the order of each
	sizes   []int // of the tables, descending
	points  []int64
	rank    []int64
	barred  [][]bool
	mets    [][]int32 // met and partners among the seated
	mates   [][]int32
	topM    int // greatest numbers among all present
	topP    int
	rotated bool

	criteria []criterion // in force among the seated, most important first
	nwords   int
	pair     [maxWords][]int64 // cost of a pair at a table, n × n
	lone     [maxWords][]int64 // cost of an entry at a table of another than the preferred size
	mate     [maxWords][]int64 // cost of two partners, n × n
	sideUnit [maxWords]int64   // cost of each squared tenth between the sides
}

// criterion is a number of a cost. Its value for a table is the sum of pair over its pairs, of lone over its entries if
// the size is not the preferred size, and of mate over the partners and side over the sides.
type criterion struct {
	name  string
	level int   // of P and M
	unit  int64 // divides every value
	low   int64 // no round is below
	high  int64 // or above this
	word  int
	scale int64 // of a unit, in its word
	pair  func(i, j int) int64
	lone  func(i int) int64
	mate  func(i, j int) int64
	side  bool
	ban   bool // counts forbidden pairs: not a criterion, but what a search must get to 0 first
}

func newProblem(h *past, seated, sizes []int) (*problem, error) {
	n := len(seated)
	p := &problem{
		past: h, n: n, seated: seated, sizes: sizes, rotated: h.Rotate(), topM: top(h.met),
		topP: top(h.partners),
	}
	p.points, p.rank = make([]int64, n), make([]int64, n)
	p.barred = square[bool](n)
	p.mets = square[int32](n)
	p.mates = square[int32](n)
	for i, a := range seated {
		p.points[i], p.rank[i] = int64(h.entries[a].Points), int64(a)
		for j, b := range seated {
			p.barred[i][j], p.mets[i][j], p.mates[i][j] = h.barred[a][b], h.met[a][b], h.partners[a][b]
		}
	}
	p.list()
	if err := p.pack(); err != nil {
		return nil, err
	}
	p.fill()
	return p, nil
}

// list makes the list of criteria; those that are 0 for all tables are left out.
func (p *problem) list() {
	p.add(criterion{ban: true, pair: func(i, j int) int64 { return truth(p.barred[i][j]) }})
	if p.rotated {
		for m := p.topP; m > 0; m-- {
			p.add(criterion{name: "P", level: m, mate: func(i, j int) int64 { return truth(p.mates[i][j] == int32(m)) }})
		}
	}
	if !p.MeetingsSecond {
		p.meetings()
	}
	if p.Clubs {
		p.add(criterion{name: "K", pair: func(i, j int) int64 {
			club := p.entry(i).Club
			return truth(club != "" && club == p.entry(j).Club)
		}})
	}
	p.add(criterion{name: "O", lone: func(i int) int64 { return int64(p.odd[p.seated[i]]) }})
	p.add(criterion{name: "L", lone: func(i int) int64 { return p.points[i] }})
	p.add(criterion{
		name: "G",
		pair: func(i, j int) int64 { return (p.points[i] - p.points[j]) * (p.points[i] - p.points[j]) },
	})
	if p.MeetingsSecond {
		p.meetings()
	}
	if p.rotated {
		p.add(criterion{name: "W", side: true})
	}
	if p.Unseeded {
		return
	}
	distance := func(i, j int) int64 { return max(p.rank[i]-p.rank[j], p.rank[j]-p.rank[i]) }
	p.add(criterion{name: "F", pair: func(i, j int) int64 { return truth(p.points[i] != p.points[j]) * distance(i, j) }})
	p.add(criterion{name: "D", pair: func(i, j int) int64 { return -truth(p.points[i] == p.points[j]) * distance(i, j) }})
	p.add(criterion{name: "E", pair: func(i, j int) int64 {
		return -truth(p.points[i] == p.points[j]) * distance(i, j) * distance(i, j)
	}})
}

func (p *problem) meetings() {
	for m := p.topM; m > 0; m-- {
		p.add(criterion{name: "M", level: m, pair: func(i, j int) int64 { return truth(p.mets[i][j] == int32(m)) }})
	}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (p *problem) entry(i int) Entry { return p.entries[p.seated[i]] }

// add adds a criterion with its unit and bounds, unless it is 0 for every table.
func (p *problem) add(c criterion) {
	var low, high int64
	see := func(v int64) {
		c.unit = gcd(c.unit, v)
		low, high = min(low, v), max(high, v)
	}
	pairs, odd := p.countPlaces()
	for i := range p.n {
		for j := range i {
			switch {
			case c.pair != nil && (c.ban || !p.barred[i][j]):
				see(c.pair(i, j))
			case c.mate != nil && !p.barred[i][j]:
				see(c.mate(i, j))
			case c.side: // the difference of two sides is a sum of two differences
				d := p.points[i] - p.points[j]
				c.unit = gcd(c.unit, d)
				high = max(high, 4*d*d)
			}
		}
		if c.lone != nil && odd > 0 {
			see(c.lone(i))
		}
	}
	times := pairs
	switch {
	case c.side:
		times = int64(len(p.sizes))
		c.unit *= c.unit
	case c.mate != nil:
		times = 2 * int64(len(p.sizes))
	case c.lone != nil:
		times = odd
	}
	c.low, c.high = low*times, high*times
	if c.unit > 0 {
		p.criteria = append(p.criteria, c)
	}
}

// countPlaces returns the number of pairs at all tables, and of seats at tables of another than the preferred size.
func (p *problem) countPlaces() (pairs, odd int64) {
	for _, s := range p.sizes {
		pairs += int64(s * (s - 1) / 2)
		if s != p.Preferred {
			odd += int64(s)
		}
	}
	return pairs, odd
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// pack shares the criteria out among words.
func (p *problem) pack() error {
	const full = math.MaxInt64 / 4
	first, room := 0, int64(1)
	word := 0
	closeWord := func(end int) { // the last criterion of a word has scale 1
		scale := int64(1)
		for k := end - 1; k >= first; k-- {
			c := &p.criteria[k]
			c.word, c.scale = word, scale
			scale *= (c.high-c.low)/c.unit + 1
		}
		first, room = end, 1
		word++
	}
	for k, c := range p.criteria {
		radix := (c.high-c.low)/c.unit + 1
		if room > full/radix {
			closeWord(k)
		}
		room *= radix
	}
	closeWord(len(p.criteria))
	p.nwords = word
	if word > maxWords {
		return tournament.NotValid("the earlier rounds have too many different numbers of meetings to be compared")
	}
	return nil
}

// fill computes the packed costs of pairs and entries.
func (p *problem) fill() {
	for w := range p.nwords {
		p.pair[w], p.mate[w], p.lone[w] = make([]int64, p.n*p.n), make([]int64, p.n*p.n), make([]int64, p.n)
	}
	for _, c := range p.criteria {
		factor := c.scale
		if c.side {
			p.sideUnit[c.word] = factor // of a unit: see sideCost
		}
		for i := range p.n {
			if c.lone != nil {
				p.lone[c.word][i] += c.lone(i) / c.unit * factor
			}
			for j := range p.n {
				if c.pair != nil && i != j && (c.ban || !p.barred[i][j]) {
					p.pair[c.word][i*p.n+j] += c.pair(i, j) / c.unit * factor
				}
				if c.mate != nil && i != j && !p.barred[i][j] {
					p.mate[c.word][i*p.n+j] += c.mate(i, j) / c.unit * factor
				}
			}
		}
	}
}

// ways are the three ways to make two sides of four.
var ways = [3][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}}

// cost returns the packed cost of a table.
func (p *problem) cost(t []int) words {
	var sum words
	for w := range p.nwords {
		pair := p.pair[w]
		var s int64
		for a := 1; a < len(t); a++ {
			row := pair[t[a]*p.n : t[a]*p.n+p.n]
			for b := range a {
				s += row[t[b]]
			}
		}
		if len(t) != p.Preferred {
			for _, i := range t {
				s += p.lone[w][i]
			}
		}
		sum[w] = s
	}
	if p.rotated {
		_, side := p.bestWay(t)
		for w := range p.nwords {
			sum[w] += side[w]
		}
	}
	return sum
}

// bestWay returns the best way to make sides of a table of four in ascending order, and its cost: least P, then least
// W, then the earliest partner of the first.
func (p *problem) bestWay(t []int) (way [4]int, cost words) {
	for k, seats := range ways {
		a, b, c, d := t[seats[0]], t[seats[1]], t[seats[2]], t[seats[3]]
		var sum words
		for w := range p.nwords {
			sum[w] = p.mate[w][a*p.n+b] + p.mate[w][c*p.n+d]
			if p.sideUnit[w] != 0 {
				diff := p.points[a] + p.points[b] - p.points[c] - p.points[d]
				sum[w] += diff * diff / p.sideOf().unit * p.sideUnit[w]
			}
		}
		if k == 0 || p.less(sum, cost) {
			way, cost = [4]int{a, b, c, d}, sum
		}
	}
	return way, cost
}

// sideOf returns the criterion W.
func (p *problem) sideOf() criterion {
	k := slices.IndexFunc(p.criteria, func(c criterion) bool { return c.side })
	return p.criteria[k]
}

// less reports whether cost a is less than b.
func (p *problem) less(a, b words) bool {
	for w := range p.nwords {
		if a[w] != b[w] {
			return a[w] < b[w]
		}
	}
	return false
}

func (p *problem) plus(a, b words) words {
	for w := range p.nwords {
		a[w] += b[w]
	}
	return a
}

func (p *problem) minus(a, b words) words {
	for w := range p.nwords {
		a[w] -= b[w]
	}
	return a
}

// value returns the value of a criterion for a table in ascending order.
func (p *problem) value(c criterion, t []int) int64 {
	var sum int64
	if c.pair != nil {
		for a := range t {
			for b := range a {
				sum += c.pair(t[a], t[b])
			}
		}
	}
	if c.lone != nil && len(t) != p.Preferred {
		for _, i := range t {
			sum += c.lone(i)
		}
	}
	if c.mate != nil || c.side {
		way, _ := p.bestWay(t)
		if c.mate != nil {
			sum += c.mate(way[0], way[1]) + c.mate(way[2], way[3])
		} else {
			diff := p.points[way[0]] + p.points[way[1]] - p.points[way[2]] - p.points[way[3]]
			sum += diff * diff
		}
	}
	return sum
}

// costOf returns the cost of a round.
func (p *problem) costOf(tables [][]int) Cost {
	cost := Cost{P: []int64{}, M: make([]int64, p.topM)}
	if p.rotated {
		cost.P = make([]int64, p.topP)
	}
	plain := map[string]*int64{
		"K": &cost.K, "O": &cost.O, "L": &cost.L, "G": &cost.G, "W": &cost.W, "F": &cost.F, "D": &cost.D, "E": &cost.E,
	}
	for _, c := range p.criteria {
		sum := p.total(c, tables)
		switch c.name {
		case "":
		case "P":
			cost.P[p.topP-c.level] = sum
		case "M":
			cost.M[p.topM-c.level] = sum
		default:
			*plain[c.name] = sum
		}
	}
	return cost
}

// total returns the value of a criterion for a round.
func (p *problem) total(c criterion, tables [][]int) int64 {
	var sum int64
	for _, t := range tables {
		sum += p.value(c, slices.Sorted(slices.Values(t)))
	}
	return sum
}

// numbers returns the pairing numbers of a table.
func (p *problem) numbers(t []int) []int {
	out := make([]int, len(t))
	for k, i := range t {
		out[k] = p.entry(i).Number
	}
	return out
}

// byes returns the numbers of the entries present but not seated, ascending.
func (p *problem) byes() []int {
	out := []int{}
	for i, e := range p.entries {
		if !slices.Contains(p.seated, i) {
			out = append(out, e.Number)
		}
	}
	slices.Sort(out)
	return out
}

// number sorts tables by the highest points, then their sum, then the first in the order.
func (p *problem) number(tables [][]int) {
	key := func(t []int) (most, sum, first int64) {
		most, first = math.MinInt64, math.MaxInt64
		for _, i := range t {
			most, sum, first = max(most, p.points[i]), sum+p.points[i], min(first, int64(i))
		}
		return most, sum, first
	}
	slices.SortFunc(tables, func(a, b []int) int {
		ma, sa, fa := key(a)
		mb, sb, fb := key(b)
		return cmp.Or(cmp.Compare(mb, ma), cmp.Compare(sb, sa), cmp.Compare(fa, fb))
	})
}
