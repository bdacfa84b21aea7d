package face

import (
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine"
)

// Drawing is a picture in the making, with its description.
type Drawing struct {
	Canvas
	Word          Words
	Last          string // token of the last move; "" before the first
	Turn          int    // quarter turns: the board as seen from 0 south, 1 west, 2 north, 3 east
	Edge          int    // of a board of squares, see [Drawing.Frame]
	Width, Height float64
	Top           float64 // where the drawing begins
	outcome       *engine.Outcome
	described     []string
}

// Draw draws a projection as SVG, turned by quarter turns. The id is unique on the page.
func Draw(f Face, p engine.Projection, w Words, turn int, id, title string) string {
	d := &Drawing{Word: w, Last: lastMove(p.Events), Turn: turn, outcome: p.Pending.Outcome}
	f.Draw(d, p)
	var out Canvas
	out.Open("svg", `class="board" role="img" xmlns="http://www.w3.org/2000/svg"`,
		Attr("viewBox", "0 "+Num(d.Top)+" "+Num(d.Width)+" "+Num(d.Height)),
		Attr("aria-labelledby", id+"-t"), Attr("aria-describedby", id+"-d"))
	out.element("title", title, Attr("id", id+"-t"))
	out.element("desc", strings.Join(d.described, " "), Attr("id", id+"-d"))
	out.WriteString(d.String())
	out.End("svg")
	return out.String()
}

// lastMove returns the token of the last move in a log, ignoring seats that left after it; "" without moves.
func lastMove(events []engine.Event) string {
	for _, e := range slices.Backward(events) {
		if e.Kind == engine.Moved {
			return e.Text
		}
	}
	return ""
}

// Say adds a line to the description.
func (d *Drawing) Say(name string, args ...any) {
	d.described = append(d.described, d.Word(name, args...))
}

// Rank describes a rank of a board.
func (d *Drawing) Rank(number int, squares []string) {
	d.Say("rank", "Rank", number, "Squares", strings.Join(squares, ", "))
}

// WonBy reports whether a seat has won the game, for any of some reasons.
func (d *Drawing) WonBy(seat int, reasons ...engine.Reason) bool {
	if d.outcome == nil || d.outcome.Void() {
		return false
	}
	return slices.Contains(reasons, d.outcome.Reason) && seat <= len(d.outcome.Ranks) && d.outcome.Ranks[seat-1] == 1
}

// Piece draws a marble or pawn with its seat's digit.
func (d *Drawing) Piece(x, y, r float64, seat engine.Seat) {
	digit := strconv.Itoa(int(seat))
	d.Circle("b-piece b-seat-"+digit, x, y, r)
	d.Text("b-digit b-seat-"+digit, x, y, digit)
}

// Canvas writes SVG elements.
type Canvas struct{ strings.Builder }

// Open begins an element.
func (c *Canvas) Open(name string, attrs ...string) {
	c.WriteByte('<')
	c.WriteString(name)
	for _, a := range attrs {
		c.WriteByte(' ')
		c.WriteString(a)
	}
	c.WriteByte('>')
}

// End ends an element.
func (c *Canvas) End(name string) { c.WriteString("</" + name + ">") }

// element writes an element that holds text.
func (c *Canvas) element(name, text string, attrs ...string) {
	c.Open(name, attrs...)
	c.WriteString(html.EscapeString(text))
	c.End(name)
}

// Single writes an element without contents.
func (c *Canvas) Single(name string, attrs ...string) {
	c.Open(name, append(attrs, "/")...)
}

// Rect draws a rectangle, its corners rounded with a radius.
func (c *Canvas) Rect(class string, x, y, w, h, round float64) {
	c.Single("rect", Attr("class", class), NumAttr("x", x), NumAttr("y", y), NumAttr("width", w), NumAttr("height", h),
		NumAttr("rx", round))
}

// Circle draws a circle.
func (c *Canvas) Circle(class string, x, y, r float64) {
	c.Single("circle", Attr("class", class), NumAttr("cx", x), NumAttr("cy", y), NumAttr("r", r))
}

// Path draws a path of M, L and Z.
func (c *Canvas) Path(class, d string) { c.Single("path", Attr("class", class), Attr("d", d)) }

// Text writes a text centred on a point.
func (c *Canvas) Text(class string, x, y float64, text string) {
	c.element("text", text, Attr("class", class), NumAttr("x", x), NumAttr("y", y))
}

// Cross is the path of an x of the given half edge.
func Cross(x, y, half float64) string {
	left, right, top, bottom := Num(x-half), Num(x+half), Num(y-half), Num(y+half)
	return "M" + left + " " + top + "L" + right + " " + bottom + "M" + right + " " + top + "L" + left + " " + bottom
}

// Attr returns an attribute, escaped.
func Attr(name, value string) string { return name + `="` + html.EscapeString(value) + `"` }

// NumAttr returns an attribute with a coordinate.
func NumAttr(name string, v float64) string { return Attr(name, Num(v)) }

// Num prints a coordinate with at most two decimals.
func Num(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }
