package chart

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
)

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
