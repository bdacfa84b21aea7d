// Package board draws what a viewer may see of a game as SVG: nothing but the [engine.Projection] goes in.
//
// Pictures carry classes, no colours: the page's style sheet paints them, for light, dark and print. Everything that
// is told apart by colour is told apart by a mark or a digit too, and each picture has a title and a description in
// words. The board lies as seat 1 sees it, with its coordinates at the rim; what the last move did is marked.
package board

import (
	"html/template"
	"strings"

	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/quits"
	"quatuor/engine/quivive"
	"quatuor/engine/quiwin"
	"quatuor/engine/quixo"
)

// Picture says how to present a drawing.
type Picture struct {
	ID    string           // prefix of ids inside the SVG, unique on the page
	Title string           // what the picture is, in words
	In    *message.Printer // of the description
	Turn  int              // quarter turns: the board as seen from 0 south, 1 west, 2 north, 3 east
}

// Draw makes the SVG of a projection. Where a game has no picture yet, its position is shown as text.
func Draw(p engine.Projection, pic Picture) template.HTML {
	d := drawing{last: lastMove(p.Events), end: p.Pending.Outcome, in: pic.In, turn: pic.Turn}
	switch view := p.View.(type) {
	case quixo.View:
		d.quixo(view)
	case quits.View:
		d.quits(view)
	case quivive.View:
		d.quivive(view)
	case quiwin.View:
		d.quiwin(view)
	default:
		d.position(p.Position)
	}
	return d.finish(pic)
}

// position writes a position's text, a line for each of its parts.
func (d *drawing) position(text string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '/' })
	const line = 24
	for i, part := range parts {
		d.text("position", 6*line, float64(i+1)*line, part)
	}
	d.width, d.height = 12*line, float64(len(parts)+1)*line
	d.say("position", "Text", text)
}

// lastMove returns the token of the last move in a log, without those of leavings after it; "" if there is none.
func lastMove(events []engine.Event) string {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Kind == engine.Moved {
			return events[i].Text
		}
	}
	return ""
}

// drawing is one picture in the making.
type drawing struct {
	canvas
	last          string // token of the last move
	end           *engine.Outcome
	width, height float64
	top           float64  // where the drawing begins, if not at 0
	words         []string // the description, line by line
	in            *message.Printer
	turn          int // quarter turns
}

// say adds a line to the description.
func (d *drawing) say(name string, args ...any) { d.words = append(d.words, d.word(name, args...)) }

// word returns one of the texts of boards. All are there: a test draws every game in every language.
func (d *drawing) word(name string, args ...any) string {
	return d.in.TextOr("", "board."+name, args...)
}

// rank describes a rank of a board.
func (d *drawing) rank(number int, squares []string) {
	d.say("rank", "Rank", number, "Squares", strings.Join(squares, ", "))
}

func (d *drawing) finish(pic Picture) template.HTML {
	var out canvas
	out.open("svg", `class="board" role="img" xmlns="http://www.w3.org/2000/svg"`,
		attr("viewBox", "0 "+num(d.top)+" "+num(d.width)+" "+num(d.height)),
		attr("aria-labelledby", pic.ID+"-t"), attr("aria-describedby", pic.ID+"-d"))
	out.words("title", pic.ID+"-t", pic.Title)
	out.words("desc", pic.ID+"-d", strings.Join(d.words, " "))
	out.WriteString(d.String())
	out.end("svg")
	return template.HTML(out.String()) // every text in it went through the canvas, which escapes
}
