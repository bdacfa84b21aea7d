package quiwin_test

import (
	"fmt"
	"slices"
	"strings"

	"quatuor/engine"
	"quatuor/engine/quiwin"
)

// seenBy returns what the holder of some seats sees of a tile on the table.
func (p *piece) seenBy(seats []int) string {
	if p.known[0] || slices.ContainsFunc(seats, func(s int) bool { return p.known[s] }) ||
		strings.ContainsAny(p.name, "gyb") {
		return p.name
	}
	return p.name[:1] + "?"
}

// Watch compares what a spectator, each seat and the holder of both see with what the rules let them.
func (r *referee) Watch(m *engine.Match) error {
	for _, seats := range [][]int{{}, {1}, {2}, {1, 2}} {
		var v engine.Viewer
		switch len(seats) {
		case 1:
			v = engine.ViewerOf(engine.Seat(seats[0]))
		case 2:
			v = engine.ViewerOf(1, 2)
		}
		p := m.Project(v)
		if got, want := summary(p.View.(quiwin.View)), r.table(seats); got != want {
			return fmt.Errorf("who holds %v sees\n%s, by the rules\n%s", seats, got, want)
		}
		for i, e := range p.Events {
			if want := r.reads(r.log[i], seats); e.Text != want {
				return fmt.Errorf("who holds %v reads event %d as %q, by the rules %q", seats, i, e.Text, want)
			}
		}
	}
	return nil
}

// summary prints all of a view that differs from viewer to viewer.
func summary(v quiwin.View) string {
	text := ""
	for _, s := range v.Seats {
		text += fmt.Sprintf("row %v hand %d %v chosen %v %q; ", s.Row, s.HandCount, s.Hand, s.HasChosen, s.Choice)
	}
	for _, d := range v.Discarded {
		text += fmt.Sprintf("%s@%d.%d ", d.Tile, d.Seat, d.Slot)
	}
	return fmt.Sprintf("%s bag %d %v", text, v.BagCount, v.Bag)
}

// table is the same by the referee's account.
func (r *referee) table(seats []int) string {
	text := ""
	for seat := 1; seat <= 2; seat++ {
		row, hand, chosen := []string{}, []string{}, ""
		for _, p := range r.row[seat] {
			row = append(row, r.sees(p, seats))
		}
		if slices.Contains(seats, seat) || r.end != "" {
			hand, chosen = names(r.hand[seat]), r.chosen[seat]
			slices.Sort(hand)
		}
		text += fmt.Sprintf("row %v hand %d %v chosen %v %q; ", row, len(r.hand[seat]), hand, r.chosen[seat] != "", chosen)
	}
	for _, p := range r.out {
		text += fmt.Sprintf("%s@%d.%d ", r.sees(p.piece, seats), p.seat, p.slot)
	}
	bag := []string{}
	if r.end != "" {
		bag = names(r.bag)
	}
	return fmt.Sprintf("%s bag %d %v", text, len(r.bag), bag)
}

func (r *referee) sees(p *piece, seats []int) string {
	if r.end != "" {
		return p.name
	}
	return p.seenBy(seats)
}

// reads is an event of the log as a viewer reads it.
func (r *referee) reads(e logged, seats []int) string {
	switch {
	case r.end != "":
		return e.text
	case e.sealed && !slices.Contains(seats, e.seat):
		return ""
	case e.piece != nil:
		return e.piece.seenBy(seats)
	}
	return e.text
}
