package quiwin

import "quatuor/engine"

// View is a game of Qui'win in the eyes of a viewer. A tile shows as its colour, r? or o?, if its length is hidden from
// the viewer.
type View struct {
	// Phase is lay (both seats choose a tile), window (the awaited seats choose an action), more (one seat chooses an
	// action after the other's was carried out), give (one seat chooses the tile it loses to a transfer) or over.
	Phase string `json:"phase"`
	// Slot, from 1 to 8, is the slot to be laid in the phase lay, otherwise the slot laid last.
	Slot int `json:"slot"`
	// Tier, from 1 to 3, is the tier of that slot.
	Tier int `json:"tier"`
	// Seats holds both seats, in order.
	Seats []SeatView `json:"seats"`
	// Change is the seat that used the token for change, 0 if it is free.
	Change engine.Seat `json:"change"`
	// Transfer is the use of the token for transfer.
	Transfer Transfer `json:"transfer"`
	// Discarded lists the tiles that actions took out of the game, in order.
	Discarded []Discarded `json:"discarded"`
	// Tiers holds the tiers measured so far.
	Tiers []Tier `json:"tiers"`
	// Lead is the seat that leads, 0 for none.
	Lead engine.Seat `json:"lead"`
	// BagCount is the number of tiles in the bag.
	BagCount int `json:"bag_count"`
	// Bag lists them in drawing order, once the game is over.
	Bag []string `json:"bag,omitempty"`
}

// Chosen reports whether a seat has made its choice for the present turn.
func (v View) Chosen(seat engine.Seat) bool { return v.Phase != "over" && v.Seats[seat-1].HasChosen }

// SeatView is a seat in the eyes of a viewer.
type SeatView struct {
	Seat engine.Seat `json:"seat"`
	// Row holds the tiles laid, by slot.
	Row []string `json:"row"`
	// HandCount is the number of tiles in the hand, with a tile that is chosen but not laid yet.
	HandCount int `json:"hand_count"`
	// Hand lists them in order of name, for the seat itself and once the game is over.
	Hand []string `json:"hand,omitempty"`
	// HasChosen is true once the seat has made its secret choice of this turn.
	HasChosen bool `json:"has_chosen"`
	// Choice is that choice, for the seat itself and once the game is over.
	Choice string `json:"choice,omitempty"`
}

// Transfer is the use of the token for transfer: seat By moved the tile it had in Slot into the other seat's slot Into.
// By is 0 while the token is free, Into is 0 until the other seat has chosen the tile to give.
type Transfer struct {
	By   engine.Seat `json:"by"`
	Slot int         `json:"slot"`
	Into int         `json:"into"`
}

// Discarded is a tile that left the game from a seat's row and slot.
type Discarded struct {
	Tile string      `json:"tile"`
	Seat engine.Seat `json:"seat"`
	Slot int         `json:"slot"`
}

// Tier is a tier that was measured: the lengths of both rows so far in millimetres, by seat, and the seat that won it,
// 0 if they were equal.
type Tier struct {
	Tier    int         `json:"tier"`
	Lengths []int       `json:"lengths"`
	Winner  engine.Seat `json:"winner"`
}

// View returns v's view. It is built up from v's knowledge, not stripped down from the whole state.
func (s state) View(v engine.Viewer) engine.View { return s.view(v) }

func (s state) view(v engine.Viewer) View {
	f := s.full
	view := View{
		Phase: f.phase.String(), Slot: max(f.laid, 1), Change: f.change,
		Transfer: Transfer{f.transfer.by, f.transfer.slot, f.transfer.into}, Lead: f.lead,
		BagCount: bagSize - f.drawn, Discarded: []Discarded{}, Tiers: []Tier{},
	}
	switch {
	case f.end != nil:
		view.Phase = "over"
		view.Bag = names(f.bag[f.drawn:])
	case f.phase == lay:
		view.Slot = f.laid + 1
	}
	view.Tier = tierOf(view.Slot)
	for _, seat := range bothSeats {
		view.Seats = append(view.Seats, f.viewSeat(v, seat))
	}
	for _, l := range f.out {
		view.Discarded = append(view.Discarded, Discarded{shown(l.tile, f.knows(v, l.seat, l.slot)), l.seat, l.slot})
	}
	for tier := 1; tier <= f.measured; tier++ {
		view.Tiers = append(view.Tiers, Tier{tier, []int{f.total(1, tier), f.total(2, tier)}, f.winner(tier)})
	}
	return view
}

func (f *full) viewSeat(v engine.Viewer, seat engine.Seat) SeatView {
	chosen := f.chosen[seat-1]
	view := SeatView{Seat: seat, Row: []string{}, HandCount: handSize - f.laid, HasChosen: chosen != noToken}
	for i, t := range f.rows[seat-1][:f.laid] {
		view.Row = append(view.Row, shown(t, f.knowsRow(v, seat, i+1)))
	}
	if v.Holds(seat) || f.end != nil {
		view.Hand = names(f.hand(seat))
		view.Choice = chosen.String()
	}
	return view
}

// hand returns a seat's tiles in order of name.
func (f *full) hand(seat engine.Seat) []tile {
	var list []tile
	for t, count := range f.hands[seat-1] {
		for range count {
			list = append(list, tile(t))
		}
	}
	return list
}

func names(list []tile) []string {
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = t.String()
	}
	return words
}

func shown(t tile, known bool) string {
	if known {
		return t.String()
	}
	return t.outside()
}
