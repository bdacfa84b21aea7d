package roundrobin

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"

	"quatuor/tournament"
)

// Varma tables (FIDE Handbook C.05, Annex 2): the numbers of a field are divided into groups; members of a group do not
// meet in the last three rounds. Entries of a club draw their numbers from the same group, the largest club first, so
// that they meet early and no tournament is decided between members of a club.
//
// The tables go from 9 to 24 entries. For other fields, groups with the same property are computed: numbers are taken
// in order into the first group without a member that they meet late. In the table for 11 and 12 a group does not have
// the property (6 and 12 meet in the last round); a club that draws from it gets its other numbers first.

// lastRounds is the number of last rounds without meetings inside a club.
const lastRounds = 3

// varmaTables are the published groups, by the size of the table.
var varmaTables = map[int][][]int{
	10: {{3, 4, 8}, {5, 7, 9}, {1, 6}, {2, 10}},
	12: {{4, 5, 9, 10}, {1, 2, 7}, {6, 8, 12}, {3, 11}},
	14: {{4, 5, 6, 11, 12}, {1, 2, 8, 9}, {7, 10, 13}, {3, 14}},
	16: {{5, 6, 7, 12, 13, 14}, {1, 2, 3, 9, 10}, {8, 11, 15}, {4, 16}},
	18: {{5, 6, 7, 8, 14, 15, 16}, {1, 2, 3, 10, 11, 12}, {9, 13, 17}, {4, 18}},
	20: {{6, 7, 8, 9, 15, 16, 17, 18}, {1, 2, 3, 11, 12, 13, 14}, {5, 10, 19}, {4, 20}},
	22: {{6, 7, 8, 9, 10, 17, 18, 19, 20}, {1, 2, 3, 4, 12, 13, 14, 15}, {11, 16, 21}, {5, 22}},
	24: {{6, 7, 8, 9, 10, 11, 19, 20, 21, 22}, {1, 2, 3, 4, 13, 14, 15, 16, 17}, {12, 18, 23}, {5, 24}},
}

// VarmaGroups returns the groups of numbers for n entries; the number that an odd field lacks is in none.
func VarmaGroups(n int) [][]int {
	groups, published := varmaTables[even(n)]
	if !published {
		groups = disjointGroups(even(n))
	}
	out := make([][]int, 0, len(groups))
	for _, g := range groups {
		g = slices.DeleteFunc(slices.Clone(g), func(number int) bool { return number > n })
		if len(g) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// lastMeetings returns, for every number of a table, the numbers that it meets in the last rounds.
func lastMeetings(size int) []map[int]bool {
	meets := make([]map[int]bool, size+1)
	for i := range meets {
		meets[i] = make(map[int]bool, lastRounds)
	}
	for r := max(1, size-lastRounds); r < size; r++ {
		for _, g := range berger(size, r) {
			meets[g.White][g.Black], meets[g.Black][g.White] = true, true
		}
	}
	return meets
}

// disjointGroups puts each number into the first group without a member that it meets late.
func disjointGroups(size int) [][]int {
	meets := lastMeetings(size)
	var groups [][]int
	for number := 1; number <= size; number++ {
		i := slices.IndexFunc(groups, func(g []int) bool {
			return !slices.ContainsFunc(g, func(other int) bool { return meets[number][other] })
		})
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], number)
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return len(b) - len(a) })
	return groups
}

// drawings returns how often the lots of a field are drawn at most; the drawing with the fewest late meetings
// within a club is used. Large fields are drawn less often, because their groups have room.
func drawings(n int) int { return min(200, max(1, 400_000/(n*n+1))) }

// Varma draws the numbers of a field, by entry id. The drawing depends on the seed alone, not on the order of the
// entries; entries without a club draw last.
func Varma(entries []tournament.Entry, seed string) map[string]int {
	draw := varmaDraw{n: len(entries), clubs: contingents(entries), meets: lastMeetings(even(len(entries)))}
	sum := sha256.Sum256([]byte("varma\x00" + seed))
	draw.rng = rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
	var best map[string]int
	fewest := 0
	for range drawings(len(entries)) {
		numbers, clashes := draw.once()
		if best == nil || clashes < fewest {
			best, fewest = numbers, clashes
		}
		if fewest == 0 {
			break
		}
	}
	return best
}

// contingents returns the ids of the entries club by club, the largest first, equal clubs by name; each entry without a
// club is a club of its own.
func contingents(entries []tournament.Entry) [][]string {
	byClub := make(map[string][]tournament.Entry)
	for _, e := range entries {
		club := strings.ToLower(strings.TrimSpace(e.Club))
		if club == "" {
			club = "\x00" + e.ID
		}
		byClub[club] = append(byClub[club], e)
	}
	names := make([]string, 0, len(byClub))
	for name := range byClub {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		alone := func(name string) int { return strings.Count(name[:1], "\x00") }
		return cmp.Or(len(byClub[b])-len(byClub[a]), alone(a)-alone(b), strings.Compare(a, b))
	})
	out := make([][]string, len(names))
	for i, name := range names {
		members := byClub[name]
		slices.SortFunc(members, func(a, b tournament.Entry) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
		})
		for _, e := range members {
			out[i] = append(out[i], e.ID)
		}
	}
	return out
}

// varmaDraw is a drawing of lots.
type varmaDraw struct {
	n     int
	clubs [][]string
	meets []map[int]bool
	rng   *rand.Rand
}

// once draws all numbers, and returns the number of pairs of the same club that meet late.
func (d *varmaDraw) once() (numbers map[string]int, clashes int) {
	groups := VarmaGroups(d.n)
	for _, g := range groups {
		d.rng.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
	}
	numbers = make(map[string]int, d.n)
	for _, club := range d.clubs {
		var own []int
		for left := len(club); left > 0; {
			i := d.choose(groups, left)
			var taken []int
			taken, groups[i] = d.take(groups[i], left, own)
			own = append(own, taken...)
			left -= len(taken)
		}
		for i, id := range club {
			numbers[id] = own[i]
		}
		clashes += d.clashes(own)
	}
	return numbers, clashes
}

// choose draws a group among those that have enough numbers left; the fullest group if none has.
func (d *varmaDraw) choose(groups [][]int, wanted int) int {
	var fit []int
	fullest := 0
	for i, g := range groups {
		if len(g) >= wanted {
			fit = append(fit, i)
		}
		if len(g) > len(groups[fullest]) {
			fullest = i
		}
	}
	if len(fit) == 0 {
		return fullest
	}
	return fit[d.rng.IntN(len(fit))]
}

// take returns up to wanted numbers of a group, first those that meet none of the club's own numbers late.
func (d *varmaDraw) take(group []int, wanted int, own []int) (taken, rest []int) {
	rest = slices.Clone(group)
	for len(taken) < wanted && len(rest) > 0 {
		i := slices.IndexFunc(rest, func(number int) bool {
			return !slices.ContainsFunc(slices.Concat(own, taken), func(other int) bool { return d.meets[number][other] })
		})
		i = max(i, 0)
		taken = append(taken, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return taken, rest
}

func (d *varmaDraw) clashes(own []int) int {
	n := 0
	for i, a := range own {
		for _, b := range own[:i] {
			if d.meets[a][b] {
				n++
			}
		}
	}
	return n
}
