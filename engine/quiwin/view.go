package quiwin

import (
	"slices"
	"strconv"

	"quatuor/engine"
)

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

// knows reports whether a viewer may know a tile that lay in a slot of a seat's row and did not come there from the
// other row.
func (f *full) knows(v engine.Viewer, seat engine.Seat, slot int) bool {
	return f.end != nil || tierOf(slot) <= f.measured || v.Holds(seat)
}

// knowsRow reports whether a viewer may know the tile that lies in a slot now: both seats know a transferred tile.
func (f *full) knowsRow(v engine.Viewer, seat engine.Seat, slot int) bool {
	transferred := f.transfer.by == other(seat) && f.transfer.into == slot
	return f.knows(v, seat, slot) || transferred && v.Holds(f.transfer.by)
}

// knowsLaid reports whether a viewer may know the tile that a seat laid in a slot, wherever it is now.
func (f *full) knowsLaid(v engine.Viewer, seat engine.Seat, slot int) bool {
	moved := f.transfer.by == seat && f.transfer.slot == slot && f.transfer.into != 0 && !f.transferredFromBag()
	return f.knows(v, seat, slot) || moved && v.Holds(other(seat))
}

// transferredFromBag reports whether the tile that was transferred came from the bag: the other seat changed the tile
// laid there first. A loss in the actor's row can only be due to the other seat's change.
func (f *full) transferredFromBag() bool {
	return len(f.out) > 1 && f.out[0].seat == f.transfer.by && f.out[0].slot == f.transfer.slot
}

// Redact hides the choices that are still sealed (their text is empty) and the hidden lengths of the tiles laid (only
// their colour remains). Events are read from the end, so the log may also be the tail of a log.
func (s state) Redact(v engine.Viewer, events []engine.Event) []engine.Event {
	f := s.full
	seen := slices.Clone(events)
	if f.end != nil {
		return seen
	}
	sealed, slots := f.chosen, [seats]int{f.laid, f.laid}
	for i := len(seen) - 1; i >= 0; i-- {
		e := &seen[i]
		if e.Kind != engine.Moved {
			continue
		}
		t, n := tokens[e.Text], e.Seat-1
		switch {
		case sealed[n] != noToken:
			sealed[n] = noToken
			if !v.Holds(e.Seat) {
				e.Text = ""
			}
		case t.isTile():
			e.Text = shown(tile(t), f.knowsLaid(v, e.Seat, slots[n]))
			slots[n]--
		}
	}
	return seen
}

// AppendView appends a view as JSON without reflection. It writes nothing but the view: what a viewer may know is
// decided where that is built.
func (s state) AppendView(b []byte, v engine.Viewer) []byte {
	view := s.view(v)
	b = append(append(append(b, `{"phase":"`...), view.Phase...), '"')
	b = appendNumber(b, `,"slot":`, view.Slot)
	b = appendNumber(b, `,"tier":`, view.Tier)
	b = append(b, `,"seats":[`...)
	for i := range view.Seats {
		b = view.Seats[i].append(comma(b, i))
	}
	b = appendNumber(b, `],"change":`, int(view.Change))
	b = appendNumber(b, `,"transfer":{"by":`, int(view.Transfer.By))
	b = appendNumber(b, `,"slot":`, view.Transfer.Slot)
	b = appendNumber(b, `,"into":`, view.Transfer.Into)
	b = append(b, `},"discarded":[`...)
	for i, d := range view.Discarded {
		b = append(append(append(comma(b, i), `{"tile":"`...), d.Tile...), '"')
		b = appendNumber(b, `,"seat":`, int(d.Seat))
		b = append(appendNumber(b, `,"slot":`, d.Slot), '}')
	}
	b = append(b, `],"tiers":[`...)
	for i := range view.Tiers {
		b = view.Tiers[i].append(comma(b, i))
	}
	b = appendNumber(b, `],"lead":`, int(view.Lead))
	b = appendNumber(b, `,"bag_count":`, view.BagCount)
	if len(view.Bag) > 0 {
		b = appendWords(b, `,"bag":`, view.Bag)
	}
	return append(b, '}')
}

func (s *SeatView) append(b []byte) []byte {
	b = appendNumber(b, `{"seat":`, int(s.Seat))
	b = appendWords(b, `,"row":`, s.Row)
	b = appendNumber(b, `,"hand_count":`, s.HandCount)
	if len(s.Hand) > 0 {
		b = appendWords(b, `,"hand":`, s.Hand)
	}
	b = strconv.AppendBool(append(b, `,"has_chosen":`...), s.HasChosen)
	if s.Choice != "" {
		b = append(append(append(b, `,"choice":"`...), s.Choice...), '"')
	}
	return append(b, '}')
}

func (t *Tier) append(b []byte) []byte {
	b = append(appendNumber(b, `{"tier":`, t.Tier), `,"lengths":[`...)
	for i, mm := range t.Lengths {
		b = strconv.AppendInt(comma(b, i), int64(mm), 10)
	}
	return append(appendNumber(b, `],"winner":`, int(t.Winner)), '}')
}

func appendNumber(b []byte, key string, n int) []byte {
	return strconv.AppendInt(append(b, key...), int64(n), 10)
}

// appendWords appends a list of names of tiles, which need no escapes.
func appendWords(b []byte, key string, words []string) []byte {
	b = append(append(b, key...), '[')
	for i, word := range words {
		b = append(append(append(comma(b, i), '"'), word...), '"')
	}
	return append(b, ']')
}

// comma appends the comma before every element of a list but the first.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}
