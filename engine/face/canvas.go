package face

import (
	"html"
	"math"
	"strconv"
	"strings"
)

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
