package board

import (
	"html"
	"math"
	"strconv"
	"strings"
)

// canvas writes SVG elements.
type canvas struct{ strings.Builder }

func (c *canvas) open(name string, attrs ...string) {
	c.WriteByte('<')
	c.WriteString(name)
	for _, a := range attrs {
		c.WriteByte(' ')
		c.WriteString(a)
	}
	c.WriteByte('>')
}

func (c *canvas) end(name string) { c.WriteString("</" + name + ">") }

// words writes an element that holds text for those who do not see the picture.
func (c *canvas) words(name, id, text string) {
	c.open(name, attr("id", id))
	c.WriteString(html.EscapeString(text))
	c.end(name)
}

func (c *canvas) single(name string, attrs ...string) {
	c.open(name, append(attrs, "/")...)
}

func (c *canvas) rect(class string, x, y, w, h, round float64) {
	c.single("rect", attr("class", class), numAttr("x", x), numAttr("y", y), numAttr("width", w), numAttr("height", h),
		numAttr("rx", round))
}

func (c *canvas) circle(class string, x, y, r float64) {
	c.single("circle", attr("class", class), numAttr("cx", x), numAttr("cy", y), numAttr("r", r))
}

func (c *canvas) path(class, d string) { c.single("path", attr("class", class), attr("d", d)) }

// text writes a text centred on a point.
func (c *canvas) text(class string, x, y float64, text string) {
	c.open("text", attr("class", class), numAttr("x", x), numAttr("y", y))
	c.WriteString(html.EscapeString(text))
	c.end("text")
}

// octagon draws a square of the given half edge with its corners cut.
func (c *canvas) octagon(class string, x, y, half float64) {
	cut := half * 0.42
	var d strings.Builder
	for i, p := range [][2]float64{
		{-half + cut, -half},
		{half - cut, -half},
		{half, -half + cut},
		{half, half - cut},
		{half - cut, half},
		{-half + cut, half},
		{-half, half - cut},
		{-half, -half + cut},
	} {
		d.WriteByte("ML"[min(i, 1)])
		d.WriteString(num(x+p[0]) + " " + num(y+p[1]))
	}
	c.path(class, d.String()+"Z")
}

// cross is the path of an x of the given half edge.
func cross(x, y, half float64) string {
	left, right, top, bottom := num(x-half), num(x+half), num(y-half), num(y+half)
	return "M" + left + " " + top + "L" + right + " " + bottom + "M" + right + " " + top + "L" + left + " " + bottom
}

func attr(name, value string) string { return name + `="` + html.EscapeString(value) + `"` }

func numAttr(name string, v float64) string { return attr(name, num(v)) }

// num prints a coordinate with at most two decimals.
func num(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }
