// Package quivive implements the rules of Quivive: pawns step from podium to podium on a board of 37 cells, and each
// step is followed by the loss of a podium, until a single side can still move.
//
// A game has three phases. In build the seats in turn put nine podiums on cells of height 1 and then three on cells of
// height 2. In pawns they put their pawns on the board. In play the seat on turn moves a pawn of its side to a
// neighbouring cell that has a podium and no pawn, and then removes the top podium of any stack without a pawn.
//
// What the printed rules leave open is decided like this:
//
//   - Heights never matter for moving.
//   - Pawns that cannot move are looked for when a seat's turn arrives in play, before it does anything, so every state
//     that awaits a seat already shows the eliminations. In duel and teams the option stuck decides what becomes of
//     them: removed (all pawns of the side that cannot move go at once) or kept (pawns go only when no pawn of the side
//     can move). A side without pawns has lost.
//   - A game ends as soon as a single side is left, even if that side cannot move either.
//   - A seat that leaves a melee takes its pawn along, and its turns are skipped in every phase; the podiums that it
//     placed stay.
//
// Positions never repeat (every ply changes the number of podiums or pawns for good), but the rule on length applies as
// in any game that the regulations do not exempt, which is why the variants count as endless for the match.
package quivive

import "quatuor/engine"

const (
	onOnes   = 9               // podiums that go on cells of height 1
	onTwos   = 3               // podiums that then go on cells of height 2
	extras   = onOnes + onTwos // podiums placed in the build phase
	supply   = cellCount + extras
	maxSides = 5
	heights  = 4 // of stacks, from 0
)

// rules are a variant of Quivive.
type rules struct {
	info  engine.Info
	pawns int // to be placed before play; 0: as many as seats still in
}

// Variants returns quivive/duel, quivive/melee and quivive/teams.
func Variants() []engine.Rules {
	stuck := []engine.Option{{Key: "stuck", Values: []string{"removed", "kept"}}}
	return []engine.Rules{
		&rules{engine.Info{
			ID: "quivive/duel", Seats: []int{2}, Sides: 2, Options: stuck, Endless: true, Game: "Quivive", Name: "Quivive",
			Summary: "Build podiums, place two pawns each, then step to a neighbouring podium and take one podium away. Who " +
				"can no longer step is out.",
		}, 4},
		&rules{engine.Info{
			ID: "quivive/melee", Seats: []int{3, 4, 5}, Endless: true, Game: "Quivive", Name: "Quivive, melee",
			Summary: "Qui vive for three to five with one pawn each; the last one standing wins.",
		}, 0},
		&rules{engine.Info{
			ID: "quivive/teams", Seats: []int{4}, Sides: 2, Options: stuck, Endless: true, Game: "Quivive",
			Name: "Quivive in teams", Summary: "Qui vive for two against two; partners may both move either pawn of their side.",
		}, 4},
	}
}

// Info describes the variant.
func (r *rules) Info() engine.Info { return r.info }

// Start returns the board with a podium on every cell and nothing else.
func (r *rules) Start(setup engine.Setup) (engine.State, error) {
	s := r.empty(setup)
	s.low = everywhere
	s.turn = 1
	return s, nil
}

func (r *rules) empty(setup engine.Setup) *state {
	return &state{rules: r, seats: int8(setup.Seats), kept: setup.Regulations.Option("stuck") == "kept"}
}

// melee reports whether every seat is a side of its own.
func (r *rules) melee() bool { return r.info.Sides == 0 }
