// Package qrcode draws QR codes: as SVG for pages, and as text for terminals.
package qrcode

import (
	"fmt"
	"html/template"
	"strings"

	"rsc.io/qr"
)

// quiet is the width of a code's margin on each side, in modules; readers expect four.
const quiet = 4

// SVG returns a drawing of a code for a text, with a title for screen readers; "" if the page has a text beside it. Its
// size is up to the style sheet; it stays black on white in the dark, since not every reader takes it the other way
// round.
func SVG(text, title string) (template.HTML, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", err
	}
	size := code.Size + 2*quiet
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			if !code.Black(x, y) {
				continue
			}
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
		}
	}
	told := `aria-hidden="true"`
	if title != "" {
		told = `role="img" aria-label="` + template.HTMLEscapeString(title) + `"`
	}
	drawn := fmt.Sprintf(`<svg class="qr" viewBox="0 0 %d %d" %s shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%dv%dH0z"/><path fill="#000" d="%s"/></svg>`,
		size, size, told, size, size, path.String())
	return template.HTML(drawn), nil //nolint:gosec // numbers, and a title that was escaped
}

// Text returns a code for a text as lines of half blocks, light on dark, for a terminal with light letters on a dark
// ground or the other way round: it brings both colours itself.
func Text(text string) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	white := func(x, y int) bool { return !code.Black(x, y) } // outside the code, Black is false
	for y := -quiet / 2; y < code.Size+quiet/2; y += 2 {
		for x := -quiet / 2; x < code.Size+quiet/2; x++ {
			switch upper, lower := white(x, y), white(x, y+1); {
			case upper && lower:
				out.WriteRune('█')
			case upper:
				out.WriteRune('▀')
			case lower:
				out.WriteRune('▄')
			default:
				out.WriteRune(' ')
			}
		}
		out.WriteByte('\n')
	}
	return out.String(), nil
}
