// Package exact has the numbers of season tables: decimals as people write them, and sums that are never rounded before
// they are shown.
package exact

import (
	"bytes"
	"encoding/json"
	"math/big"
	"regexp"
	"strings"

	"quatuor/tournament"
)

// decimalForm bounds what is read, so that no exponent makes a number of a million digits.
var decimalForm = regexp.MustCompile(`^-?[0-9]{1,9}(\.[0-9]{1,6})?$`)

// scale is the number of units of a Decimal in 1.
const scale = 1_000_000

// Decimal is a number in millionths. Its JSON is a number or a text: 2 or "1.5".
type Decimal int64

// Whole returns a whole number.
func Whole(n int) Decimal { return Decimal(n) * scale }

// ParseDecimal reads a decimal number, for example 1.5. The error wraps tournament.ErrInvalid.
func ParseDecimal(text string) (Decimal, error) {
	if !decimalForm.MatchString(text) {
		return 0, tournament.NotValid(
			"%q is not a number such as 1.5, with at most 9 digits before the point and 6 behind it", text)
	}
	ratio, _ := new(big.Rat).SetString(text)
	ratio.Mul(ratio, big.NewRat(scale, 1))
	return Decimal(ratio.Num().Int64()), nil
}

// UnmarshalJSON reads a number or a text; null changes nothing.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		return nil
	}
	if bytes.HasPrefix(data, []byte(`"`)) {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	}
	read, err := ParseDecimal(text)
	if err != nil {
		return err
	}
	*d = read
	return nil
}

// MarshalJSON writes what Text returns.
func (d Decimal) MarshalJSON() ([]byte, error) { return json.Marshal(d.Text()) }

// Text returns the number with all its digits.
func (d Decimal) Text() string { return trim(d.ratio().FloatString(6)) }

// Sum returns the number as a sum.
func (d Decimal) Sum() Sum { return Sum{d.ratio()} }

func (d Decimal) ratio() *big.Rat { return big.NewRat(int64(d), scale) }

// Sum is an exact rational number that never changes; the zero value is 0.
type Sum struct{ ratio *big.Rat }

// Ratio returns a ÷ b.
func Ratio(a, b int64) Sum { return Sum{big.NewRat(a, b)} }

func (s Sum) value() *big.Rat {
	if s.ratio == nil {
		return new(big.Rat)
	}
	return s.ratio
}

// Add returns s + t.
func (s Sum) Add(t Sum) Sum { return Sum{new(big.Rat).Add(s.value(), t.value())} }

// Times returns s × t.
func (s Sum) Times(t Sum) Sum { return Sum{new(big.Rat).Mul(s.value(), t.value())} }

// Over returns s ÷ t; t must not be 0.
func (s Sum) Over(t Sum) Sum { return Sum{new(big.Rat).Quo(s.value(), t.value())} }

// Cmp compares two sums as package cmp does.
func (s Sum) Cmp(t Sum) int { return s.value().Cmp(t.value()) }

// Floor returns the sum rounded down to a multiple of 1/parts.
func (s Sum) Floor(parts int64) Sum {
	scaled := new(big.Rat).Mul(s.value(), big.NewRat(parts, 1))
	whole := new(big.Int).Div(scaled.Num(), scaled.Denom()) // Euclidean: rounds down, for denominators are positive
	return Sum{new(big.Rat).SetFrac(whole, big.NewInt(parts))}
}

// Tenths returns the sum in tenths, half up.
func (s Sum) Tenths() int {
	return int(s.Add(Ratio(1, 20)).Floor(10).Times(Ratio(10, 1)).value().Num().Int64())
}

// String returns the sum with two decimals, half up, without trailing zeros: 17.5.
func (s Sum) String() string {
	return trim(s.Add(Ratio(1, 200)).Floor(100).value().FloatString(2))
}

// MarshalJSON writes what String returns.
func (s Sum) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// trim cuts the zeros at the end of a decimal fraction.
func trim(text string) string { return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") }
