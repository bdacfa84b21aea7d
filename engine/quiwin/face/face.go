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

import (
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quiwin"
)

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

// Lengths of the two rows of Qui'win, in units of the drawing.
const (
	slotWidth  = 34.0
	tileWidth  = 30.0
	tileHeight = 40.0
	tierGap    = 7.0
	rowsLeft   = 28.0 // where slot 1 begins
	handWidth  = 22.0
	handHeight = 28.0
	slots      = 8
)

// rowPlace holds the y coordinates of a seat's tiles and hand.
type rowPlace struct{ tiles, hand float64 }

var rowPlaces = [2]rowPlace{{tiles: 122, hand: 174}, {tiles: 42, hand: 4}}

// tiersOfSlots are the first and last slots of the tiers, and which row wins them.
var tiersOfSlots = []struct {
	first, last int
	wins        string
}{{1, 2, "shorter"}, {3, 6, "longer"}, {7, 8, "shorter"}}

// Draw draws both rows with the tiers between them, the hands, and the rods that measured a tier.
func (outside) Draw(d *face.Drawing, p engine.Projection) {
	view := p.View.(quiwin.View)
	d.Width, d.Height = rowsLeft+slots*slotWidth+2*tierGap+2, 206
	hands := 0
	for _, seat := range view.Seats {
		hands += seat.HandCount
		drawSeat(d, view, seat)
	}
	if hands == 0 {
		d.Top, d.Height = rowPlaces[1].tiles-4, rowPlaces[0].tiles+tileHeight+4-(rowPlaces[1].tiles-4)
	}
	drawTiers(d, view)
	for _, tier := range view.Tiers {
		drawRods(d, view, tier)
	}
	for _, tile := range view.Discarded {
		d.Say("discarded", "Seat", tile.Seat, "Tile", tileWords(d.Word, tile.Tile), "Slot", tile.Slot)
	}
}

func drawSeat(d *face.Drawing, view quiwin.View, seat quiwin.SeatView) {
	at := rowPlaces[int(seat.Seat-1)^d.Turn/2] // seat 1 below, or above on a turned board
	d.Piece(13, at.tiles+tileHeight/2, 10, seat.Seat)
	latest := len(seat.Row)
	var words []string
	for slot := 1; slot <= slots; slot++ {
		x := slotLeft(slot)
		if slot > len(seat.Row) {
			d.Rect("b-slot", x, at.tiles, tileWidth, tileHeight, 4)
			continue
		}
		drawTile(d, seat.Row[slot-1], x, at.tiles, tileWidth, tileHeight)
		if slot == latest && view.Phase != "over" {
			d.Rect("b-last b-to", x-1, at.tiles-1, tileWidth+2, tileHeight+2, 5)
		}
		words = append(words, tileWords(d.Word, seat.Row[slot-1]))
	}
	if len(words) == 0 {
		words = []string{d.Word("no_tiles")}
	}
	d.Say("row", "Seat", seat.Seat, "Tiles", strings.Join(words, ", "))
	drawHand(d, seat, at.hand)
}

// drawHand draws a seat's hand: its tiles where the viewer may know them, otherwise their backs.
func drawHand(d *face.Drawing, seat quiwin.SeatView, y float64) {
	chosen := false
	var words []string
	for i := range seat.HandCount {
		x := rowsLeft + float64(i)*(handWidth+4)
		if i >= len(seat.Hand) {
			d.Rect("b-back", x, y, handWidth, handHeight, 3)
			continue
		}
		name := seat.Hand[i]
		drawTile(d, name, x, y, handWidth, handHeight)
		if name == seat.Choice && !chosen {
			chosen = true
			d.Rect("b-last b-to", x-1, y-1, handWidth+2, handHeight+2, 4)
		}
		words = append(words, tileWords(d.Word, name))
	}
	if len(words) > 0 {
		d.Say("hand", "Seat", seat.Seat, "Tiles", strings.Join(words, ", "))
		return
	}
	d.Say("in_hand", "Seat", seat.Seat, "Count", seat.HandCount)
}

// drawTiers writes between the rows the condition for winning each tier, or its measurement.
func drawTiers(d *face.Drawing, view quiwin.View) {
	const middle, above, below = 102.0, 95.0, 109.0
	for i, tier := range tiersOfSlots {
		left, right := slotLeft(tier.first), slotLeft(tier.last)+tileWidth
		x := (left + right) / 2
		d.Rect("b-tier", left-2, middle-13, right-left+4, 26, 3)
		if i >= len(view.Tiers) {
			d.Text("b-tier-word", x, middle, d.Word(tier.wins))
			continue
		}
		measured, winner := view.Tiers[i], d.Word("nobody_wins")
		if measured.Winner > 0 {
			winner = d.Word("wins", "Seat", measured.Winner)
		}
		upper := 2 - d.Turn/2
		d.Text("b-tier-word", x, above, lengthWords(measured, upper))
		d.Text("b-tier-word", x, below, lengthWords(measured, 3-upper))
		d.Say("tier_"+tier.wins, "Tier", measured.Tier, "First", measured.Lengths[0], "Second", measured.Lengths[1],
			"Winner", winner)
	}
	if view.Lead > 0 {
		d.Say("leads", "Seat", view.Lead)
	}
}

// Lengths of the rods that show a measuring, in units of the drawing.
const (
	rodScale  = 1.25 // for a millimetre
	rodHeight = 10.0
	rodGap    = 3.0
	rodHead   = 14.0 // for the tier's name
)

// drawRods draws both rows up to a tier to scale, the second below the first from the same edge, as they are measured.
func drawRods(d *face.Drawing, view quiwin.View, tier quiwin.Tier) {
	y := d.Top + d.Height + rodHead
	d.Text("b-rod-head b-start", rowsLeft, y-rodHead/2, d.Word("rods_"+tiersOfSlots[tier.Tier-1].wins, "Tier", tier.Tier))
	for i, seat := range []int{2 - d.Turn/2, 1 + d.Turn/2} { // the upper row first
		x, top := rowsLeft, y+float64(i)*(rodHeight+rodGap)
		digit := strconv.Itoa(seat)
		d.Text("b-rod-seat", rowsLeft-9, top+rodHeight/2, digit)
		row := view.Seats[seat-1].Row
		for _, name := range row[:min(tiersOfSlots[tier.Tier-1].last, len(row))] {
			length, err := strconv.ParseFloat(name[1:], 64)
			if err != nil {
				continue // not known to the viewer
			}
			d.Rect("b-bar b-bar-"+name[:1], x, top, length*rodScale, rodHeight, 1)
			x += length * rodScale
		}
		d.Text("b-rod-length b-start", x+4, top+rodHeight/2, lengthWords(tier, seat))
	}
	shorter := rowsLeft + float64(min(tier.Lengths[0], tier.Lengths[1]))*rodScale
	d.Path("b-rod-edge", "M"+face.Num(shorter)+" "+face.Num(y-2)+"L"+face.Num(shorter)+" "+
		face.Num(y+2*rodHeight+rodGap+2))
	d.Height += rodHead + 2*rodHeight + rodGap + 6
}

// lengthWords is a row's length up to a tier, with a star where it won.
func lengthWords(tier quiwin.Tier, seat int) string {
	text := strconv.Itoa(tier.Lengths[seat-1])
	if int(tier.Winner) == seat {
		return "★ " + text
	}
	return text
}

func slotLeft(slot int) float64 {
	gaps := 0.0
	for _, tier := range tiersOfSlots[1:] {
		if slot >= tier.first {
			gaps += tierGap
		}
	}
	return rowsLeft + float64(slot-1)*slotWidth + gaps
}

// drawTile draws a tile ("o25" or "o?"): its colour, the colour's letter, and its length in millimetres if it is known.
func drawTile(d *face.Drawing, name string, x, y, width, height float64) {
	if len(name) < 2 {
		return
	}
	d.Rect("b-bar b-bar-"+name[:1], x, y, width, height, 3)
	d.Text("b-bar-letter b-on-"+name[:1], x+width/2, y+height*0.29, name[:1])
	d.Text("b-bar-length b-on-"+name[:1], x+width/2, y+height*0.69, name[1:])
}
