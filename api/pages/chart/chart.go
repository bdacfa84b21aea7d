// Package chart draws a value's course from game to game as SVG: a line, its axes, and a text description.
//
// Like the boards, a chart carries classes and no colours; the page's style sheet paints it.
package chart

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/api/pages/message"
)

// Point is the value after something happened.
type Point struct {
	At    int64 // ms UTC
	Value float64
}

// Picture is the presentation of a drawing.
type Picture struct {
	ID    string // prefix of ids inside the SVG, unique on the page
	Title string // title of the picture
	In    *message.Printer
	Zone  *time.Location // of the days
}

// The drawing's size and where its axes run. It is as wide as a phone's page, so that its letters stay readable there.
const (
	width, height = 400.0, 210.0
	left, right   = 42.0, 388.0
	top, bottom   = 14.0, 180.0
	maxPoints     = 500 // more cannot be distinguished
)

// Draw makes the SVG of at least two points, oldest first. Points are equidistant; the axis below names the days of
// some of them.
func Draw(points []Point, pic Picture) template.HTML {
	words := describe(pic.In, points)
	points = thin(points)
	low, high, step := bounds(points)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g"`, width, height)
	id := html.EscapeString(pic.ID)
	fmt.Fprintf(&b, ` aria-labelledby="%s-t" aria-describedby="%s-d">`, id, id)
	fmt.Fprintf(
		&b, `<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`, id,
		html.EscapeString(pic.Title), id, html.EscapeString(words),
	)
	y := func(v float64) float64 { return bottom - (v-low)/(high-low)*(bottom-top) }
	x := func(i int) float64 { return left + float64(i)/float64(len(points)-1)*(right-left) }
	for v := low; v <= high; v += step {
		fmt.Fprintf(&b, `<line class="c-grid" x1="%g" x2="%g" y1="%s" y2="%s"/>`, left, right, num(y(v)), num(y(v)))
		fmt.Fprintf(&b, `<text class="c-y" x="%g" y="%s">%g</text>`, left-6, num(y(v)), v)
	}
	days(&b, points, x, pic)
	b.WriteString(`<polyline class="c-line" points="`)
	for i, p := range points {
		fmt.Fprintf(&b, "%s,%s ", num(x(i)), num(y(p.Value)))
	}
	last := points[len(points)-1]
	fmt.Fprintf(&b, `"/><circle class="c-now" cx="%s" cy="%s" r="4"/></svg>`, num(right), num(y(last.Value)))
	return template.HTML(b.String()) // title, id and words are escaped, the rest is numbers
}

// thin drops points beyond maxPoints, never the first or the last.
func thin(points []Point) []Point {
	if len(points) <= maxPoints {
		return points
	}
	out := make([]Point, maxPoints)
	for i := range out {
		out[i] = points[i*(len(points)-1)/(maxPoints-1)]
	}
	return out
}

// bounds returns round values below and above all points, and the distance of the lines between them.
func bounds(points []Point) (low, high, step float64) {
	low, high = points[0].Value, points[0].Value
	for _, p := range points {
		low, high = min(low, p.Value), max(high, p.Value)
	}
	step = 10
	for _, next := range []float64{20, 50, 100, 200, 500, 1000} {
		if (high-low)/step > 4 {
			step = next
		}
	}
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if low == high {
		low, high = low-step, high+step
	}
	return low, high, step
}

// layout is a format of moments on the axis.
type layout struct {
	name  string // for time.js, which writes them in the manner and, where the club has none, the zone of the reader
	write func(time.Time) string
}

// layouts lists the layouts from coarse to fine.
func layouts(in *message.Printer) []layout {
	return []layout{
		{"day", in.Date},
		{"time", func(at time.Time) string { return at.Format("15:04 MST") }},
		{"second", func(at time.Time) string { return at.Format("15:04:05 MST") }},
	}
}

// days writes the dates of up to four points below the axis, each once, or times where all lie on the same day.
func days(b *strings.Builder, points []Point, x func(int) float64, pic Picture) {
	all := layouts(pic.In)
	chosen := all[0]
	first, last := time.UnixMilli(points[0].At).In(pic.Zone), time.UnixMilli(points[len(points)-1].At).In(pic.Zone)
	for _, finer := range all[1:] {
		if chosen.write(first) == chosen.write(last) {
			chosen = finer
		}
	}
	ticks := 4
	if len(points) < 12 {
		ticks = min(3, len(points))
	}
	written := ""
	for tick := range ticks {
		i := tick * (len(points) - 1) / (ticks - 1)
		at := time.UnixMilli(points[i].At).In(pic.Zone)
		text := chosen.write(at)
		if text == written {
			continue
		}
		written = text
		anchor := "middle"
		switch tick {
		case 0:
			anchor = "start"
		case ticks - 1:
			anchor = "end"
		}
		fmt.Fprintf(b, `<line class="c-tick" x1="%s" x2="%s" y1="%g" y2="%g"/>`, num(x(i)), num(x(i)), bottom, bottom+5)
		fmt.Fprintf(b, `<text class="c-x" text-anchor="%s" x="%s" y="%g" data-when="%s" data-at="%s">%s</text>`,
			anchor, num(x(i)), bottom+18, chosen.name, at.Format(time.RFC3339), text)
	}
}

// describe returns the text description of the line.
func describe(in *message.Printer, points []Point) string {
	low, high := points[0].Value, points[0].Value
	for _, p := range points {
		low, high = min(low, p.Value), max(high, p.Value)
	}
	return in.TextOr("", "chart.description",
		"First", in.Fixed(points[0].Value, 0), "Now", in.Fixed(points[len(points)-1].Value, 0),
		"Count", len(points)-1, "Lowest", in.Fixed(low, 0), "Highest", in.Fixed(high, 0))
}

func num(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// Runner is the course of a player among several: a value after each of the same events.
type Runner struct {
	Name   string
	Values []float64
}

// Where a race ends and names begin, the least distance of names, and the runes of a name that fit.
const (
	raceRight  = 278.0
	nameHeight = 13.0
	nameRunes  = 17
)

// Race makes the SVG of the courses of some players over at least two events, from nothing; the first runner leads.
// Names are written at the ends of lines. words describe the picture to readers who cannot see it.
func Race(runners []Runner, pic Picture, words string) template.HTML {
	points := []Point{{}}
	for _, r := range runners {
		for _, v := range r.Values {
			points = append(points, Point{Value: v})
		}
	}
	low, high, step := bounds(points)
	low = max(low, 0)
	y := func(v float64) float64 { return bottom - (v-low)/(high-low)*(bottom-top) }
	events := len(runners[0].Values)
	x := func(i int) float64 { return left + float64(i)/float64(events)*(raceRight-left) }

	var b strings.Builder
	id := html.EscapeString(pic.ID)
	fmt.Fprintf(&b, `<svg class="chart" role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g"`, width, height)
	fmt.Fprintf(&b, ` aria-labelledby="%s-t" aria-describedby="%s-d"><title id="%s-t">%s</title><desc id="%s-d">%s</desc>`,
		id, id, id, html.EscapeString(pic.Title), id, html.EscapeString(words))
	for v := low; v <= high; v += step {
		fmt.Fprintf(&b, `<line class="c-grid" x1="%g" x2="%g" y1="%s" y2="%s"/>`, left, raceRight, num(y(v)), num(y(v)))
		fmt.Fprintf(&b, `<text class="c-y" x="%g" y="%s">%g</text>`, left-6, num(y(v)), v)
	}
	for i := 1; i <= events; i++ {
		fmt.Fprintf(&b, `<text class="c-x" text-anchor="middle" x="%s" y="%g">%d</text>`, num(x(i)), bottom+18, i)
	}
	at := namePlaces(runners, y)
	for k := len(runners) - 1; k >= 0; k-- { // the leader's line lies above the others
		r, class := runners[k], "c-line c-other"
		if k == 0 {
			class = "c-line"
		}
		fmt.Fprintf(&b, `<polyline class="%s" points="%s,%s `, class, num(x(0)), num(y(0)))
		for i, v := range r.Values {
			fmt.Fprintf(&b, "%s,%s ", num(x(i+1)), num(y(v)))
		}
		end := y(r.Values[events-1])
		name := html.EscapeString(short(r.Name))
		fmt.Fprintf(&b, `"/><line class="c-tick" x1="%g" x2="%g" y1="%s" y2="%s"/>`, raceRight+2, raceRight+10, num(end),
			num(at[k]))
		fmt.Fprintf(&b, `<text class="c-name" x="%g" y="%s">%s</text>`, raceRight+13, num(at[k]), name)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // title, id, words and names are escaped, the rest is numbers
}

// namePlaces returns the heights of names: where their lines end, but apart from each other.
func namePlaces(runners []Runner, y func(float64) float64) []float64 {
	order := make([]int, len(runners))
	at := make([]float64, len(runners))
	for i, r := range runners {
		order[i], at[i] = i, y(r.Values[len(r.Values)-1])
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(at[a] - at[b]) })
	for k := 1; k < len(order); k++ {
		at[order[k]] = max(at[order[k]], at[order[k-1]]+nameHeight)
	}
	for k := len(order) - 1; k >= 0; k-- { // the lowest stay above the axis
		most := bottom
		if k < len(order)-1 {
			most = at[order[k+1]] - nameHeight
		}
		at[order[k]] = min(at[order[k]], most)
	}
	return at
}

// short returns a name that fits.
func short(name string) string {
	if runes := []rune(name); len(runes) > nameRunes {
		return string(runes[:nameRunes-1]) + "…"
	}
	return name
}
