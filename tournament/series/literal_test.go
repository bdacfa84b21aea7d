package series

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament/exact"
)

// drawSeries draws a series with shared places and factors in quarters.
func drawSeries(t *rapid.T) Series {
	s := Series{Rules: DefaultRules()}
	s.Best = rapid.IntRange(0, 4).Draw(t, "best")
	s.Least = rapid.IntRange(0, 3).Draw(t, "least")
	if rapid.Bool().Draw(t, "short") {
		s.Table = []exact.Decimal{exact.Whole(4), exact.Whole(2), exact.Whole(1)}
	}
	for range rapid.IntRange(0, 6).Draw(t, "events") {
		players := rapid.Permutation([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "players")
		players = players[:rapid.IntRange(0, 6).Draw(t, "n")]
		e := Event{Factor: exact.Decimal(rapid.SampledFrom([]int{4, 4, 2, 6, 8, 0}).Draw(t, "factor") * 250_000)}
		for len(players) > 0 {
			size := min(len(players), rapid.SampledFrom([]int{1, 1, 1, 2, 3, 4}).Draw(t, "shared"))
			e.Ranking = append(e.Ranking, players[:size])
			players = players[size:]
		}
		s.Events = append(s.Events, e)
	}
	return s
}

// unit makes whole numbers of all points: 1/2, 1/3, 1/4 and 1/5, 1/6 of quarters.
const unit = 60 * 4

// modelPoints returns each player's points by event, in units, -1 where the player did not take part.
func modelPoints(s Series) map[string][]int {
	out := map[string][]int{}
	for k, e := range s.Events {
		for g, group := range e.Ranking {
			before := 0
			for _, earlier := range e.Ranking[:g] {
				before += len(earlier)
			}
			sum := 0
			for i := range group {
				if place := before + i; place < len(s.Table) {
					sum += int(s.Table[place] / exact.Whole(1))
				}
			}
			for _, player := range group {
				if out[player] == nil {
					out[player] = slices.Repeat([]int{-1}, len(s.Events))
				}
				out[player][k] = sum * 60 / len(group) * int(e.Factor/250_000)
			}
		}
	}
	return out
}

// bestSum tries every choice of at most best results.
func bestSum(points []int, best int) (most int) {
	for mask := range 1 << len(points) {
		sum, n := 0, 0
		for k, p := range points {
			if mask>>k&1 == 1 && p >= 0 {
				sum += p
				n++
			}
		}
		if best == 0 || n <= best {
			most = max(most, sum)
		}
	}
	return most
}

// modelKey returns what players are ranked by, each number the higher the better.
func modelKey(s Series, points []int) []int {
	took, latest := 0, -1
	results := slices.Clone(points)
	for k, p := range points {
		if p >= 0 {
			took++
		}
		if p == slices.Max(points) {
			latest = k
		}
		results[k] = max(p, 0)
	}
	slices.Sort(results)
	slices.Reverse(results)
	ranked := 0
	if took >= s.Least {
		ranked = 1
	}
	return slices.Concat([]int{ranked, bestSum(points, s.Best)}, results, []int{latest})
}

// TestAgainstModel compares standings of random series with the regulation, counted in whole numbers.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeries(t)
		standings, err := s.Standings()
		if err != nil {
			t.Fatal(err)
		}
		points := modelPoints(s)
		keys := map[string][]int{}
		var order []string
		for player := range points {
			keys[player] = modelKey(s, points[player])
			order = append(order, player)
		}
		slices.SortFunc(order, func(a, b string) int {
			return cmp.Or(slices.Compare(keys[b], keys[a]), cmp.Compare(a, b))
		})
		if len(order) != len(standings) {
			t.Fatalf("standings %v, want %v", standings, order)
		}
		for k, st := range standings {
			rank := 1
			for _, other := range order {
				if slices.Compare(keys[other], keys[st.Player]) > 0 {
					rank++
				}
			}
			if keys[st.Player][0] == 0 {
				rank = 0
			}
			want := exact.Ratio(int64(keys[st.Player][1]), unit)
			if st.Player != order[k] || st.Rank != rank || st.Points.Cmp(want) != 0 {
				t.Fatalf("%d: %+v, want %s, rank %d, points %v", k, st, order[k], rank, want)
			}
			all := slices.Concat(st.Counted, st.Dropped)
			for n, score := range all {
				p := points[st.Player][score.Event]
				if score.Points.Cmp(exact.Ratio(int64(p), unit)) != 0 || n > 0 && all[n-1].Points.Cmp(score.Points) < 0 {
					t.Fatalf("%s: results %v, of %v", st.Player, all, fmt.Sprint(points[st.Player]))
				}
			}
			if s.Best > 0 && len(st.Counted) != min(s.Best, len(all)) || s.Best == 0 && len(st.Dropped) > 0 {
				t.Fatalf("%s: %d of %d count", st.Player, len(st.Counted), len(all))
			}
		}
	})
}
