package arena

import (
	"errors"
	"math"
	"os"
	"reflect"
	"testing"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/player"
)

// TestLevelsAreOrdered plays each level against the level below in every variant until a sequential test (Wald:
// "Sequential Tests of Statistical Hypotheses", 1945) decides between a share of 75 % and a share of 50 %, either error
// being less likely than 1 %, or 0.1 % with QUATUOR_LONG=1.
func TestLevelsAreOrdered(t *testing.T) {
	for _, rules := range catalog.All() {
		for _, levels := range [][2]int{{2, 1}, {3, 2}} {
			if testing.Short() && levels[0] > 2 {
				continue // the games of level 3 are long
			}
			t.Run(rules.Info().ID+"/"+string(rune('0'+levels[0])), func(t *testing.T) {
				t.Parallel()
				decide(t, rules, levels)
			})
		}
	}
}

func decide(t *testing.T, rules engine.Rules, levels [2]int) {
	const better, even, limit = 0.75, 0.5, 400
	nodes, sure := 2000, math.Log(100)
	if os.Getenv("QUATUOR_LONG") != "" {
		sure = math.Log(1000)
	}
	series, err := New(rules, 0, levels, 1, nodes)
	if err != nil {
		t.Fatal(err)
	}
	bot, tally, ratio := player.New(), Tally{}, 0.0
	for n := range limit {
		g, err := series.Play(bot, n)
		if err != nil {
			t.Fatal(err)
		}
		won, lost, drawn := tally.Won, tally.Lost, tally.Drawn
		tally.Add(levels, g)
		win, loss := math.Log(better/even), math.Log((1-better)/(1-even))
		ratio += float64(tally.Won-won)*win + float64(tally.Lost-lost)*loss + float64(tally.Drawn-drawn)*(win+loss)/2
		if ratio > sure {
			return
		}
		if ratio < -sure {
			break
		}
	}
	t.Errorf("level %d scores %.1f %% against level %d in %d games", levels[0], 100*tally.Score(), levels[1], tally.Games)
}

// TestSeatsAreShared checks that in a series each level has each seat equally often, and that partners have the same
// level.
func TestSeatsAreShared(t *testing.T) {
	for _, rules := range catalog.All() {
		info := rules.Info()
		for _, seats := range info.Seats {
			series, err := New(rules, seats, [2]int{3, 1}, 1, 1)
			if err != nil {
				t.Fatal(err)
			}
			var first [5]int
			const games = 60 // a multiple of every number of ways
			for n := range games {
				levels := series.LevelsOf(n)
				for i, level := range levels {
					if level == 3 {
						first[i]++
					}
					if partner := int(info.SideOf(engine.Seat(i + 1))); levels[partner-1] != level {
						t.Errorf("%s: partners have different levels: %v", info.ID, levels)
					}
				}
				if reflect.DeepEqual(levels, series.LevelsOf(n^1)) {
					t.Errorf("%s: games %d and %d have the same seats", info.ID, n, n^1)
				}
			}
			for seat := range seats {
				if first[seat] != games/2 {
					t.Errorf("%s with %d seats: the first level sits at seat %d in %d of %d games", info.ID, seats, seat+1,
						first[seat], games)
				}
			}
		}
	}
}

// TestTally counts four made-up games.
func TestTally(t *testing.T) {
	var tally Tally
	games := []Game{
		{Levels: []int{2, 1}, Ranks: []int{1, 2}, Plies: 9, Moves: 1},
		{Levels: []int{1, 2}, Ranks: []int{1, 2}, Plies: 5, Moves: 2},
		{Levels: []int{2, 1}, Ranks: []int{1, 1}, Plies: 7, Moves: 3},
		{Levels: []int{1, 2}, Ranks: []int{2, 1}, Plies: 8, Moves: 1},
	}
	for _, g := range games {
		tally.Add([2]int{2, 1}, g)
	}
	if tally.Won != 2 || tally.Lost != 1 || tally.Drawn != 1 || tally.Score() != 0.625 || tally.Distinct() != 3 {
		t.Errorf("counted %+v", tally)
	}
	if least, median, greatest := tally.Length(); least != 5 || median != 8 || greatest != 9 {
		t.Errorf("lengths %d, %d, %d", least, median, greatest)
	}
	if share := tally.Share(catalog.All()[0].Info(), 1); share != 0.625 {
		t.Errorf("seat 1 has %v of the points, want 0.625", share)
	}
}

// TestWilson compares with worked figures: 50 of 100 (Brown, Cai, DasGupta 2001), none of ten, and all of them.
func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		share     float64
		n         int
		low, high float64
	}{{0.5, 100, 0.4038, 0.5962}, {0, 10, 0, 0.2775}, {1, 10, 0.7225, 1}} {
		low, high := Wilson(tt.share, tt.n)
		if math.Abs(low-tt.low) > 5e-5 || math.Abs(high-tt.high) > 5e-5 {
			t.Errorf("%v of %d: %.4f to %.4f, want %.4f to %.4f", tt.share, tt.n, low, high, tt.low, tt.high)
		}
	}
}

// TestSeriesRefused starts series that cannot be played.
func TestSeriesRefused(t *testing.T) {
	melee, err := catalog.Find("quivive/melee")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		seats, nodes int
		levels       [2]int
	}{{2, 1, [2]int{1, 2}}, {3, 0, [2]int{1, 2}}, {3, 1, [2]int{0, 2}}, {3, 1, [2]int{1, 4}}} {
		if _, err := New(melee, tt.seats, tt.levels, 1, tt.nodes); !errors.Is(err, ErrSeries) {
			t.Errorf("%+v: %v, want %v", tt, err, ErrSeries)
		}
	}
}
