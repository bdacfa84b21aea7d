package quiwin

import (
	"slices"

	"quatuor/engine"
)

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
