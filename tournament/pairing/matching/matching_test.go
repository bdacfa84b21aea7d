package matching

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sample is a small graph with costs, and all its perfect matchings.
type sample struct {
	n, words int
	edges    Graph
	class    []int32
	costs    *Costs
	all      [][]int // mates
}

func drawSample(t *rapid.T) *sample {
	n := rapid.IntRange(1, 5).Draw(t, "pairs") * 2
	s := &sample{n: n, words: rapid.IntRange(0, 3).Draw(t, "words"), edges: NewGraph(n)}
	classes := rapid.IntRange(1, n).Draw(t, "classes")
	s.costs = NewCosts(classes, s.words)
	most := rapid.SampledFrom([]int64{1, 2, 5, 40}).Draw(t, "most")
	for a := range classes {
		for b := range a + 1 {
			vector := make([]int64, s.words)
			for i := range vector {
				vector[i] = rapid.Int64Range(-most/3, most).Draw(t, "cost")
			}
			s.costs.Set(a, b, vector)
		}
	}
	dense := rapid.IntRange(2, 10).Draw(t, "density")
	for u := range n {
		s.class = append(s.class, int32(rapid.IntRange(0, classes-1).Draw(t, "class")))
		for v := range u {
			if rapid.IntRange(1, 10).Draw(t, "edge") <= dense {
				s.edges.Join(u, v)
			}
		}
	}
	s.enumerate(make([]int, n), 0)
	return s
}

// enumerate lists all perfect matchings; mates hold partner+1 for the vertices matched so far.
func (s *sample) enumerate(mates []int, from int) {
	for from < s.n && mates[from] != 0 {
		from++
	}
	if from == s.n {
		out := make([]int, s.n)
		for u, v := range mates {
			out[u] = v - 1
		}
		s.all = append(s.all, out)
		return
	}
	for v := range s.edges[from].All() {
		if v > from && mates[v] == 0 {
			mates[from], mates[v] = v+1, from+1
			s.enumerate(mates, from+1)
			mates[from], mates[v] = 0, 0
		}
	}
}

func (s *sample) cost(mates []int) []int64 {
	sum := make([]int64, s.words)
	for u, v := range mates {
		if u < v {
			for i := range sum {
				sum[i] += s.costs.at(int(s.class[u]), int(s.class[v]))[i] / 2
			}
		}
	}
	return sum
}

// best keeps the matchings of least cost.
func (s *sample) best() (least []int64) {
	for i, mates := range s.all {
		if c := s.cost(mates); i == 0 || slices.Compare(c, least) < 0 {
			least = c
		}
	}
	s.keep(func(mates []int) bool { return slices.Equal(s.cost(mates), least) })
	return least
}

func (s *sample) keep(want func(mates []int) bool) {
	s.all = slices.DeleteFunc(s.all, func(mates []int) bool { return !want(mates) })
}

func (s *sample) has(want func(mates []int) bool) bool { return slices.ContainsFunc(s.all, want) }

func matesOf(m *Matching) []int {
	out := make([]int, m.n)
	for u := range out {
		out[u] = m.Mate(u)
	}
	return out
}

// TestAgainstAllMatchings compares the least cost, and every choice among the matchings of least cost, with the list
// of all perfect matchings.
func TestAgainstAllMatchings(t *testing.T) {
	deep := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t)
		m := New(s.edges.Clone(), s.class, s.costs)
		if len(s.all) > 0 {
			for u, v := range rapid.SampledFrom(s.all).Draw(t, "hint") {
				m.Suggest(u, v)
			}
		}
		if got := m.Solve(); got != (len(s.all) > 0) {
			t.Fatalf("solved = %v, and there are %d perfect matchings", got, len(s.all))
		} else if !got {
			return
		}
		least := s.best()
		if got := m.Cost(); !slices.Equal(got, least) {
			t.Fatalf("cost %v, want %v", got, least)
		}
		checkInvariants(t, m)
		if len(m.unused) < len(m.blossoms) {
			deep++
		}
		for _, u := range rapid.Permutation(m.vertices()).Draw(t, "order") {
			checkTry(t, s, m, u)
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0, 1:
				checkNarrow(t, s, m, u)
			case 2, 3:
				checkPick(t, s, m, u)
			default:
				checkNarrowAll(t, s, m)
			}
		}
		if len(s.all) != 1 && !s.has(func(mates []int) bool { return slices.Equal(mates, matesOf(m)) }) {
			t.Fatalf("left with %v, which is none of %v", matesOf(m), s.all)
		}
	})
	if deep == 0 && !testing.Short() { // with -short the samples are too few to be sure of a blossom
		t.Error("no sample needed a blossom with a surcharge: the test does not test them")
	}
}

func (m *Matching) vertices() []int {
	out := make([]int, m.n)
	for i := range out {
		out[i] = i
	}
	return out
}

func checkPick(t *rapid.T, s *sample, m *Matching, u int) {
	if m.gone.Has(u) {
		return
	}
	order := rapid.Permutation(m.vertices()).Draw(t, "wishes")
	order = order[:rapid.IntRange(0, m.n).Draw(t, "wished")]
	want := -1
	for _, v := range order {
		if s.has(func(mates []int) bool { return mates[u] == v }) {
			want = v
			break
		}
	}
	before := matesOf(m)
	if got := m.Pick(u, order); got != want {
		t.Fatalf("picked %d for %d, want %d", got, u, want)
	}
	if want < 0 {
		checkInvariants(t, m)
		if !slices.Equal(before, matesOf(m)) {
			t.Fatal("a pick in vain has changed the matching")
		}
		return
	}
	s.keep(func(mates []int) bool { return mates[u] == want })
	checkStill(t, s, m)
}

func checkNarrow(t *rapid.T, s *sample, m *Matching, u int) {
	if m.gone.Has(u) {
		return
	}
	allowed := drawSet(t, m.n)
	fits := func(mates []int) bool { return allowed.Has(mates[u]) }
	want := s.has(fits)
	if got := m.Narrow(u, allowed); got != want {
		t.Fatalf("narrowed %d: %v, want %v", u, got, want)
	}
	if want {
		s.keep(fits)
	}
	checkStill(t, s, m)
}

func checkTry(t *rapid.T, s *sample, m *Matching, u int) {
	if m.gone.Has(u) {
		return
	}
	allowed, before := drawSet(t, m.n), matesOf(m)
	rest := &sample{n: s.n, words: s.words, class: s.class, costs: s.costs, edges: m.edges.Clone()}
	for v := range m.n {
		switch {
		case m.gone.Has(v):
			rest.isolate(v, m.Mate(v))
		case !allowed.Has(v):
			rest.edges.Cut(u, v)
		}
	}
	rest.enumerate(make([]int, s.n), 0)
	want := rest.best()
	for v := range m.n { // what is gone does not count
		if w := m.Mate(v); m.gone.Has(v) && w > v && len(rest.all) > 0 {
			for i, c := range m.cost(int32(v), int32(w)) {
				want[i] -= c / 2
			}
		}
	}
	got, ok := m.Try(u, allowed)
	if ok != (len(rest.all) > 0) || !slices.Equal(got, want) {
		t.Fatalf("with %d held to %v the cost is %v (%v), want %v", u, allowed, got, ok, want)
	}
	if !slices.Equal(before, matesOf(m)) {
		t.Fatal("a trial has changed the matching")
	}
}

// isolate leaves v no edge but that to w.
func (s *sample) isolate(v, w int) {
	for x := range s.n {
		s.edges.Cut(v, x)
	}
	s.edges.Join(v, w)
}

func drawSet(t *rapid.T, n int) Set {
	s := NewSet(n)
	for v := range n {
		if rapid.Bool().Draw(t, "allowed") {
			s.Add(v)
		}
	}
	return s
}

func checkNarrowAll(t *rapid.T, s *sample, m *Matching) {
	allowed := make([]Set, m.n)
	for u := range allowed {
		if !m.gone.Has(u) && rapid.IntRange(0, 3).Draw(t, "narrow this") == 0 {
			allowed[u] = drawSet(t, m.n)
			allowed[u].Add(m.Mate(rapid.IntRange(0, m.n-1).Draw(t, "likely")))
		}
	}
	fits := func(mates []int) bool {
		for u, v := range mates {
			if allowed[u] != nil && !allowed[u].Has(v) {
				return false
			}
		}
		return true
	}
	want := s.has(fits)
	if got := m.NarrowAll(allowed); got != want {
		t.Fatalf("narrowed all to %v: %v, want %v", allowed, got, want)
	}
	if want {
		s.keep(fits)
	}
	checkStill(t, s, m)
}

// checkStill demands that the matching is still among the samples left.
func checkStill(t *rapid.T, s *sample, m *Matching) {
	checkInvariants(t, m)
	if got := matesOf(m); !s.has(func(mates []int) bool { return slices.Equal(mates, got) }) {
		t.Fatalf("the matching is %v, which is none of %v", got, s.all)
	}
}

// TestDrop takes vertices out of graphs without costs.
func TestDrop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t)
		m := New(s.edges.Clone(), s.class, NewCosts(s.n, 0))
		if !m.Solve() {
			return
		}
		u := rapid.IntRange(0, s.n-1).Draw(t, "first")
		v := rapid.IntRange(0, s.n-1).Filter(func(v int) bool { return v != u }).Draw(t, "second")
		rest := &sample{n: s.n, edges: s.edges.Clone()}
		for w := range s.n {
			rest.edges.Cut(u, w)
			rest.edges.Cut(v, w)
		}
		rest.edges.Join(u, v)
		rest.enumerate(make([]int, s.n), 0)
		before := matesOf(m)
		if got := m.CanDrop([]int{u, v}); got != (len(rest.all) > 0) || !slices.Equal(before, matesOf(m)) {
			t.Fatalf("can drop %d and %d: %v, and %d matchings remain; the matching was %v and is %v",
				u, v, got, len(rest.all), before, matesOf(m))
		}
		if got := m.Drop([]int{u, v}); got != (len(rest.all) > 0) {
			t.Fatalf("dropped %d and %d: %v, and %d matchings remain", u, v, got, len(rest.all))
		} else if !got {
			if !slices.Equal(before, matesOf(m)) {
				t.Fatal("a drop in vain has changed the matching")
			}
			return
		}
		got := matesOf(m)
		got[u], got[v] = v, u
		if !rest.has(func(mates []int) bool { return slices.Equal(mates, got) }) {
			t.Fatalf("matching %v is not perfect without %d and %d", got, u, v)
		}
	})
}
