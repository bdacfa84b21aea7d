package elo

import (
	"math"
	"math/big"
	"strconv"

	"quatuor/rating"
)

// The figures of the FIDE mode (FIDE Handbook B.02, in force from October 2025).
const (
	fideFloor       = 1400
	fideTop         = 2650 // from this own rating on differences count in full
	fideJunior      = 2300 // juniors below it have K 40
	juniorAge       = 18   // to the end of the year when it is reached
	kJunior         = 40
	maxSwing        = 700 // K times the games of a period is not more
	initialGames    = 5
	initialOpponent = 1800 // of two hypothetical draws
	initialMaximum  = 2200
)

// FIDE is Elo as FIDE rates: by periods, with the published tables, and with an initial rating after five games against
// rated opponents. Published ratings are whole numbers.
type FIDE struct{ Settings Settings }

var _ rating.PeriodSystem = FIDE{}

// Name returns "elo-fide".
func (FIDE) Name() string { return "elo-fide" }

// Start returns no rating, unless the settings have an initial rating.
func (f FIDE) Start() rating.Rating {
	value, set := f.Settings.Start.Value()
	return rating.Rating{Value: value, Unrated: !set}
}

// Close rates a period. Games against players without a rating do not count.
func (f FIDE) Close(m rating.Member, year int) rating.Change {
	var t rating.Tally
	for _, r := range m.Results {
		t, _ = f.Add(m.Rating, t, r)
	}
	return f.Finish(m.Rating, t, m.Born, year)
}

// Add counts a further game of a period; expected scores are whole hundredths.
func (f FIDE) Add(start rating.Rating, t rating.Tally, r rating.Result) (rating.Tally, float64) {
	if r.Opponent.Unrated {
		return t, 0
	}
	t.Games++
	t.Score += r.Score
	if start.Unrated {
		t.Weight = sum(t.Weight, r.Opponent.Value)
		return t, 0
	}
	percent := f.Percent(start.Value, r.Opponent.Value)
	t.Expected += float64(percent) // in hundredths, so that it is exact
	return t, float64(percent) / 100
}

// Finish returns the change of a rating by the games of a period.
func (f FIDE) Finish(own rating.Rating, t rating.Tally, born, year int) rating.Change {
	if own.Unrated {
		return f.first(own, t)
	}
	k := f.K(rating.Member{Rating: own, Born: born}, t.Games, year)
	halves := int(math.Round(t.Score*200) - 2*t.Expected) // of a hundredth: they are whole
	exact := new(big.Rat).Mul(decimal(k), ratio(halves, 200))
	after := own
	after.Value = f.floored(sum(own.Value, round(exact)))
	after.Games += t.Games
	after.Reached2400 = own.Reached2400 || own.Value >= master || after.Value >= master
	return rating.Change{
		Before: own, After: after, Delta: after.Value - own.Value, Exact: number(exact), Expected: t.Expected / 100,
		Score: t.Score, K: k,
	}
}

// Rest returns the rating unchanged, except that a player entered with 2400 has reached it.
func (FIDE) Rest(r rating.Rating, periods int) rating.Rating {
	r.Reached2400 = r.Reached2400 || periods > 0 && r.Value >= master
	return r
}

func (f FIDE) floored(value float64) float64 { return max(value, f.Settings.Floor.Or(fideFloor)) }

// K returns the K-factor of a period with n games: 40 for the first 30 games and for juniors below 2300, 20, and 10
// once 2400 was reached; not more than 700 divided by n.
func (f FIDE) K(m rating.Member, n, year int) float64 {
	k := float64(kUsual)
	switch own := m.Rating; {
	case own.Games < apprentice:
		k = kApprentice
	case m.Born > 0 && year > 0 && year-m.Born <= juniorAge && own.Value < fideJunior:
		k = kJunior
	case own.Reached2400 || own.Value >= master:
		k = kMaster
	}
	k = f.Settings.K.Or(k)
	if new(big.Rat).Mul(decimal(k), ratio(n, 1)).Cmp(ratio(maxSwing, 1)) > 0 {
		k = float64(maxSwing / n)
	}
	return k
}

// Percent returns the expected score in hundredths, the PD of the published table. Differences beyond 400 count as 400
// for players below 2650.
func (f FIDE) Percent(own, opponent float64) int {
	d := math.Abs(sum(own, -opponent))
	if !whole(d) {
		d = round(decimal(d))
	}
	if own < fideTop {
		d = min(d, f.Settings.Cap.Or(span))
	}
	higher := 50
	for higher < 100 && d > float64(percentUpTo[higher-50]) {
		higher++
	}
	if own < opponent {
		return 100 - higher
	}
	return higher
}

// Forecast returns the expected scores of the published table; a half where a player has no rating. Sides have a single
// member.
func (f FIDE) Forecast(sides [][]rating.Rating) [][]float64 {
	return rating.Pairwise(sides, func(a, b []rating.Rating) float64 {
		if a[0].Unrated || b[0].Unrated {
			return 0.5
		}
		return float64(f.Percent(a[0].Value, b[0].Value)) / 100
	})
}

// first returns the initial rating, once five games are rated: the mean of the opponents and of two hypothetical
// opponents of 1800, and the difference for the score if these two games were drawn.
func (f FIDE) first(own rating.Rating, t rating.Tally) rating.Change {
	games, points := t.Games+2, int(math.Round(2*t.Score))+2 // with the two draws; points are halves
	percent := int(round(ratio(100*points, 2*games)))
	exact := new(big.Rat).Mul(decimal(sum(t.Weight, 2*initialOpponent)), ratio(1, games))
	exact.Add(exact, ratio(Difference(percent), 1))
	c := rating.Change{Before: own, After: own, Exact: number(exact), Score: t.Score}
	if t.Games >= initialGames {
		c.After = rating.Rating{Value: f.floored(min(round(exact), initialMaximum)), Games: own.Games + t.Games}
		c.Delta = c.After.Value
	}
	return c
}

// Difference returns the rating difference dp that goes with a score in hundredths.
func Difference(percent int) int {
	if percent < 50 {
		return -Difference(100 - percent)
	}
	return differenceOf[percent-50]
}

// percentUpTo is FIDE's table from differences to scores: the largest difference with an expected score of 0.50, 0.51
// and so on for the higher rated player.
var percentUpTo = [51]int{
	3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188,
	197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328,
	344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
	math.MaxInt32,
}

// differenceOf is FIDE's table from scores to differences, for scores of 0.50, 0.51 and so on.
var differenceOf = [51]int{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184,
	193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322,
	336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
	800,
}

// decimal returns the shortest decimal number of a float64: 1800.1, and not the binary fraction next to it.
func decimal(v float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'f', -1, 64))
	if !ok { // not a number, or infinite
		return new(big.Rat)
	}
	return r
}

// number returns the float64 nearest to a rational number.
func number(r *big.Rat) float64 {
	v, _ := r.Float64()
	return v
}

// ratio returns a fraction of whole numbers.
func ratio(numerator, denominator int) *big.Rat {
	return big.NewRat(int64(numerator), int64(denominator))
}

// sum adds two decimal numbers without the error of binary fractions.
func sum(a, b float64) float64 {
	if whole(a) && whole(b) {
		return a + b
	}
	return number(new(big.Rat).Add(decimal(a), decimal(b)))
}

// whole reports whether a number is whole, and small enough for exact sums.
func whole(v float64) bool { return v == math.Trunc(v) && math.Abs(v) < 1<<50 }

// round rounds half away from zero.
func round(r *big.Rat) float64 {
	twice := new(big.Int).Lsh(new(big.Int).Abs(r.Num()), 1)
	twice.Add(twice, r.Denom())
	twice.Quo(twice, new(big.Int).Lsh(r.Denom(), 1))
	v, _ := new(big.Float).SetInt(twice).Float64()
	if r.Sign() < 0 {
		return -v
	}
	return v
}
