package elo

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestExpected(t *testing.T) {
	tests := []struct{ d, want float64 }{
		{0, 0.5},
		{400, 10.0 / 11},
		{-400, 1.0 / 11},
		{401, 10.0 / 11},
		{-4000, 1.0 / 11},
		{200, 0.7597469266479578},
		{-200, 0.2402530733520422},
	}
	for _, tt := range tests {
		if got := expected(tt.d, span); !near(got, tt.want) {
			t.Errorf("expected(%v) = %v, want %v", tt.d, got, tt.want)
		}
	}
}

func TestK(t *testing.T) {
	tests := []struct {
		r    rating.Rating
		want float64
	}{
		{rating.Rating{Value: 1500}, 40},
		{rating.Rating{Value: 1500, Games: 29}, 40},
		{rating.Rating{Value: 1500, Games: 30}, 20},
		{rating.Rating{Value: 2399.999, Games: 300}, 20},
		{rating.Rating{Value: 2400, Games: 300}, 10},
		{rating.Rating{Value: 1900, Games: 300, Reached2400: true}, 10},
		{rating.Rating{Value: 1900, Games: 3, Reached2400: true}, 10},
	}
	for _, tt := range tests {
		if got := K(tt.r); got != tt.want {
			t.Errorf("K(%+v) = %v, want %v", tt.r, got, tt.want)
		}
	}
}

func seat(value float64, games, side, rank int) rating.Seat {
	return rating.Seat{Rating: rating.Rating{Value: value, Games: games}, Side: side, Rank: rank}
}

func TestUpdateWorkedExamples(t *testing.T) {
	tests := []struct {
		name  string
		seats []rating.Seat
		after []float64
	}{
		{"two newcomers", []rating.Seat{seat(1500, 0, 1, 1), seat(1500, 0, 2, 2)}, []float64{1520, 1480}},
		{"a draw of equals", []rating.Seat{seat(1500, 0, 1, 1), seat(1500, 0, 2, 1)}, []float64{1500, 1500}},
		// 200 points apart: the stronger expects 0.759746926648
		{"the expected win", []rating.Seat{seat(1700, 50, 1, 1), seat(1500, 50, 2, 2)}, []float64{1704.805061467, 1495.194938533}},
		{"the other way round", []rating.Seat{seat(1700, 50, 1, 2), seat(1500, 50, 2, 1)}, []float64{1684.805061467, 1515.194938533}},
		{"a draw", []rating.Seat{seat(1700, 50, 1, 1), seat(1500, 50, 2, 1)}, []float64{1694.805061467, 1505.194938533}},
		{"each their own K", []rating.Seat{seat(1700, 50, 1, 2), seat(1500, 29, 2, 1)}, []float64{1684.805061467, 1530.389877066}},
		{"the cap", []rating.Seat{seat(2600, 50, 1, 1), seat(1500, 50, 2, 2)}, []float64{2600 + 10.0/11, 1500 - 20.0/11}},
		{
			"four seats of their own: 1, ½, ½, 0 against each other",
			[]rating.Seat{seat(1500, 0, 1, 2), seat(1500, 0, 2, 1), seat(1500, 0, 3, 2), seat(1500, 0, 4, 4)},
			[]float64{1500, 1520, 1500, 1480},
		},
		{
			"three of different strength", // E of 1700: (0.7597469266 + 0.9090909091) / 2
			[]rating.Seat{seat(1700, 50, 1, 1), seat(1500, 50, 2, 2), seat(1300, 50, 3, 3)},
			[]float64{1703.311621643, 1500, 1296.688378357},
		},
		{
			"teams by their means: 1600 against 1500",
			[]rating.Seat{seat(1800, 50, 1, 1), seat(1450, 50, 2, 2), seat(1400, 50, 1, 1), seat(1550, 50, 2, 2)},
			[]float64{1807.198700004, 1442.801299996, 1407.198700004, 1542.801299996},
		},
		{
			"partners with different K share the mean: 30",
			[]rating.Seat{seat(1500, 0, 1, 1), seat(1500, 50, 2, 2), seat(1500, 50, 1, 1), seat(1500, 50, 2, 2)},
			[]float64{1515, 1490, 1515, 1490},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			changes, err := Club{}.Update(tt.seats)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range changes {
				if !near(c.After.Value, tt.after[i]) || c.After.Games != tt.seats[i].Rating.Games+1 ||
					c.Before != tt.seats[i].Rating {
					t.Errorf("seat %d: got %+v, want %v", i+1, c, tt.after[i])
				}
				if c.After.Value != c.Before.Value+c.Delta || !near(c.Delta, c.K*(c.Score-c.Expected)) {
					t.Errorf("seat %d: %+v does not add up", i+1, c)
				}
			}
		})
	}
}

func TestReached2400IsKept(t *testing.T) {
	up, err := Club{}.Update([]rating.Seat{seat(2395, 100, 1, 1), seat(2395, 100, 2, 2)})
	if err != nil {
		t.Fatal(err)
	}
	if r := up[0].After; r.Value != 2405 || !r.Reached2400 || up[1].After.Reached2400 {
		t.Fatalf("got %+v and %+v", r, up[1].After)
	}
	down, err := Club{}.Update([]rating.Seat{{Rating: up[0].After, Side: 1, Rank: 2}, seat(2405, 100, 2, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if r := down[0].After; r.Value != 2400 || K(r) != 10 {
		t.Fatalf("got %+v", r)
	}
	down, err = Club{}.Update([]rating.Seat{{Rating: down[0].After, Side: 1, Rank: 2}, seat(2400, 100, 2, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if r := down[0].After; r.Value != 2395 || !r.Reached2400 || K(r) != 10 {
		t.Errorf("got %+v", r)
	}
}

func TestUpdateRefuses(t *testing.T) {
	tests := []struct {
		name  string
		seats []rating.Seat
	}{
		{"no seat", nil},
		{"one side", []rating.Seat{seat(1500, 0, 1, 1), seat(1500, 0, 1, 1)}},
		{"partners of different rank", []rating.Seat{seat(1500, 0, 1, 1), seat(1500, 0, 1, 2), seat(1500, 0, 2, 2)}},
		{"no number", []rating.Seat{seat(math.NaN(), 0, 1, 1), seat(1500, 0, 2, 2)}},
		{"no finite number", []rating.Seat{seat(1500, 0, 1, 1), seat(math.Inf(-1), 0, 2, 2)}},
	}
	for _, tt := range tests {
		if changes, err := (Club{}).Update(tt.seats); !errors.Is(err, rating.ErrSeats) {
			t.Errorf("%s: got %v, %v", tt.name, changes, err)
		}
	}
}

func drawSeats(t *rapid.T) []rating.Seat {
	sides := rapid.IntRange(2, 5).Draw(t, "sides")
	var seats []rating.Seat
	for side := 1; side <= sides; side++ {
		rank := rapid.IntRange(1, sides).Draw(t, "rank")
		for range rapid.IntRange(1, 2).Draw(t, "members") {
			s := seat(rapid.Float64Range(100, 3000).Draw(t, "value"), rapid.IntRange(0, 60).Draw(t, "games"), side, rank)
			s.Rating.Reached2400 = s.Rating.Value > 2000 && rapid.Bool().Draw(t, "reached")
			seats = append(seats, s)
		}
	}
	return seats
}

func update(t *rapid.T, seats []rating.Seat) []rating.Change {
	changes, err := Club{}.Update(seats)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// TestChangesCancelOut: where all players have the same K and each side a single member, changes cancel out.
func TestChangesCancelOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var seats []rating.Seat
		for i := range rapid.IntRange(2, 6).Draw(t, "seats") {
			value := rapid.Float64Range(500, 2399).Draw(t, "value")
			seats = append(seats, seat(value, 50, i+1, rapid.IntRange(1, 6).Draw(t, "rank")))
		}
		sum := 0.0
		for _, c := range update(t, seats) {
			sum += c.Delta
		}
		if !near(sum, 0) {
			t.Fatalf("the changes of %+v add up to %v", seats, sum)
		}
	})
}

// TestSeatsDoNotMatter: neither the order of seats nor the numbers of sides make a difference.
func TestSeatsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seats := drawSeats(t)
		order := rapid.Permutation(indices(len(seats))).Draw(t, "order")
		names := rapid.Permutation(indices(10)).Draw(t, "names")
		moved := make([]rating.Seat, len(seats))
		for i, from := range order {
			moved[i] = seats[from]
			moved[i].Side = names[seats[from].Side]
		}
		before, after := update(t, seats), update(t, moved)
		for i, from := range order {
			if !near(after[i].Delta, before[from].Delta) || after[i].K != before[from].K {
				t.Fatalf("seat %d: %+v, moved to %d: %+v", from+1, before[from], i+1, after[i])
			}
		}
	})
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// TestBetterIsBetter: a better rank never costs points, a stronger opponent never makes a result worth less, and
// no member changes by more than K.
func TestBetterIsBetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seats := drawSeats(t)
		before := update(t, seats)
		own := seats[0].Side
		for _, c := range before {
			if math.Abs(c.Delta) > c.K || c.Score < 0 || c.Score > 1 || c.Expected < 1.0/11-1e-9 || c.Expected > 10.0/11+1e-9 {
				t.Fatalf("%+v is out of bounds", c)
			}
		}
		better := append([]rating.Seat(nil), seats...)
		harder := append([]rating.Seat(nil), seats...)
		for i := range seats {
			if seats[i].Side == own {
				better[i].Rank = 0
			} else {
				harder[i].Rating.Value += rapid.Float64Range(0, 500).Draw(t, "harder")
			}
		}
		if got := update(t, better)[0].Delta; got < before[0].Delta {
			t.Fatalf("the best rank brings %v, less than %v", got, before[0].Delta)
		}
		if got := update(t, harder)[0].Delta; got < before[0].Delta-1e-9 {
			t.Fatalf("stronger opponents bring %v, less than %v", got, before[0].Delta)
		}
	})
}

// TestExpectedAddsUp: the two expectations of a game make exactly one point, and they grow with the difference.
func TestExpectedAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-1000, 1000).Draw(t, "a")
		b := rapid.Float64Range(-1000, 1000).Draw(t, "b")
		if expected(a, span)+expected(-a, span) != 1 {
			t.Fatalf("%v and %v", expected(a, span), expected(-a, span))
		}
		if a < b && expected(a, span) > expected(b, span) {
			t.Fatalf("expected(%v) = %v is above expected(%v) = %v", a, expected(a, span), b, expected(b, span))
		}
	})
}

func BenchmarkUpdate(b *testing.B) {
	seats := []rating.Seat{seat(1700, 50, 1, 1), seat(1500, 50, 2, 2)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Club{}).Update(seats); err != nil {
			b.Fatal(err)
		}
	}
}

func TestClubIntroducesItself(t *testing.T) {
	if c := (Club{}); c.Name() != "elo-club" || c.Start() != (rating.Rating{Value: 1500}) {
		t.Errorf("got %q and %+v", c.Name(), c.Start())
	}
}
