// Package face is the outside of Qui'win: its rows, its moves in words, and its bot for sealed choices and hidden
// hands.
//
// The bot searches by information set Monte Carlo tree search (Cowling, Powley, Whitehouse: "Information Set Monte
// Carlo Tree Search", 2012, with a tree for each seat).
//
// Each iteration guesses the hidden tiles at random among the deals that fit what the seat has seen, and plays that
// game to its end. Each seat chooses by statistics that it shares between all positions that it cannot distinguish, and
// that differ in nothing that counts for the end: UCB1 (Auer, Cesa-Bianchi, Fischer 2002), and at random without
// statistics. As both choose by what their own seat sees, sealed choices need no special treatment.
package face

import "quatuor/engine/face"

// Face is the face of Qui'win.
var Face face.Face = outside{}

type outside struct{ face.Plain }

func (outside) Figures() map[string]face.Figure {
	return map[string]face.Figure{"quiwin-rows": {
		Variant: "quiwin/duel",
		Seed:    "0000000000000000000000000000000000000000000000000000005175697798",
		Moves:   "1:r23 2:o25 1:change 1:r25 2:o23 1:r24 2:g22 1:r23 2:y23 1:g22 2:b24 2:none 1:b24 2:y23 2:none",
	}}
}
