// Package quits implements the rules of Quits: the game for two with five marbles, the short game with three, and
// the game for four.
//
// A turn steps a marble, or slides a row or column by a square: the empty tile at either end is lifted and put back at
// the other. A marble that reaches the corner opposite its owner's leaves the board, no matter which seat moved it;
// enough marbles out win.
//
// What the printed rules leave open is decided here. The forbidden slide is printed whether or not the seat on
// turn could make it. In the game for four a leaving does not lift it. A position text is accepted only if the
// marbles on the board and out add up to those of the start, and its outcome follows from its fields.
package quits

import "quatuor/engine"

const (
	size     = 5
	maxSeats = 4
)

// variant is a variant of Quits under a choice of its options.
type variant struct {
	info    engine.Info
	needed  int // marbles out that win
	marbles int // marbles of each seat at the start
	corners []corner
	players [maxSeats]player // by seat - 1
}

// corner is the place of a seat: the direction from it over the board, in files and ranks.
type corner struct{ file, rank int }

var (
	steps    = engine.Option{Key: "steps", Values: []string{diagonal, forward}}
	opposite = []corner{{1, 1}, {-1, -1}}
	around   = []corner{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
)

// The values of the option steps.
const (
	diagonal = "diagonal"
	forward  = "forward"
)

// rules are a variant of Quits, with the variant for either choice of steps.
type rules struct{ diagonal, forward *variant }

var all = []engine.Rules{
	newRules(engine.Info{
		ID: "quits/duel", Name: "Quits",
		Summary: "Bring marbles from your corner to the one opposite, by steps or by sliding a row or column whose end " +
			"tile is empty. The first with three of five marbles out wins.",
	}, opposite, 5, 3),
	newRules(engine.Info{
		ID: "quits/short", Name: "Quits, short", Summary: "Quits with three marbles each; the first marble out wins.",
	}, opposite, 3, 1),
	newRules(engine.Info{
		ID: "quits/four", Name: "Quits for four",
		Summary: "Quits for four, one in each corner, with three marbles each; the first marble out wins.",
	}, around, 3, 1),
}

// Variants returns quits/duel, quits/short and quits/four.
func Variants() []engine.Rules { return append([]engine.Rules(nil), all...) }

// newRules completes the info of a variant, which names it.
func newRules(info engine.Info, corners []corner, marbles, needed int) *rules {
	info.Game = "Quits"
	info.Seats = []int{len(corners)}
	info.Sides = len(corners)
	info.Options, info.Endless = []engine.Option{steps}, true
	return &rules{
		newVariant(info, corners, marbles, needed, diagonal), newVariant(info, corners, marbles, needed, forward),
	}
}

// Info describes the variant.
func (r *rules) Info() engine.Info { return r.diagonal.info }

// Start returns the first position.
func (r *rules) Start(setup engine.Setup) (engine.State, error) {
	v := r.under(setup)
	p := position{turn: 1, forbidden: none}
	for i := range v.corners {
		p.marbles[i] = v.players[i].start
	}
	return &state{position: p, variant: v}, nil
}

// under returns the variant with the options of a setup.
func (r *rules) under(setup engine.Setup) *variant {
	if setup.Regulations.Option(steps.Key) == forward {
		return r.forward
	}
	return r.diagonal
}

// seats returns the number of seats at the board.
func (v *variant) seats() int { return len(v.corners) }
