package teamswiss

import "quatuor/tournament/pairing"

// Preference is the type of colour preferences that the regulations of a tournament have (1.7).
type Preference string

// The types.
const (
	TypeA        Preference = "A"    // after a difference of two, or the same colour twice
	TypeB        Preference = "B"    // strong as in type A, or mild
	NoPreference Preference = "none" // teams have no preferences
)

// preference is the colour that a team prefers; 0 for none.
type preference struct {
	colour pairing.Colour
	strong bool // only type B distinguishes it; in type A all are strong
}

func other(c pairing.Colour) pairing.Colour { return pairing.White + pairing.Black - c }

// preferenceOf returns a team's preference (1.7.1, 1.7.2).
func (p Pairer) preferenceOf(t *team, last bool) preference {
	n := len(t.colours)
	if n == 0 || p.Preference == NoPreference {
		return preference{}
	}
	latest := t.colours[n-1]
	repeated := n > 1 && t.colours[n-2] == latest
	typeB := p.Preference == TypeB
	switch cd := t.difference; {
	case typeB && last && cd == 0 && p.Readings.LastNone:
		return preference{}
	case cd < -1, repeated && latest == pairing.Black && (cd == 0 || cd == -1):
		return preference{pairing.White, true}
	case cd > 1, repeated && latest == pairing.White && (cd == 0 || cd == 1):
		return preference{pairing.Black, true}
	case !typeB:
		return preference{}
	case cd == -1:
		return preference{pairing.White, false}
	case cd == 1:
		return preference{pairing.Black, false}
	case !last:
		return preference{other(latest), false}
	}
	return preference{}
}

// clash reports whether two teams prefer the same colour, so that either is denied it.
func (p preference) clash(o preference) bool { return p.colour != 0 && p.colour == o.colour }

// ColourRule is the rule of Art. 4.3 that decided the colours of a pair.
type ColourRule uint8

// The rules, in order.
const (
	InitialLot      ColourRule = iota + 1 // 4.3.1: neither has played: the initial colour by the first-team's number
	OnePreference                         // 4.3.2: only a single team has a preference
	BothPreferred                         // 4.3.3: the preferences are opposite
	OnlyStrong                            // 4.3.4: only a single preference is strong
	LowerDifference                       // 4.3.5: the lower difference gets White
	Alternation                           // 4.3.6: the colours of the last match with different colours, exchanged
	FirstTeam                             // 4.3.7: the first-team's preference
	FirstChanges                          // 4.3.8: the first-team changes its last colour
	OtherChanges                          // 4.3.9: the other team changes its last colour
)

// firstTeam orders the two teams of a pair (4.2): higher primary score, higher secondary score, smaller number. Virtual
// points do not count.
func (d *draw) firstTeam(a, b *team) (first, second *team) {
	better := b.number < a.number
	if a.secondary != b.secondary && !d.pairer.NoSecondary {
		better = b.secondary > a.secondary
	}
	if a.primary != b.primary {
		better = b.primary > a.primary
	}
	if better {
		return b, a
	}
	return a, b
}

// colourOf returns the colour of the first-team of a pair (4.3), and the rule that decided it.
func (d *draw) colourOf(first, second *team) (pairing.Colour, ColourRule) {
	a, b := first.preference, second.preference
	switch {
	case len(first.colours) == 0 && len(second.colours) == 0:
		if first.number%2 == 1 {
			return d.initial, InitialLot
		}
		return other(d.initial), InitialLot
	case a.colour != 0 && b.colour == 0:
		return a.colour, OnePreference
	case a.colour == 0 && b.colour != 0:
		return other(b.colour), OnePreference
	case a.colour != b.colour:
		return a.colour, BothPreferred
	case a.colour != 0 && d.pairer.Preference == TypeB && a.strong && !b.strong:
		return a.colour, OnlyStrong
	case a.colour != 0 && d.pairer.Preference == TypeB && b.strong && !a.strong:
		return other(b.colour), OnlyStrong
	case first.difference < second.difference:
		return pairing.White, LowerDifference
	case first.difference > second.difference:
		return pairing.Black, LowerDifference
	}
	return byHistory(first, second)
}

// byHistory returns the colour of the first-team by 4.3.6 to 4.3.9.
func byHistory(first, second *team) (pairing.Colour, ColourRule) {
	x, y := first.colours, second.colours
	for i := 1; i <= len(x) && i <= len(y); i++ {
		if c := x[len(x)-i]; c != y[len(y)-i] {
			return other(c), Alternation
		}
	}
	switch {
	case first.preference.colour != 0:
		return first.preference.colour, FirstTeam
	case len(x) > 0:
		return other(x[len(x)-1]), FirstChanges
	}
	return y[len(y)-1], OtherChanges
}
