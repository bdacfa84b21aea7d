package tables_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"quatuor/tournament/pairing/tables"
)

var (
	simulated = flag.Int("simulated", map[bool]int{false: 25, true: 500}[os.Getenv("QUATUOR_LONG") != ""],
		"rounds of simulated tournaments that TestSimulatedTournaments draws")
	seed  = flag.Uint64("seed", 1, "of the simulated tournaments")
	field = flag.Int("field", 0, "entries of each simulated tournament; 0 for 24 to 42")
)

// simulation is a tournament of entries with a strength, which their results follow more or less.
type simulation struct {
	name     string
	dice     *rand.Rand
	field    tables.Field
	strength []float64
}

// simulationOf returns the k-th tournament of a kind that is the k-th, too: kinds and sizes take turns.
func simulationOf(k int, seed uint64, entries int) *simulation {
	s := &simulation{dice: rand.New(rand.NewPCG(seed, uint64(k)))}
	kinds := []struct {
		name  string
		rules tables.Rules
	}{
		{"meetings first, of 3 to 5", tables.Rules{Sizes: []int{3, 4, 5}, Preferred: 4}},
		{"scores first, of 3 to 5", tables.Rules{Sizes: []int{3, 4, 5}, Preferred: 4, MeetingsSecond: true}},
		{"partners change", tables.Rules{Sizes: []int{4}, Preferred: 4, Sides: [][]int{{1, 3}, {2, 4}}}},
		{"clubs apart, of 3 to 5", tables.Rules{Sizes: []int{3, 4, 5}, Preferred: 4, Clubs: true}},
		{"meetings first, threes", tables.Rules{Sizes: []int{3}, Preferred: 3}},
		{"meetings first, mostly fives", tables.Rules{Sizes: []int{3, 4, 5}, Preferred: 5}},
		{"scores first, threes and fours", tables.Rules{Sizes: []int{3, 4}, Preferred: 3, MeetingsSecond: true}},
		{"meetings first, fours", tables.Rules{Sizes: []int{4}, Preferred: 4}},
		{"scores first, mostly fives", tables.Rules{Sizes: []int{3, 4, 5}, Preferred: 5, MeetingsSecond: true}},
		{"scores first, clubs apart", tables.Rules{Sizes: []int{3, 4, 5}, Preferred: 4, MeetingsSecond: true, Clubs: true}},
	}
	kind := kinds[k%len(kinds)]
	s.name, s.field.Rules = kind.name, kind.rules
	n := entries
	if n == 0 {
		n = 24 + s.dice.IntN(19)
	}
	for i := range n {
		e := tables.Entry{Number: i + 1}
		if kind.rules.Clubs {
			e.Club = string(rune('A' + s.dice.IntN(8)))
		}
		s.field.Entries = append(s.field.Entries, e)
		s.strength = append(s.strength, float64(n-i)/float64(n)*1.5) // by the starting list
	}
	return s
}

// play draws a round, and has it played.
func (s *simulation) play() (tables.Round, time.Duration, error) {
	start := time.Now()
	r, err := tables.Draw(s.field)
	took := time.Since(start)
	if err != nil {
		return r, took, err
	}
	s.field.Rounds = append(s.field.Rounds, tables.Past{Tables: r.Tables, Byes: r.Byes})
	for _, n := range r.Byes {
		s.field.Entries[n-1].Points += 5 * (s.field.Preferred - 1)
	}
	for _, t := range r.Tables {
		form := make(map[int]float64, len(t))
		for _, n := range t {
			form[n] = s.strength[n-1] + s.dice.NormFloat64()
		}
		if s.field.Rotate() {
			if side := s.field.Sides[truth(form[t[0]]+form[t[2]] < form[t[1]]+form[t[3]])]; true {
				s.field.Entries[t[side[0]-1]-1].Points += 10
				s.field.Entries[t[side[1]-1]-1].Points += 10
			}
			continue
		}
		ranked := slices.SortedFunc(slices.Values(t), func(a, b int) int { return cmp.Compare(form[b], form[a]) })
		for rank, n := range ranked {
			s.field.Entries[n-1].Points += 10 * (len(t) - 1 - rank)
		}
	}
	return r, took, nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// provedTo reports whether all criteria to G are proved, those that count before it and, in force, P, M, K, O and L.
func provedTo(c tables.Certificate, second bool) bool {
	order := []string{"P", "M", "K", "O", "L", "G"}
	if second {
		order = []string{"P", "K", "O", "L", "G", "M"}
	}
	return !slices.Contains(order, c.Criterion)
}

// TestSimulatedTournaments draws the five rounds of a tournament of each kind, of 24 to 42 entries, and at least nine
// in ten are proved from P to G (and M, where scores count first). It prints what is proved, the gaps and the times:
//
//	go test -run TestSimulatedTournaments -v ./tournament/pairing/tables [-args -simulated 1000 -seed 2]
func TestSimulatedTournaments(t *testing.T) {
	if testing.Short() {
		t.Skip("draws fifty rounds, most of which take a tenth of a second")
	}
	proved, optimal := 0, 0
	var times []time.Duration
	criteria := map[string]int{}
	for k, all := 0, 0; all < *simulated; k++ {
		s := simulationOf(k, *seed, *field)
		for round := 1; round <= 5 && all < *simulated; round++ {
			all++
			r, took, err := s.play()
			if err != nil {
				t.Fatalf("%s, %d entries, round %d: %v", s.name, len(s.field.Entries), round, err)
			}
			times = append(times, took)
			c := r.Certificate
			criteria[c.Criterion]++
			if c.Optimal() {
				optimal++
			}
			if provedTo(c, s.field.MeetingsSecond) {
				proved++
				continue
			}
			t.Logf("%s, %d entries, round %d: %s is %v, at least %v (%d ms)", s.name, len(s.field.Entries), round, c.Criterion,
				c.Value, c.Bound, took.Milliseconds())
		}
	}
	slices.Sort(times)
	t.Logf("%d of %d rounds proved from P to G, %d in all criteria; first not proved: %s", proved, len(times), optimal,
		fmt.Sprint(criteria))
	t.Logf("median %d ms, 90 of 100 within %d ms, longest %d ms", times[len(times)/2].Milliseconds(),
		times[len(times)*9/10].Milliseconds(),
		times[len(times)-1].Milliseconds())
	if *field == 0 && 10*proved < 9*len(times) {
		t.Errorf("%d of %d rounds are proved from P to G, want nine in ten", proved, len(times))
	}
}
