package league

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawSeason draws a league with some or many members leaving and joining.
func drawSeason(t *rapid.T) Season {
	s := Season{Rules: Rules{Up: rapid.IntRange(0, 4).Draw(t, "up"), Down: rapid.IntRange(0, 4).Draw(t, "down")}}
	leave := rapid.IntRange(0, 9).Draw(t, "tenths that leave")
	number := 0
	for range rapid.IntRange(1, 5).Draw(t, "divisions") {
		var division []string
		for range rapid.IntRange(0, 8).Draw(t, "size") {
			name := fmt.Sprintf("p%02d", number)
			number++
			division = append(division, name)
			if rapid.IntRange(0, 9).Draw(t, "leaves") < leave {
				s.Leaving = append(s.Leaving, name)
			}
		}
		s.Divisions = append(s.Divisions, division)
	}
	for k := range rapid.IntRange(0, 5).Draw(t, "joining") {
		s.Joining = append(s.Joining, fmt.Sprint("n", k))
	}
	return s
}

// model returns the new divisions, by going through the regulation with names alone.
func model(s Season) [][]string {
	last := map[string]int{} // division of last season
	size := map[int]int{}
	stay := map[int][]string{}
	lowest := len(s.Divisions) - 1
	for d, division := range s.Divisions {
		for _, name := range division {
			last[name] = d
			size[d]++
			if !slices.Contains(s.Leaving, name) {
				stay[d] = append(stay[d], name)
			}
		}
	}
	up, down := map[int][]string{}, map[int][]string{}
	for d := 0; d <= lowest; d++ {
		here := slices.Clone(stay[d])
		half := len(here) / 2
		for k := 0; d > 0 && k < s.Up && k < half; k++ {
			up[d] = append(up[d], here[k])
		}
		fall := min(s.Down, half)
		for k := size[d] - len(here); k > 0 && fall > 0; k-- {
			fall--
		}
		if d < lowest {
			down[d] = here[len(here)-fall:]
		}
	}
	lists := make([][]string, lowest+1)
	for d := range lists {
		lists[d] = append(lists[d], down[d-1]...)
		for _, name := range stay[d] {
			if !slices.Contains(up[d], name) && !slices.Contains(down[d], name) {
				lists[d] = append(lists[d], name)
			}
		}
		lists[d] = append(lists[d], up[d+1]...)
	}
	lists[lowest] = append(lists[lowest], s.Joining...)
	take := func(d int, name string) {
		lists[d] = slices.DeleteFunc(lists[d], func(other string) bool { return other == name })
	}
	for d := 0; d < lowest; d++ {
		for len(lists[d]) < size[d] {
			at := slices.IndexFunc(lists[d+1], func(name string) bool { return slices.Contains(s.Divisions[d+1], name) })
			if at < 0 {
				break
			}
			name := lists[d+1][at]
			take(d+1, name)
			lists[d] = append(lists[d], name)
		}
		for len(lists[d]) > size[d] {
			worst := lists[d][len(lists[d])-1]
			for _, name := range s.Divisions[d] { // ranked: the last here is the worst
				if slices.Contains(lists[d], name) {
					worst = name
				}
			}
			take(d, worst)
			lists[d+1] = append([]string{worst}, lists[d+1]...)
		}
	}
	return lists
}

func names(divisions [][]Member) (out [][]string) {
	for _, members := range divisions {
		var list []string
		for _, m := range members {
			list = append(list, m.Name)
		}
		out = append(out, list)
	}
	return out
}

// TestAgainstModel compares the new divisions of random leagues with the regulation, and the reasons with the past.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeason(t)
		next, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got, want := names(next), model(s); !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Fatalf("divisions %v, want %v", got, want)
		}
		for d, members := range next {
			for _, m := range members {
				if m.Because == Joins != (m.Division == 0) || m.Division > 0 && s.Divisions[m.Division-1][m.Place-1] != m.Name {
					t.Fatalf("%+v in division %d", m, d+1)
				}
				moved := m.Division - d - 1
				up := m.Because == Promoted || m.Because == MovedUp
				down := m.Because == Relegated || m.Because == MovedDown
				if m.Because == Stays && moved != 0 || up && moved < 0 || down && moved > 0 {
					t.Fatalf("%+v in division %d", m, d+1)
				}
			}
		}
	})
}
