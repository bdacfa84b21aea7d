// Package quiwin implements the rules of Qui'win: two seats lay tiles of hidden length side by side, and the
// lengths of the rows decide three tiers.
//
// A game has eight rounds. In each round both seats choose a tile of their hand in secret; when both have, both tiles
// are laid at the next slot. Slots 1-2 are tier 1, 3-6 tier 2, 7-8 tier 3. An action window follows each laying, and
// after the last window of a tier the rows are measured: the shorter row wins tiers 1 and 3, the longer row tier 2.
//
// # The action window
//
// Every seat that has a legal action and has not used its only action yet is awaited. What is legal depends only on the
// colours lying open and on the tokens, so whether a window opens, and which seats are awaited, reveals nothing. These
// seats choose in secret among their legal actions and none. Then:
//
//	chosen                 carried out                           may choose once more, single and open
//	nothing                nothing                               no seat
//	one action             it                                    the other seat
//	change and transfer    the change, then the transfer         no seat: both have used their action,
//	                       if it is still legal                  or the transfer lapsed
//	the same action twice  that of the seat drawn (0 = seat 1)   the other seat: its choice lapsed
//
// The seat in the last column is awaited only if it has a legal action by then and has not used its own; whatever it
// chooses is carried out, and the window ends. In a transfer the other seat first chooses the tile that leaves
// (give-N), even where it has no other; the token is spent when the action begins. A choice that lapses spends nothing.
//
// # What may be touched
//
// Only tiles of the tier in play. A seat's last tile is the tile that lies now in the slot laid last: a tile that an
// action put there has taken its place in every respect, colour included. The window follows the laying at once, so
// that slot always belongs to the tier in play.
//
// Each of the two tokens is used at most once in a game and draws a single tile, so the bag of 14 cannot run out.
//
// # What each seat sees
//
// A tile lying in a row, or discarded from one, is known to the seat of the row, and a tile that a transfer moved is
// known to both seats; all other viewers see its colour until its tier is measured. A tile moved by a transfer is never
// discarded: it comes to the row of the seat that was acted on, and the last action left can only be that seat's, on
// the other row. The log shows a laid tile to the viewers that may know that tile, wherever it lies now.
//
// The full state is kept behind a pointer in an unexported field, so that printing or encoding a state shows
// nothing.
package quiwin

import "quatuor/engine"

// rules implements the only variant of Qui'win.
type rules struct{ info engine.Info }

// Variants returns quiwin/duel.
func Variants() []engine.Rules {
	return []engine.Rules{
		&rules{engine.Info{
			ID: "quiwin/duel", Seats: []int{2}, Sides: 2, Secret: true, SeatPrefix: true, Game: "Qui’win", Name: "Qui’win",
			Summary: "Eight rounds of tiles chosen in secret: shorter, then longer, then shorter rows win the three tiers. " +
				"Each may change or transfer a tile once.",
		}},
	}
}

// Info describes the variant.
func (r *rules) Info() engine.Info { return r.info }

// Start shuffles the tiles with the seed and deals them: eight to each seat, the rest to the bag.
func (r *rules) Start(setup engine.Setup) (engine.State, error) {
	if setup.Seed.IsZero() {
		return nil, engine.Refuse(engine.ErrSetup, "%s needs a seed", r.info.ID)
	}
	f := &full{rules: r, seed: setup.Seed}
	deck := tiles()
	for i := len(deck) - 1; i > 0; i-- {
		j := f.draw(uint64(i + 1))
		deck[i], deck[j] = deck[j], deck[i]
	}
	for i, t := range deck[:seats*handSize] {
		f.hands[i/handSize][t]++
	}
	copy(f.bag[:], deck[seats*handSize:])
	return state{f}, nil
}
