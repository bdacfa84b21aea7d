package teamswiss_test

import (
	"slices"

	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/teamswiss"
)

type wish struct {
	colour pairing.Colour
	strong bool
}

// preference is the table of 1.7, cell by cell.
func (m *model) preference(i int) wish {
	colours := m.h.Field[i].Colours()
	n := len(colours)
	if n == 0 || m.p.Preference == teamswiss.NoPreference {
		return wish{}
	}
	cd := 0
	for _, c := range colours {
		cd += map[pairing.Colour]int{pairing.White: 1, pairing.Black: -1}[c]
	}
	two := pairing.Colour(0)
	if n > 1 && colours[n-1] == colours[n-2] {
		two = colours[n-1]
	}
	typeB, last := m.p.Preference == teamswiss.TypeB, m.h.Round == m.h.Rounds
	if typeB && last && cd == 0 && m.p.Readings.LastNone {
		return wish{}
	}
	if cd < -1 || (cd == 0 || cd == -1) && two == pairing.Black {
		return wish{pairing.White, true}
	}
	if cd > 1 || (cd == 0 || cd == 1) && two == pairing.White {
		return wish{pairing.Black, true}
	}
	if typeB && (cd == -1 || cd == 0 && !last && colours[n-1] == pairing.Black) {
		return wish{pairing.White, false}
	}
	if typeB && (cd == 1 || cd == 0 && !last && colours[n-1] == pairing.White) {
		return wish{pairing.Black, false}
	}
	return wish{}
}

// colour is the table of 4.3 for the first-team, given the other: index into the field.
func (m *model) colour(a, b int, initial pairing.Colour) (first int, colour pairing.Colour) {
	totals := func(i int) [3]int {
		var sum [3]int
		for _, c := range m.h.Field[i].Cells {
			sum[0] += int(c.Points)
			sum[1] += int(c.Secondary)
		}
		if m.p.NoSecondary {
			sum[1] = 0
		}
		sum[2] = -i
		return sum
	}
	x, y := totals(a), totals(b)
	if slices.Compare(x[:], y[:]) < 0 {
		a, b = b, a
	}
	turn := func(c pairing.Colour) pairing.Colour { return 3 - c }
	ca, cb := m.h.Field[a].Colours(), m.h.Field[b].Colours()
	wa, wb := m.preference(a), m.preference(b)
	difference := func(colours []pairing.Colour) (cd int) {
		for _, c := range colours {
			cd += map[pairing.Colour]int{pairing.White: 1, pairing.Black: -1}[c]
		}
		return cd
	}
	if len(ca) == 0 && len(cb) == 0 { // 4.3.1
		if a%2 == 0 { // an odd number
			return a, initial
		}
		return a, turn(initial)
	}
	if wa.colour != 0 && wb.colour == 0 { // 4.3.2
		return a, wa.colour
	}
	if wa.colour == 0 && wb.colour != 0 {
		return a, turn(wb.colour)
	}
	if wa.colour != wb.colour { // 4.3.3
		return a, wa.colour
	}
	if m.p.Preference == teamswiss.TypeB && wa.strong != wb.strong { // 4.3.4
		if wa.strong {
			return a, wa.colour
		}
		return a, turn(wb.colour)
	}
	if da, db := difference(ca), difference(cb); da != db { // 4.3.5
		if da < db {
			return a, pairing.White
		}
		return a, pairing.Black
	}
	for k := 1; k <= min(len(ca), len(cb)); k++ { // 4.3.6
		if ca[len(ca)-k] != cb[len(cb)-k] {
			return a, turn(ca[len(ca)-k])
		}
	}
	if wa.colour != 0 { // 4.3.7
		return a, wa.colour
	}
	if len(ca) > 0 { // 4.3.8
		return a, turn(ca[len(ca)-1])
	}
	return a, cb[len(cb)-1] // 4.3.9
}
