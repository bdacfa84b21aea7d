package elo

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating"
)

// fixtures are FIDE's published tables and worked cases.
type fixtures struct {
	Differences map[string]float64 `json:"fide_p_to_dp"`
	Percents    [][3]float64       `json:"fide_D_to_PD_higher"` // from, to, PD
	Cases       []struct {
		Own, Opp  float64
		PD, Delta float64
		Score     float64
		K         float64
		N         int `json:"n"`
		Effective int `json:"K_effective"`
		Initial   bool
		Games     int
		Opponents float64      `json:"sum_opp"`
		First     float64      `json:"Ru"`
		Rounded   [][2]float64 `json:"round_change"`
	} `json:"fide_rating_cases"`
}

func readFixtures(t *testing.T) (f fixtures) {
	t.Helper()
	text, err := os.ReadFile("testdata/fixtures.json")
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPublishedTables(t *testing.T) {
	f := readFixtures(t)
	if len(f.Differences) != 101 || len(f.Percents) != 51 {
		t.Fatalf("%d differences and %d scores", len(f.Differences), len(f.Percents))
	}
	for text, want := range f.Differences {
		p, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(Difference(int(math.Round(p * 100)))); got != want {
			t.Errorf("a score of %s: %v, want %v", text, got, want)
		}
	}
	for _, row := range f.Percents {
		for d := row[0]; d <= row[1]; d++ {
			want := int(math.Round(row[2] * 100))
			if got := (FIDE{}).Percent(2700+d, 2700); got != want {
				t.Errorf("%v points above: %d, want %d", d, got, want)
			}
			if got := (FIDE{}).Percent(1500, 1500+d); d > 0 && d <= 400 && got != 100-want {
				t.Errorf("%v points below: %d, want %d", d, got, 100-want)
			}
		}
	}
}

func TestWorkedCases(t *testing.T) {
	for i, c := range readFixtures(t).Cases {
		switch {
		case c.Initial:
			m := rating.Member{Rating: FIDE{}.Start()}
			for game := range c.Games {
				score := 0.0
				if float64(game) < c.Score {
					score = 1
				}
				m.Results = append(m.Results, rating.Result{
					Opponent: rating.Rating{Value: c.Opponents / float64(c.Games)}, Score: score,
				})
			}
			if got := (FIDE{}).Close(m, 2026).After; got.Value != c.First || got.Games != c.Games || got.Unrated {
				t.Errorf("case %d: %+v, want %v", i+1, got, c.First)
			}
		case c.Effective > 0:
			if got := (FIDE{}).K(rating.Member{Rating: rating.Rating{Value: 1800, Games: 30}}, c.N,
				2026); got != float64(c.Effective) {
				t.Errorf("case %d: K %v, want %d", i+1, got, c.Effective)
			}
		case c.PD > 0:
			if got := (FIDE{}).Percent(c.Own, c.Opp); got != int(math.Round(c.PD*100)) {
				t.Errorf("case %d: %d, want %v", i+1, got, c.PD)
			}
		}
	}
}

func won(opponents ...float64) (results []rating.Result) {
	for _, value := range opponents {
		results = append(results, rating.Result{Opponent: rating.Rating{Value: value, Unrated: value == 0}, Score: 1})
	}
	return results
}

func TestPeriodsOfFIDE(t *testing.T) {
	settled := rating.Rating{Value: 1800, Games: 30}
	for name, test := range map[string]struct {
		member rating.Member
		want   rating.Rating
		k      float64
	}{
		"12.8 is 13": {
			rating.Member{Rating: settled, Results: won(1900)},
			rating.Rating{Value: 1813, Games: 31},
			20,
		},
		"no game":                {rating.Member{Rating: settled}, settled, 20},
		"only unrated opponents": {rating.Member{Rating: settled, Results: won(0, 0)}, settled, 20},
		"the first games": {
			rating.Member{Rating: rating.Rating{Value: 1800, Games: 29}, Results: won(1800)},
			rating.Rating{Value: 1820, Games: 30},
			40,
		},
		"a junior": {
			rating.Member{Rating: settled, Born: 2008, Results: won(1800)},
			rating.Rating{Value: 1820, Games: 31},
			40,
		},
		"a junior of last year": {
			rating.Member{Rating: settled, Born: 2007, Results: won(1800)},
			rating.Rating{Value: 1810, Games: 31},
			20,
		},
		"a strong junior": {rating.Member{
			Rating: rating.Rating{Value: 2300, Games: 30}, Born: 2010,
			Results: won(2300),
		}, rating.Rating{Value: 2310, Games: 31}, 20},
		"a master": {rating.Member{
			Rating:  rating.Rating{Value: 2350, Games: 90, Reached2400: true},
			Results: won(2350),
		}, rating.Rating{Value: 2355, Games: 91, Reached2400: true}, 10},
		"four games without the 5th": {
			rating.Member{Rating: FIDE{}.Start(), Results: won(1500, 1500, 1500, 1500, 0)},
			FIDE{}.Start(), 0,
		},
		"at most 2200": {
			rating.Member{Rating: FIDE{}.Start(), Results: won(2400, 2400, 2400, 2400, 2400)},
			rating.Rating{Value: 2200, Games: 5},
			0,
		},
		"the floor": {
			rating.Member{
				Rating: rating.Rating{Value: 1405, Games: 30}, Results: []rating.Result{{Opponent: rating.Rating{Value: 1400}}},
			},
			rating.Rating{Value: 1400, Games: 31},
			20,
		},
	} {
		if got := (FIDE{}).Close(test.member, 2026); got.After != test.want || got.K != test.k {
			t.Errorf("%s: %+v with K %v, want %+v with K %v", name, got.After, got.K, test.want, test.k)
		}
	}
}

// TestChangesAreRoundedHalfAwayFromZero: a change of 2.5 is 3, of −2.5 is −3.
func TestChangesAreRoundedHalfAwayFromZero(t *testing.T) {
	system := FIDE{Settings{K: rating.Set(5)}}
	equal := rating.Rating{Value: 1800}
	for score, want := range map[float64]float64{1: 3, 0: -3, 0.5: 0} {
		m := rating.Member{Rating: equal, Results: []rating.Result{{Opponent: equal, Score: score}}}
		if got := system.Close(m, 2026).Delta; got != want {
			t.Errorf("a score of %v: %v, want %v", score, got, want)
		}
	}
}

// TestFirstRatingsAreExact: 11.5 of 20 is 57.5 %, which is 58 % and not the 57.49999999999999 % of binary fractions.
func TestFirstRatingsAreExact(t *testing.T) {
	results := func(won, drawn, lost int) (all []rating.Result) {
		for i := range won + drawn + lost {
			score := 0.0
			switch {
			case i < won:
				score = 1
			case i < won+drawn:
				score = 0.5
			}
			all = append(all, rating.Result{Opponent: rating.Rating{Value: 1800}, Score: score})
		}
		return all
	}
	got := FIDE{}.Close(rating.Member{Rating: FIDE{}.Start(), Results: results(10, 1, 7)}, 2026).After.Value
	if want := 1857.0; got != want {
		t.Errorf("10.5 of 18 against 1800: %v, want %v", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		won, drawn, lost := rapid.IntRange(0, 60).Draw(t, "won"), rapid.IntRange(0, 60).Draw(t, "drawn"),
			rapid.IntRange(0, 60).Draw(t, "lost")
		games := won + drawn + lost
		if games < initialGames {
			return
		}
		halves := 2*won + drawn + 2 // of games+2
		percent := (200*halves + 2*(games+2)) / (4 * (games + 2))
		want := max(fideFloor, min(initialMaximum, 1800+float64(Difference(percent))))
		got := FIDE{}.Close(rating.Member{Rating: FIDE{}.Start(), Results: results(won, drawn, lost)}, 2026).After.Value
		if got != want {
			t.Fatalf("%d won, %d drawn, %d lost: %v, want %v", won, drawn, lost, got, want)
		}
	})
}

// TestDecimalsAreRoundedAsTheyAreWritten: binary fractions lie next to what was entered, on either side of a half.
func TestDecimalsAreRoundedAsTheyAreWritten(t *testing.T) {
	for cents := 140_000; cents < 260_000; cents += 37 {
		high, low := number(ratio(cents, 100)), number(ratio(cents-39_150, 100)) // 391.5 is 392, which is 92 %
		if got := (FIDE{}).Percent(high, low); got != 92 {
			t.Fatalf("%v − %v: %d", high, low, got)
		}
	}
	// K 1.4 for 500 games is just 700; K 16.4 times 0.5 is 8.2.
	if k := (FIDE{Settings{K: rating.Set(1.4)}}).K(rating.Member{}, 500, 0); k != 1.4 {
		t.Errorf("1.4 times 500 games is no more than 700: K %v", k)
	}
	if got := sum(1800.1, 3); got != 1803.1 {
		t.Errorf("1800.1 + 3 = %v", got)
	}
	for _, tt := range []struct{ n, d, want int }{
		{5, 2, 3},
		{-5, 2, -3},
		{249, 100, 2},
		{-249, 100, -2},
		{1, 2, 1},
		{-1, 2, -1},
		{0, 1, 0},
		{7, 1, 7},
	} {
		if got := round(ratio(tt.n, tt.d)); got != float64(tt.want) {
			t.Errorf("%d/%d is rounded to %v", tt.n, tt.d, got)
		}
	}
}
