package simulation

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// The size of a panel, and where its axes run.
const (
	panelWidth, panelHeight = 420.0, 230.0
	axisLeft, axisRight     = 48.0, 408.0
	axisTop, axisBottom     = 34.0, 196.0
)

// colours distinguish the lines on white and on black; dashes do so without colours.
var colours = []struct{ stroke, dash string }{
	{"#808080", "2 3"},
	{"#3b7ddd", ""},
	{"#8c5fd0", "7 3"},
	{"#d9822b", ""},
	{"#b04a6f", "7 3"},
	{"#2e9e5b", ""},
	{"#138a8a", "4 2 1 2"},
}

// smooth is the number of rounds on both sides over which a line is averaged.
const smooth = 2

// Draw draws the losses over the games played as SVG, a panel for each shape of game, with the systems below.
func Draw(w io.Writer, rows []Row) error {
	var shapes []Shape
	byShape := map[string][]Row{}
	style := map[string]int{}
	var systems []string
	for _, r := range rows {
		if byShape[r.Shape.Name] == nil {
			shapes = append(shapes, r.Shape)
		}
		byShape[r.Shape.Name] = append(byShape[r.Shape.Name], r)
		if _, known := style[r.System]; !known {
			style[r.System] = len(systems)
			systems = append(systems, r.System)
		}
	}
	const columns = 2
	lines := (len(shapes) + columns) / columns // a place is left for the key
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="11" role="img">`+"\n",
		columns*panelWidth, float64(lines)*panelHeight)
	b.WriteString("<title>Logarithmic loss of rating systems over the games that players have played</title>\n" +
		"<style>text{fill:#222}.grid{stroke:#ccc}@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}}</style>\n")
	for i, shape := range shapes {
		fmt.Fprintf(&b, `<g transform="translate(%g %g)">`+"\n", float64(i%columns)*panelWidth,
			float64(i/columns)*panelHeight)
		panel(&b, byShape[shape.Name], style)
		b.WriteString("</g>\n")
	}
	n := len(shapes)
	fmt.Fprintf(&b, `<g transform="translate(%g %g)">`+"\n", float64(n%columns)*panelWidth, float64(n/columns)*panelHeight)
	for i, name := range systems {
		y := axisTop + 18*float64(i)
		fmt.Fprintf(&b, `<line x1="48" x2="84" y1="%g" y2="%g" %s/><text x="92" y="%g">%s</text>`+"\n", y, y, pen(i), y+4,
			html.EscapeString(name))
	}
	b.WriteString("</g>\n</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func pen(style int) string {
	c := colours[style%len(colours)]
	return fmt.Sprintf(`fill="none" stroke=%q stroke-width="1.8" stroke-dasharray=%q`, c.stroke, c.dash)
}

// panel draws the systems' lines for a shape of game.
func panel(b *strings.Builder, rows []Row, style map[string]int) {
	low, high := bounds(rows)
	rounds := len(rows[0].Rounds)
	x := func(round int) float64 {
		return axisLeft + float64(round)/float64(max(1, rounds-1))*(axisRight-axisLeft)
	}
	y := func(loss float64) float64 { return axisBottom - (loss-low)/(high-low)*(axisBottom-axisTop) }
	fmt.Fprintf(b, `<text x="%g" y="18" font-weight="bold">%s</text>`+"\n", axisLeft,
		html.EscapeString(title(rows[0].Shape)))
	for step := range 5 {
		v := low + (high-low)*float64(step)/4
		fmt.Fprintf(b, `<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" text-anchor="end">%.3f</text>`+"\n",
			axisLeft, axisRight, y(v), y(v), axisLeft-5, y(v)+4, v)
	}
	for step := range 5 {
		round := (rounds - 1) * step / 4
		fmt.Fprintf(b, `<text x="%.1f" y="%g" text-anchor="middle">%d</text>`+"\n", x(round), axisBottom+16, round)
	}
	for _, r := range rows {
		fmt.Fprintf(b, `<polyline %s points="`, pen(style[r.System]))
		for round, loss := range smoothed(r.Rounds) {
			fmt.Fprintf(b, "%.1f,%.1f ", x(round), y(min(high, loss)))
		}
		b.WriteString("\"/>\n")
	}
}

func title(s Shape) string {
	if s.Members > 1 {
		return fmt.Sprintf("%d sides of %d", s.Sides, s.Members)
	}
	return fmt.Sprintf("%d players", s.Sides)
}

// bounds returns the losses between which all lines run.
func bounds(rows []Row) (low, high float64) {
	low, high = 1, 0
	for _, r := range rows {
		for _, loss := range smoothed(r.Rounds) {
			low, high = min(low, loss), max(high, loss)
		}
	}
	return low - 0.005, high + 0.005
}

// smoothed returns the mean of each round and its neighbours.
func smoothed(losses []float64) []float64 {
	out := make([]float64, len(losses))
	for i := range losses {
		from, to := max(0, i-smooth), min(len(losses), i+smooth+1)
		for _, loss := range losses[from:to] {
			out[i] += loss / float64(to-from)
		}
	}
	return out
}
