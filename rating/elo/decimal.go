package elo

import (
	"math"
	"math/big"
	"strconv"
)

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
