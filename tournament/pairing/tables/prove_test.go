package tables

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestProofsAgree compares the linear programs, which prove larger fields, with dynamic programming over all subsets: a
// round that they call proved is the optimum, and a bound is never above it.
func TestProofsAgree(t *testing.T) {
	optimal, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d, err := newDraw(played(t))
		if err != nil {
			return
		}
		want := d.costOf(d.best)
		tables, certificate := d.prove()
		for i, table := range tables {
			tables[i] = d.seat(table)
		}
		d.number(tables)
		all++
		if certificate.Optimal() {
			optimal++
			if !reflect.DeepEqual(tables, d.best) {
				t.Fatalf("%v %+v is called optimal; the optimum is %v %+v", tables, d.costOf(tables), d.best, want)
			}
			return
		}
		checkCertificate(t, d.problem, d.costOf(tables), want, certificate)
	})
	if optimal*10 < all*9 {
		t.Errorf("%d of %d were proved", optimal, all)
	}
}

// checkCertificate compares criterion by criterion, up to the first that is not proved.
func checkCertificate(t *rapid.T, p *problem, got, want Cost, c Certificate) {
	for _, name := range p.names() {
		g, w := got.values(name), want.values(name)
		if name == c.Criterion {
			if slices.Compare(c.Value, g) != 0 || slices.Compare(c.Bound, w) > 0 {
				t.Fatalf("certificate %+v; the value is %v, the optimum %v", c, g, w)
			}
			return
		}
		if !slices.Equal(g, w) {
			t.Fatalf("criterion %s is %v, said to be proved; the optimum is %v", name, g, w)
		}
	}
}

func (p *problem) names() []string {
	if p.MeetingsSecond {
		return []string{"P", "K", "O", "L", "G", "M", "W", "F", "D", "E"}
	}
	return []string{"P", "M", "K", "O", "L", "G", "W", "F", "D", "E"}
}

func (c Cost) values(name string) []int64 {
	v := reflect.ValueOf(c).FieldByName(name)
	if v.Kind() == reflect.Slice {
		return v.Interface().([]int64)
	}
	return []int64{v.Int()}
}

// played returns a field of 9 to 16 before a round of a tournament with earlier rounds drawn, too.
func played(t *rapid.T) Field {
	n := 8 + rapid.SampledFrom([]int{1, 2, 3, 4, 5, 6, 7, 8}).Draw(t, "entries")
	f := Field{
		Rules: Rules{
			Sizes: []int{3, 4, 5}, Preferred: 4, MeetingsSecond: rapid.Bool().Draw(t, "second"), Clubs: rapid.Bool().
				Draw(t, "clubs"),
		},
	}
	if rapid.IntRange(0, 3).Draw(t, "rotate") == 0 {
		f.Sizes, f.Sides = []int{4}, [][]int{{1, 3}, {2, 4}}
	}
	for i := range n {
		f.Entries = append(f.Entries, Entry{
			Number: i + 1, Club: rapid.SampledFrom([]string{"", "A", "B", "C"}).Draw(t, "club"),
		})
	}
	for range rapid.IntRange(0, 4).Draw(t, "rounds") {
		r, err := Draw(f)
		if err != nil {
			return f
		}
		f.Rounds = append(f.Rounds, Past{Tables: r.Tables, Byes: r.Byes})
		for _, table := range r.Tables {
			for rank, number := range rapid.Permutation(table).Draw(t, "ranks") {
				f.Entries[number-1].Points += 10 * (len(table) - 1 - rank)
			}
		}
	}
	return f
}
