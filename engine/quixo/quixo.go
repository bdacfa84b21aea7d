// Package quixo implements the rules of Quixo for two players and for two teams of two.
//
// A cube is taken from the border and pushed back in from an end of its row or column, with the mover's mark up.
// Five in a line win, but a side that completes a line of the other side loses. In teams the dot of each marked cube
// points to a partner, and only that partner may take it.
//
// The printed rules leave a point open that is decided here: a position text is accepted only if its board has a line
// exactly when its status names a line as the reason.
package quixo

import (
	"strconv"

	"quatuor/engine"
)

// size is the edge of the board that is played on; newGeometry takes others, for solving small boards.
const size = 5

// variant implements a variant of Quixo.
type variant struct {
	info  engine.Info
	teams bool
	geo   *geometry
}

var (
	five = newGeometry(size)
	duel = &variant{engine.Info{
		ID: "quixo/duel", Seats: []int{2}, Sides: 2, Endless: true, Game: "Quixo", Name: "Quixo", Marks: marks,
		Summary: "Take a cube that is blank or your own from the border of the 5×5 board and push it back in from an end " +
			"of its row or column, your mark up. Five of your marks in a line win; completing the other side's line loses.",
	}, false, five}
	teams = &variant{engine.Info{
		ID: "quixo/teams", Seats: []int{4}, Sides: 2, Endless: true, Game: "Quixo", Name: "Quixo in teams", Marks: marks,
		Summary: "Quixo for two against two. Each marked cube also points to one of the two partners, and only that one " +
			"may take it again.",
	}, true, five}
	marks = []string{"x", "o"}
)

// Variants returns quixo/duel and quixo/teams.
func Variants() []engine.Rules { return []engine.Rules{duel, teams} }

// Info describes the variant.
func (v *variant) Info() engine.Info { return v.info }

// Start returns the blank board with seat 1 on turn.
func (v *variant) Start(engine.Setup) (engine.State, error) {
	return &state{position: position{turn: 1}, variant: v}, nil
}

// seats returns the number of seats at the board.
func (v *variant) seats() int { return v.info.Seats[0] }

// next returns the seat on turn after s.
func (v *variant) next(s engine.Seat) engine.Seat {
	if int(s) == v.seats() {
		return 1
	}
	return s + 1
}

// sideOf returns a seat's side as an index, 0 or 1.
func sideOf(s engine.Seat) int { return int(s-1) & 1 }

// isSecond reports whether a dot to s points to the second partner of its side.
func isSecond(s engine.Seat) bool { return s > 2 }

// AppendView appends a view as JSON without building it.
func (s *state) AppendView(b []byte, _ engine.Viewer) []byte {
	geo := s.variant.geo
	faces := s.faces()
	b = strconv.AppendInt(append(b, `{"size":`...), int64(geo.board.Size()), 10)
	b = geo.texts.Append(append(b, `,"rows":`...), faces[:])
	return append(b, '}')
}
