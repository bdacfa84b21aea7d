package board

import (
	"strings"

	"quatuor/engine/quixo"
)

func (d *drawing) quixo(view quixo.View) {
	s := surface{view.Size, d.turn}
	d.frame(s)
	edge := float64(view.Size) * unit
	d.rect("b-base", rim+margin-3, margin-3, edge+6, edge+6, 6)
	d.coordinates(s)
	for i, row := range view.Rows {
		var words []string
		for _, cube := range row {
			d.cube(s, cube)
			words = append(words, d.cubeWords(cube))
		}
		d.rank(view.Size-i, words)
	}
	for _, line := range d.wonLines(view) {
		d.wonLine(s, line)
	}
	from, end, ok := pair(d.last, "-")
	if ok {
		d.mark(s, "b-to", end)
		d.pushed(s, from, end)
		d.say("last_move", "Move", d.last)
	}
}

// cube draws one cube, with its mark and, in teams, its dot on the side of the seat that it points to.
func (d *drawing) cube(s surface, cube quixo.Cube) {
	at, ok := parseSquare(cube.Square)
	if !ok {
		return
	}
	x, y := s.centre(at)
	class := "b-cube"
	if !cube.Border {
		class += " b-inner"
	}
	d.rect(class, x-unit/2+2, y-unit/2+2, unit-4, unit-4, 4)
	r := 9.5
	if cube.Dot > 0 {
		r = 8
	}
	switch cube.Mark {
	case "x":
		d.path("b-x", cross(x, y, r))
	case "o":
		d.circle("b-o", x, y, r+0.5)
	}
	const off = 13.5 // south, west, north, east as the seats sit
	dot := int(cube.Dot)
	if dot > 0 {
		dot = (dot+3-s.turn)%4 + 1
	}
	switch dot {
	case 1:
		d.circle("b-dot", x, y+off, 2.6)
	case 2:
		d.circle("b-dot", x-off, y, 2.6)
	case 3:
		d.circle("b-dot", x, y-off, 2.6)
	case 4:
		d.circle("b-dot", x+off, y, 2.6)
	}
}

func (d *drawing) cubeWords(cube quixo.Cube) string {
	switch {
	case cube.Mark == "":
		return d.word("blank")
	case cube.Dot > 0:
		return d.word("mark_for_seat", "Mark", cube.Mark, "Seat", cube.Dot)
	}
	return cube.Mark
}

// pair reads the two squares of a move such as "c1-c5" or "a3>e3"; what follows the second square is let be.
func pair(token, separator string) (from, to square, ok bool) {
	first, rest, found := strings.Cut(token, separator)
	if !found || len(rest) < 2 {
		return from, to, false
	}
	from, ok = parseSquare(first)
	if !ok {
		return from, to, false
	}
	to, ok = parseSquare(rest[:2])
	return from, to, ok
}
