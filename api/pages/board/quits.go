package board

import (
	"strconv"

	"quatuor/engine"
	"quatuor/engine/quits"
)

func (d *drawing) quits(view quits.View) {
	s := surface{view.Size, d.turn}
	d.frame(s)
	d.coordinates(s)
	goals := map[string]engine.Seat{}
	for _, p := range view.Players {
		goals[p.Goal] = p.Seat
	}
	from, to, slid := pair(d.last, ">")
	for i, row := range view.Rows {
		var words []string
		for _, tile := range row {
			at, ok := parseSquare(tile.Square)
			if !ok {
				continue
			}
			d.tile(s, at, goals[tile.Square], slid && onLine(at, from, to))
			words = append(words, d.tileWords(tile))
		}
		d.rank(view.Size-i, words)
	}
	d.quitsLast(s, from, to, slid)
	for _, row := range view.Rows {
		for _, tile := range row {
			if at, ok := parseSquare(tile.Square); ok && tile.Owner > 0 {
				x, y := s.centre(at)
				d.piece(x, y, 13, tile.Owner)
			}
		}
	}
	for _, p := range view.Players {
		if at, ok := parseSquare(p.Goal); ok && d.wonBy(int(p.Seat), engine.ReasonOut) {
			x, y := s.centre(at)
			d.rect("b-won", x-unit/2+2.5, y-unit/2+2.5, unit-5, unit-5, 4)
		}
		d.say("goal", "Seat", p.Seat, "Goal", p.Goal, "Out", p.Out, "Needed", view.Needed)
	}
}

// tile draws one loose tile; a goal bears the seat whose marbles leave there.
func (d *drawing) tile(s surface, at square, goal engine.Seat, slid bool) {
	x, y := s.centre(at)
	class := "b-tile"
	if slid {
		class += " b-slid"
	}
	d.rect(class, x-unit/2+1.5, y-unit/2+1.5, unit-3, unit-3, 3)
	if goal > 0 {
		seat := strconv.Itoa(int(goal))
		d.circle("b-goal b-seat-"+seat, x, y, 16)
		d.text("b-goal-word b-seat-"+seat, x, y, seat)
	}
}

func (d *drawing) quitsLast(s surface, from, to square, slid bool) {
	if slid {
		d.pushed(s, from, to)
	}
	if a, b, ok := pair(d.last, "-"); ok {
		d.mark(s, "b-from", a)
		d.mark(s, "b-to", b)
	}
	if d.last != "" {
		d.say("last_move", "Move", d.last)
	}
}

// onLine reports whether a square lies on the row or column from one end to the other.
func onLine(at, from, to square) bool {
	if from.file == to.file {
		return at.file == from.file
	}
	return at.rank == from.rank
}

// piece draws a marble or pawn with its seat's digit.
func (d *drawing) piece(x, y, r float64, seat engine.Seat) {
	digit := strconv.Itoa(int(seat))
	d.circle("b-piece b-seat-"+digit, x, y, r)
	d.text("b-digit b-seat-"+digit, x, y, digit)
}

func (d *drawing) tileWords(tile quits.Tile) string {
	if tile.Owner == 0 {
		return d.word("empty")
	}
	return d.word("seat", "Seat", tile.Owner)
}
