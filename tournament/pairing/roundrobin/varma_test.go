package roundrobin

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
)

// lateWithin lists the pairs of a group that meet in the last three rounds, as the Berger tables of the field have it.
func lateWithin(n int, group []int) (pairs []string) {
	rounds := Rounds(n, false)
	for r := max(1, rounds-2); r <= rounds; r++ {
		for _, g := range Round(n, false, r) {
			if g.Black > 0 && slices.Contains(group, g.White) && slices.Contains(group, g.Black) {
				pairs = append(pairs, fmt.Sprintf("%d-%d in round %d of %d", g.White, g.Black, r, n))
			}
		}
	}
	return pairs
}

// TestVarmaGroups: every number is in a single group and meets no member of it in the last three rounds, except in the
// published table for 11 and 12.
func TestVarmaGroups(t *testing.T) {
	for n := 2; n <= 60; n++ {
		var all []int
		for _, g := range VarmaGroups(n) {
			all = append(all, g...)
			if pairs := lateWithin(n, g); len(pairs) > 0 &&
				!(n == 12 && fmt.Sprint(pairs) == "[12-6 in round 11 of 12]" || n == 12 &&
					fmt.Sprint(pairs) == "[6-12 in round 11 of 12]") {
				t.Errorf("group %v: %v", g, pairs)
			}
		}
		slices.Sort(all)
		for i, number := range all {
			if number != i+1 {
				t.Fatalf("the groups of %d hold %v", n, all)
			}
		}
		if len(all) != n || n >= 6 && len(VarmaGroups(n)) > 4 {
			t.Errorf("the groups of %d are %v", n, VarmaGroups(n))
		}
	}
}

func fieldOf(clubs ...string) []tournament.Entry {
	out := make([]tournament.Entry, len(clubs))
	for i, club := range clubs {
		out[i] = tournament.Entry{ID: fmt.Sprintf("e%02d", i), Name: fmt.Sprintf("N%02d", i), Club: club}
	}
	return out
}

// numbersOf lists the numbers of a club.
func numbersOf(entries []tournament.Entry, drawn map[string]int, club string) (out []int) {
	for _, e := range entries {
		if e.Club == club {
			out = append(out, drawn[e.ID])
		}
	}
	return out
}

// TestVarmaKeepsClubsApart where each club fits into a group of its own.
func TestVarmaKeepsClubsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 40).Draw(t, "n")
		if even(n) == 12 {
			n = 13
		}
		var clubs []string
		for i, g := range VarmaGroups(n) {
			name := fmt.Sprint("club ", i)
			for range g {
				clubs = append(clubs, name)
			}
		}
		// Some have no club after all.
		for i := range clubs {
			if rapid.IntRange(0, 4).Draw(t, "alone") == 0 {
				clubs[i] = ""
			}
		}
		entries := fieldOf(clubs...)
		drawn := Varma(entries, rapid.String().Draw(t, "seed"))
		for i := range VarmaGroups(n) {
			if pairs := lateWithin(n, numbersOf(entries, drawn, fmt.Sprint("club ", i))); len(pairs) > 0 {
				t.Errorf("%v of %d meet late: %v", clubs, n, pairs)
			}
		}
	})
}

// TestVarmaDrawsLots: every entry has a number, the same for the same seed in whatever order they entered, and another
// for another seed.
func TestVarmaDrawsLots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clubs := rapid.SliceOfN(rapid.SampledFrom([]string{"", "Rook", "Pawn", "king "}), 2, 30).Draw(t, "clubs")
		entries, seed := fieldOf(clubs...), rapid.String().Draw(t, "seed")
		drawn := Varma(entries, seed)
		numbers := slices.Sorted(maps.Values(drawn))
		if len(numbers) != len(entries) || numbers[0] != 1 || numbers[len(numbers)-1] != len(entries) {
			t.Fatalf("numbers %v", numbers)
		}
		if again := Varma(rapid.Permutation(entries).Draw(t, "order"), seed); !maps.Equal(drawn, again) {
			t.Errorf("in another order %v, not %v", again, drawn)
		}
	})
	entries, seen := fieldOf("Rook", "Rook", "Pawn", "", "", "Rook", "", "", "Pawn", ""), map[string]bool{}
	for i := range 20 {
		seen[fmt.Sprint(Varma(entries, fmt.Sprint(i)))] = true
	}
	if len(seen) < 15 {
		t.Errorf("20 seeds gave %d drawings", len(seen))
	}
}

// TestVarmaInTheTableForTwelve: three members of a club take turns with the numbers that the published group lacks.
func TestVarmaInTheTableForTwelve(t *testing.T) {
	entries := fieldOf("A", "A", "A", "A", "B", "B", "B", "C", "C", "", "", "")
	for i := range 50 {
		drawn := Varma(entries, fmt.Sprint(i))
		for _, club := range []string{"A", "B", "C"} {
			if pairs := lateWithin(12, numbersOf(entries, drawn, club)); len(pairs) > 0 {
				t.Errorf("seed %d: club %s meets late: %v", i, club, pairs)
			}
		}
	}
}
