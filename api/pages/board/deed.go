package board

import (
	"strings"

	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/quits"
	"quatuor/engine/quivive"
	"quatuor/engine/quiwin"
	"quatuor/engine/quixo"
)

// Deed is a move with the positions on both sides of it, as a viewer may see them.
type Deed struct {
	Event         engine.Event
	Before, After engine.View
	Name          func(seat engine.Seat) string // what a seat is called
}

// Words says what a move did, without who made it and without its token: "moves a marble from b2 to c3". Where it names
// who did what, as when choices are shown that several seats made in secret, named is true. The words are "" where there is
// nothing to say.
func (e Deed) Words(in *message.Printer) (words string, named bool) {
	before, known := e.Before.(quiwin.View)
	after, still := e.After.(quiwin.View)
	d := drawing{in: in}
	if known && still {
		return d.quiwinDeed(e, before, after)
	}
	return d.openDeed(e), false
}

func (d *drawing) openDeed(e Deed) string {
	if e.Event.Text == "pass" {
		return d.word("did.pass")
	}
	switch before := e.Before.(type) {
	case quixo.View:
		return d.quixoDeed(e.Event, before)
	case quits.View:
		if after, ok := e.After.(quits.View); ok {
			return d.quitsDeed(e, before, after)
		}
	case quivive.View:
		if after, ok := e.After.(quivive.View); ok {
			return d.quiviveDeed(e, before, after)
		}
	}
	return ""
}

func (d *drawing) quixoDeed(e engine.Event, before quixo.View) string {
	from, end, ok := pair(e.Text, "-")
	if !ok {
		return ""
	}
	what := d.word("blank")
	for _, row := range before.Rows {
		for _, cube := range row {
			if at, _ := parseSquare(cube.Square); at == from && cube.Mark != "" {
				what = cube.Mark
			}
		}
	}
	words := d.word("did.push", "What", what, "From", from.name(), "End", end.name(), "Line", d.lineWords(from, end))
	if _, dot, found := strings.Cut(e.Text, ">"); found {
		words += "; " + d.word("did.dot", "Seat", dot)
	}
	return words
}

// lineWords names the row or column through two squares: "row 3", "column c".
func (d *drawing) lineWords(from, end square) string {
	if from.file == end.file {
		return d.word("did.column", "File", from.name()[:1])
	}
	return d.word("did.row", "Rank", from.name()[1:])
}

func (d *drawing) quitsDeed(e Deed, before, after quits.View) string {
	var words string
	if from, to, ok := pair(e.Event.Text, ">"); ok {
		words = d.word("did.slide", "Line", d.lineWords(from, to), "From", from.name(), "To", to.name())
	} else if from, to, ok := pair(e.Event.Text, "-"); ok {
		words = d.word("did.step", "From", from.name(), "To", to.name())
	}
	for i, p := range after.Players {
		if i < len(before.Players) && p.Out > before.Players[i].Out {
			words += "; " + d.word("did.out", "Name", e.Name(p.Seat), "Goal", p.Goal, "Out", p.Out, "Needed", after.Needed)
		}
	}
	return words
}

func (d *drawing) quiviveDeed(e Deed, before, after quivive.View) string {
	heights, pawns := map[string]int{}, map[string]int{}
	for _, row := range after.Rows {
		for _, cell := range row {
			heights[cell.Square], pawns[cell.Square] = cell.Height, cell.Pawn
		}
	}
	token, from := e.Event.Text, ""
	var words string
	switch {
	case strings.HasPrefix(token, "+"):
		words = d.word("did.build", "Square", token[1:], "Height", heights[token[1:]])
	case strings.HasPrefix(token, "@"):
		words = d.word("did.pawn", "Square", token[1:])
	default:
		walk, taken, _ := strings.Cut(token, "x")
		start, to, _ := strings.Cut(walk, "-")
		from = start
		words = d.word("did.walk", "From", start, "To", to) + "; "
		if left := heights[taken]; left > 0 {
			words += d.word("did.lower", "Square", taken, "Height", left)
		} else {
			words += d.word("did.pit", "Square", taken)
		}
	}
	for _, row := range before.Rows {
		for _, cell := range row {
			if cell.Pawn > 0 && cell.Square != from && pawns[cell.Square] == 0 {
				words += "; " + d.word("did.stuck", "Square", cell.Square, "Side", cell.Pawn)
			}
		}
	}
	return words
}

// quiwinDeed says what came of a choice; a choice that is not the last of its turn is only known to be there.
func (d *drawing) quiwinDeed(e Deed, before, after quiwin.View) (text string, named bool) {
	var words []string
	if slot := len(after.Seats[0].Row); slot > len(before.Seats[0].Row) {
		for _, seat := range after.Seats {
			words = append(words, d.word("did.laid", "Name", e.Name(seat.Seat), "Tile", d.tileInWords(seat.Row[slot-1]), "Slot", slot))
		}
	}
	for _, gone := range after.Discarded[len(before.Discarded):] {
		words = append(words, d.word("did.gone", "Name", e.Name(gone.Seat), "Tile", d.tileInWords(gone.Tile), "Slot", gone.Slot))
		if row := after.Seats[gone.Seat-1].Row; gone.Slot <= len(row) {
			words = append(words, d.word("did.instead", "Tile", d.tileInWords(row[gone.Slot-1])))
		}
	}
	for _, tier := range after.Tiers[len(before.Tiers):] {
		words = append(words, d.measuredWords(tier, e.Name))
	}
	if len(words) > 0 {
		return strings.Join(words, "; "), true
	}
	if e.Event.Seat > 0 && after.Chosen(e.Event.Seat) {
		return d.word("did.sealed"), false
	}
	if strings.HasPrefix(e.Event.Text, "transfer") || strings.HasPrefix(e.Event.Text, "change") {
		return d.word("did." + e.Event.Text), false
	}
	return d.word("did.none"), false
}

// measuredWords says how a tier was measured.
func (d *drawing) measuredWords(tier quiwin.Tier, name func(engine.Seat) string) string {
	args := []any{"Tier", tier.Tier, "First", tier.Lengths[0], "Second", tier.Lengths[1], "FirstName", name(1), "SecondName", name(2)}
	if tier.Winner == 0 {
		return d.word("did.measured_equal", args...)
	}
	return d.word("did.measured", append(args, "Name", name(tier.Winner))...)
}

// name returns a square's name.
func (s square) name() string { return string(rune('a'+s.file)) + string(rune('1'+s.rank)) }
