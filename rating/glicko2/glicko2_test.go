package glicko2

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating"
)

func of(value, deviation float64) rating.Rating {
	return rating.Rating{Value: value, Deviation: deviation, Volatility: 0.06}
}

// TestExampleOfThePaper is the worked example in "Example of the Glicko-2 system".
func TestExampleOfThePaper(t *testing.T) {
	c := Periods{}.Close(rating.Member{Rating: of(1500, 200), Results: []rating.Result{
		{Opponent: of(1400, 30), Score: 1}, {Opponent: of(1550, 100)}, {Opponent: of(1700, 300)},
	}}, 0)
	want := rating.Rating{
		Value: 1464.0506705393013, Deviation: 151.51652412385727, Volatility: 0.059995984286488495, Games: 3,
	}
	if math.Abs(c.After.Value-want.Value) > 1e-9 || math.Abs(c.After.Deviation-want.Deviation) > 1e-9 ||
		math.Abs(c.After.Volatility-want.Volatility) > 1e-15 || c.After.Games != 3 {
		t.Errorf("%+v, want %+v", c.After, want)
	}
	if math.Abs(c.Expected-(0.639+0.432+0.303)) > 0.001 {
		t.Errorf("expected %v", c.Expected)
	}
}

func TestWithoutGamesTheDeviationGrows(t *testing.T) {
	c := Periods{}.Close(rating.Member{Rating: of(1500, 200)}, 0)
	if want := math.Hypot(200, 0.06*173.7178); math.Abs(c.After.Deviation-want) > 1e-9 || c.After.Value != 1500 {
		t.Errorf("%+v, want a deviation of %v", c.After, want)
	}
}

// TestGamesMoveBothPlayersApart demands of every game that the winner gains, the loser loses, and both are better
// known.
func TestGamesMoveBothPlayersApart(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) rating.Rating {
			return rating.Rating{
				Value:      rapid.Float64Range(0, 3500).Draw(rt, name),
				Deviation:  rapid.Float64Range(60, 350).Draw(rt, name+"'s deviation"),
				Volatility: rapid.Float64Range(0.03, 0.1).Draw(rt, name+"'s volatility"),
			}
		}
		winner, loser := draw("winner"), draw("loser")
		changes, err := Games{}.Update([]rating.Seat{{Rating: loser, Side: 1, Rank: 2}, {Rating: winner, Side: 2, Rank: 1}})
		if err != nil {
			rt.Fatal(err)
		}
		if lost, won := changes[0], changes[1]; lost.Delta > 0 || won.Delta < 0 || lost.Score != 0 || won.Score != 1 {
			rt.Fatalf("%+v, %+v", lost, won)
		}
		for _, c := range changes {
			if limit := math.Hypot(c.Before.Deviation, 2*scale*c.Before.Volatility); c.After.Deviation > limit ||
				c.After.Volatility <= 0 {
				rt.Fatalf("%+v", c)
			}
		}
	})
}

func TestOnlyGamesOfTwo(t *testing.T) {
	if _, err := (Games{}).Update([]rating.Seat{{Side: 1, Rank: 1}, {Side: 2, Rank: 2}, {Side: 3, Rank: 3}}); err == nil {
		t.Error("a game of three is rated")
	}
}
