package swiss

import "quatuor/tournament/pairing"

// preference is the colour that a player is due, and how strongly.
type preference struct {
	colour     pairing.Colour
	strength   Strength
	difference int            // between the numbers of games with either colour, never negative
	repeated   pairing.Colour // the colour of the last two games, if they had the same
}

// preferenceOf returns the preference after games with these colours; rounds without a game are skipped.
func preferenceOf(colours []pairing.Colour) preference {
	n := len(colours)
	if n == 0 {
		return preference{}
	}
	difference := 0
	for _, c := range colours {
		if c == pairing.White {
			difference++
		} else {
			difference--
		}
	}
	p := preference{difference: difference}
	rarer := pairing.Black
	if difference < 0 {
		p.difference, rarer = -difference, pairing.White
	}
	if n > 1 && colours[n-1] == colours[n-2] {
		p.repeated = colours[n-1]
	}
	switch {
	case p.difference > 1:
		p.colour, p.strength = rarer, Absolutely
	case p.repeated != 0:
		p.colour, p.strength = other(p.repeated), Absolutely
	case p.difference == 1:
		p.colour, p.strength = rarer, Strongly
	default:
		p.colour, p.strength = other(colours[n-1]), Mildly
	}
	return p
}

func other(c pairing.Colour) pairing.Colour { return pairing.White + pairing.Black - c }

// clash reports whether two players are due the same colour.
func (p preference) clash(o preference) bool { return p.colour != 0 && p.colour == o.colour }

// absolutely reports whether both must have the same colour (C3).
func (p preference) absolutely(o preference) bool {
	return p.clash(o) && p.strength == Absolutely && o.strength == Absolutely
}

// ColourRule is the rule of Art. 5.2 that decided the colours of a pair.
type ColourRule uint8

// The rules, in order.
const (
	BothDue     ColourRule = iota + 1 // 5.2.1: each has the colour it is due
	StrongerDue                       // 5.2.2: the stronger preference counts
	Alternation                       // 5.2.3: the colours of the last round with different colours, exchanged
	HigherDue                         // 5.2.4: the preference of the higher-ranked
	InitialLot                        // 5.2.5: neither is due a colour: the initial colour, or the other
)

// colourOf returns the higher-ranked player's colour against the lower-ranked (Art. 5.2), and the rule that
// decided it.
func (r *draw) colourOf(higher, lower *player) (pairing.Colour, ColourRule) {
	a, b := higher.preference, lower.preference
	switch {
	case a.colour != 0 && b.colour == 0 || a.colour != 0 && a.colour != b.colour:
		return a.colour, BothDue
	case a.colour == 0 && b.colour != 0:
		return other(b.colour), BothDue
	case a.colour == 0:
		if higher.position%2 == 1 {
			return r.initial, InitialLot
		}
		return other(r.initial), InitialLot
	}
	if c := stronger(a, b); c > 0 {
		return a.colour, StrongerDue
	} else if c < 0 {
		return other(b.colour), StrongerDue
	}
	x, y := higher.colours, lower.colours
	for i := 1; i <= len(x) && i <= len(y); i++ {
		if c := x[len(x)-i]; c != y[len(y)-i] {
			return other(c), Alternation
		}
	}
	return a.colour, HigherDue
}

// stronger compares two preferences by strength; of two absolute preferences the larger difference is stronger.
func stronger(a, b preference) int {
	if a.strength != b.strength {
		return int(a.strength) - int(b.strength)
	}
	if a.strength == Absolutely {
		return a.difference - b.difference
	}
	return 0
}
