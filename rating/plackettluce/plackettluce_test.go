package plackettluce

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating"
)

// seatsOf returns the seats of sides, given their members' ratings and their ranks.
func seatsOf(sides [][]rating.Rating, ranks []int) (seats []rating.Seat) {
	for i, side := range sides {
		for _, r := range side {
			seats = append(seats, rating.Seat{Rating: r, Side: i + 1, Rank: ranks[i]})
		}
	}
	return seats
}

func r(mu, sigma float64) rating.Rating { return rating.Rating{Value: mu, Deviation: sigma} }

// TestPublishedVectors are figures of other programs for the same model, openskill's for JavaScript and for Python.
func TestPublishedVectors(t *testing.T) {
	d, o := System{}.Start(), r(31.321989232514305, 11.379964801443018)
	other := System{Settings{Tau: rating.Set(25.0 / 300)}}
	for _, test := range []struct {
		name   string
		system System
		sides  [][]rating.Rating
		ranks  []int
		want   [][2]float64 // by seat: mu and sigma
	}{
		{"two", System{}, [][]rating.Rating{{d}, {d}}, []int{1, 2}, [][2]float64{{27.63523138347365, 8.065506316323548}, {22.36476861652635, 8.065506316323548}}},
		{"two, drawn", System{}, [][]rating.Rating{{d}, {d}}, []int{1, 1}, [][2]float64{{25, 8.065506316323548}, {25, 8.065506316323548}}},
		{"two, tau", other, [][]rating.Rating{{d}, {d}}, []int{1, 2}, [][2]float64{{27.635389493140497, 8.06590141354368}, {22.364610506859503, 8.06590141354368}}},
		{"four", System{}, [][]rating.Rating{{d}, {d}, {d}, {d}}, []int{1, 2, 3, 4}, [][2]float64{
			{27.795084971874736, 8.263160757613477}, {26.552824984374855, 8.179213704945203}, {24.68943500312503, 8.083731307186588}, {20.96265504062538, 8.083731307186588},
		}},
		{
			"one against a pair", other,
			[][]rating.Rating{{o}, {o, o}},
			[]int{1, 2},
			[][2]float64{
				{36.48967347401391, 11.237778601372977},
				{26.154304991014694, 11.17822477763209},
				{26.154304991014694, 11.17822477763209},
			},
		},
		{
			"a pair against one", other,
			[][]rating.Rating{{o}, {o, o}},
			[]int{2, 1},
			[][2]float64{
				{30.19454401757094, 11.237778601372977},
				{32.44943444745767, 11.17822477763209},
				{32.44943444745767, 11.17822477763209},
			},
		},
		{
			"a tie behind one", other,
			[][]rating.Rating{{o}, {o, o}, {o, o, o}},
			[]int{1, 2, 1},
			[][2]float64{
				{33.21874815457553, 11.354896725884002},
				{30.27713112192334, 11.291328826858104},
				{30.27713112192334, 11.291328826858104},
				{30.470088421044046, 11.249240904583088},
				{30.470088421044046, 11.249240904583088},
				{30.470088421044046, 11.249240904583088},
			},
		},
	} {
		changes, err := test.system.Update(seatsOf(test.sides, test.ranks))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range test.want {
			if got := changes[i].After; math.Abs(got.Value-want[0]) > 1e-9 || math.Abs(got.Deviation-want[1]) > 1e-9 {
				t.Errorf("%s: seat %d: %v %v, want %v", test.name, i+1, got.Value, got.Deviation, want)
			}
		}
	}
}

// TestOrderOfSeatsDoesNotMatter demands the same change of a player in any order of sides.
func TestOrderOfSeatsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(rt, "sides")
		sides, ranks := make([][]rating.Rating, n), make([]int, n)
		for i := range sides {
			ranks[i] = rapid.IntRange(1, 3).Draw(rt, "rank")
			for range rapid.IntRange(1, 3).Draw(rt, "members") {
				sides[i] = append(sides[i], r(rapid.Float64Range(0, 50).Draw(rt, "mu"), rapid.Float64Range(0.5, 9).
					Draw(rt, "sigma")))
			}
		}
		changes, err := System{}.Update(seatsOf(sides, ranks))
		if err != nil {
			rt.Fatal(err)
		}
		turned := append(append([][]rating.Rating{}, sides[1:]...), sides[0])
		again, err := System{}.Update(seatsOf(turned, append(append([]int{}, ranks[1:]...), ranks[0])))
		if err != nil {
			rt.Fatal(err)
		}
		first := len(sides[0])
		for i, c := range changes {
			other := again[(i-first+len(changes))%len(changes)]
			if math.Abs(c.After.Value-other.After.Value) > 1e-9 || math.Abs(c.After.Deviation-other.After.Deviation) > 1e-9 {
				rt.Fatalf("seat %d: %+v, elsewhere %+v", i+1, c.After, other.After)
			}
			if c.After.Deviation > c.Before.Deviation || !(c.After.Deviation > 0) {
				rt.Fatalf("seat %d is less known than before: %+v", i+1, c)
			}
		}
	})
}

func TestGamesThatCannotBeRated(t *testing.T) {
	for name, seats := range map[string][]rating.Seat{
		"one side": seatsOf([][]rating.Rating{{r(25, 8), r(25, 8)}}, []int{1}),
		"no sigma": seatsOf([][]rating.Rating{{r(25, 0)}, {r(25, 8)}}, []int{1, 2}),
		"two ranks": {
			{Rating: r(25, 8), Side: 1, Rank: 1},
			{Rating: r(25, 8), Side: 1, Rank: 2},
			{Rating: r(25, 8), Side: 2, Rank: 2},
		},
	} {
		if _, err := (System{}).Update(seats); err == nil {
			t.Errorf("%s is rated", name)
		}
	}
}
