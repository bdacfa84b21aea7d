package board

import (
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/quiwin"
)

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

// quiwinRow says where a seat's tiles lie; between the rows lie the tiers.
type quiwinRow struct{ tiles, hand float64 }

var quiwinRows = [2]quiwinRow{{tiles: 122, hand: 174}, {tiles: 42, hand: 4}}

// quiwinRow returns where a seat's tiles lie: those of seat 1 below, or above where the board is turned.
func (d *drawing) quiwinRow(seat engine.Seat) quiwinRow {
	if d.turn == 2 {
		seat = 3 - seat
	}
	return quiwinRows[seat-1]
}

// quiwinTiers are the first and last slots of the tiers, and which row wins them.
var quiwinTiers = []struct {
	first, last int
	wins        string
}{{1, 2, "shorter"}, {3, 6, "longer"}, {7, 8, "shorter"}}

func (d *drawing) quiwin(view quiwin.View) {
	d.width, d.height = rowsLeft+slots*slotWidth+2*tierGap+2, 206
	hands := 0
	for _, seat := range view.Seats {
		hands += seat.HandCount
		d.quiwinSeat(view, seat)
	}
	if hands == 0 {
		d.top, d.height = quiwinRows[1].tiles-4, quiwinRows[0].tiles+tileHeight+4-(quiwinRows[1].tiles-4)
	}
	d.tiers(view)
	for _, tier := range view.Tiers {
		d.rods(view, tier)
	}
	for _, tile := range view.Discarded {
		d.say("discarded", "Seat", tile.Seat, "Tile", d.tileInWords(tile.Tile), "Slot", tile.Slot)
	}
}

func (d *drawing) quiwinSeat(view quiwin.View, seat quiwin.SeatView) {
	at := d.quiwinRow(seat.Seat)
	d.piece(13, at.tiles+tileHeight/2, 10, seat.Seat)
	latest := len(seat.Row)
	var words []string
	for slot := 1; slot <= slots; slot++ {
		x := slotLeft(slot)
		if slot > len(seat.Row) {
			d.rect("b-slot", x, at.tiles, tileWidth, tileHeight, 4)
			continue
		}
		d.bar(seat.Row[slot-1], x, at.tiles, tileWidth, tileHeight)
		if slot == latest && view.Phase != "over" {
			d.rect("b-last b-to", x-1, at.tiles-1, tileWidth+2, tileHeight+2, 5)
		}
		words = append(words, d.tileInWords(seat.Row[slot-1]))
	}
	if len(words) == 0 {
		words = []string{d.word("no_tiles")}
	}
	d.say("row", "Seat", seat.Seat, "Tiles", strings.Join(words, ", "))
	d.hand(seat, at.hand)
}

// hand draws a seat's hand: its tiles where the viewer may know them, otherwise their backs.
func (d *drawing) hand(seat quiwin.SeatView, y float64) {
	chosen := false
	var words []string
	for i := range seat.HandCount {
		x := rowsLeft + float64(i)*(handWidth+4)
		if i >= len(seat.Hand) {
			d.rect("b-back", x, y, handWidth, handHeight, 3)
			continue
		}
		name := seat.Hand[i]
		d.bar(name, x, y, handWidth, handHeight)
		if name == seat.Choice && !chosen {
			chosen = true
			d.rect("b-last b-to", x-1, y-1, handWidth+2, handHeight+2, 4)
		}
		words = append(words, d.tileInWords(name))
	}
	if len(words) > 0 {
		d.say("hand", "Seat", seat.Seat, "Tiles", strings.Join(words, ", "))
		return
	}
	d.say("in_hand", "Seat", seat.Seat, "Count", seat.HandCount)
}

// tiers writes between the rows what wins each tier, or how it was measured.
func (d *drawing) tiers(view quiwin.View) {
	const middle, above, below = 102.0, 95.0, 109.0
	for i, tier := range quiwinTiers {
		left, right := slotLeft(tier.first), slotLeft(tier.last)+tileWidth
		x := (left + right) / 2
		d.rect("b-tier", left-2, middle-13, right-left+4, 26, 3)
		if i >= len(view.Tiers) {
			d.text("b-tier-word", x, middle, d.word(tier.wins))
			continue
		}
		measured := view.Tiers[i]
		d.text("b-tier-word", x, above, lengthWords(measured, d.upper()))
		d.text("b-tier-word", x, below, lengthWords(measured, 3-d.upper()))
		d.say("tier_"+tier.wins, "Tier", measured.Tier, "First", measured.Lengths[0], "Second", measured.Lengths[1],
			"Winner", d.winnerWords(measured))
	}
	if view.Lead > 0 {
		d.say("leads", "Seat", view.Lead)
	}
}

// upper returns the seat whose row lies above.
func (d *drawing) upper() int {
	if d.turn == 2 {
		return 1
	}
	return 2
}

// Lengths of the rods that show a measuring, in units of the drawing.
const (
	rodScale  = 1.25 // for a millimetre
	rodHeight = 10.0
	rodGap    = 3.0
	rodHead   = 14.0 // for the tier's name
)

// rods draws both rows up to a tier to scale, one below the other from the same edge, as they are measured.
func (d *drawing) rods(view quiwin.View, tier quiwin.Tier) {
	y := d.top + d.height + rodHead
	d.text("b-rod-head b-start", rowsLeft, y-rodHead/2, d.word("rods_"+quiwinTiers[tier.Tier-1].wins, "Tier", tier.Tier))
	for i, seat := range []int{d.upper(), 3 - d.upper()} {
		x, top := rowsLeft, y+float64(i)*(rodHeight+rodGap)
		digit := strconv.Itoa(seat)
		d.text("b-rod-seat", rowsLeft-9, top+rodHeight/2, digit)
		row := view.Seats[seat-1].Row
		for _, name := range row[:min(quiwinTiers[tier.Tier-1].last, len(row))] {
			length, err := strconv.ParseFloat(name[1:], 64)
			if err != nil {
				continue // not known to the viewer
			}
			d.rect("b-bar b-bar-"+name[:1], x, top, length*rodScale, rodHeight, 1)
			x += length * rodScale
		}
		d.text("b-rod-length b-start", x+4, top+rodHeight/2, lengthWords(tier, seat))
	}
	shorter := rowsLeft + float64(min(tier.Lengths[0], tier.Lengths[1]))*rodScale
	d.path("b-rod-edge", "M"+num(shorter)+" "+num(y-2)+"L"+num(shorter)+" "+num(y+2*rodHeight+rodGap+2))
	d.height += rodHead + 2*rodHeight + rodGap + 6
}

// lengthWords is a row's length up to a tier, with a star where it won.
func lengthWords(tier quiwin.Tier, seat int) string {
	text := strconv.Itoa(tier.Lengths[seat-1])
	if int(tier.Winner) == seat {
		return "★ " + text
	}
	return text
}

func (d *drawing) winnerWords(tier quiwin.Tier) string {
	if tier.Winner == 0 {
		return d.word("nobody_wins")
	}
	return d.word("wins", "Seat", tier.Winner)
}

func slotLeft(slot int) float64 {
	gaps := 0.0
	for _, tier := range quiwinTiers[1:] {
		if slot >= tier.first {
			gaps += tierGap
		}
	}
	return rowsLeft + float64(slot-1)*slotWidth + gaps
}

// bar draws a tile such as "o25" or "o?": its colour, the colour's letter, and its length in millimetres if it is known.
func (d *drawing) bar(name string, x, y, width, height float64) {
	if len(name) < 2 {
		return
	}
	d.rect("b-bar b-bar-"+name[:1], x, y, width, height, 3)
	d.text("b-bar-letter b-on-"+name[:1], x+width/2, y+height*0.29, name[:1])
	d.text("b-bar-length b-on-"+name[:1], x+width/2, y+height*0.69, name[1:])
}

var tileColours = map[byte]string{'g': "green", 'r': "red", 'y': "yellow", 'b': "blue", 'o': "orange"}

func (d *drawing) tileInWords(name string) string {
	if len(name) < 2 {
		return name
	}
	if name[1:] == "?" {
		return d.word("tile_unknown", "Colour", d.word(tileColours[name[0]]))
	}
	return d.word(tileColours[name[0]]) + " " + name[1:]
}
