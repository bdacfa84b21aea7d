// Package bracket shows a knock-out as a list of matches with links to their games, and draws it as SVG: a column for
// each round, a box for each match, lines from each match to that of its winner, and the match for the third place below
// the final.
//
// Like the boards, a bracket carries classes and no colours; the page's style sheet paints it.
package bracket

import (
	"fmt"
	"html"
	"html/template"
	"strings"
	"unicode"
)

// Side is a side of a match.
type Side struct {
	Seed  int    // 0 if unknown
	Name  string // or a placeholder, if unknown
	Score string // of the games, for example "½1"
	Won   bool
}

// Match is a box.
type Match struct {
	Sides [2]Side // the upper side first
	State State
}

// State is the look of a match.
type State string

// The states. They are classes of the style sheet.
const (
	Waiting State = "k-waiting" // not yet played
	Playing State = "k-playing"
	Over    State = "k-over"
	Free    State = "k-free" // nothing is played
)

// Round is a column.
type Round struct {
	Name    string
	Matches []Match // half as many as in the column before
}

// Tree is the content of a drawing.
type Tree struct {
	Rounds []Round
	Third  *Match // nil if the third place is not played for
}

// Picture is the presentation of a drawing.
type Picture struct {
	ID    string // prefix of ids inside the SVG, unique on the page
	Title string // title of the picture
	Words string // description

	ThirdPlace string // heading of the match for the third place
}

// Sizes in the units of the drawing, which are pixels: a picture that shrinks cannot be read.
const (
	boxWidth, rowHeight = 196, 22
	boxHeight           = 2 * rowHeight
	gapX, gapY          = 34, 14
	head                = 34 // height of the rounds' names
	nameX               = 30 // where a name begins in its box
	inset               = 8
	thirdDown           = 40 // from the final's box to that for the third place
)

// Draw makes the SVG of a tree with at least a round.
func Draw(t Tree, pic Picture) template.HTML {
	d := drawing{tree: t}
	width := len(t.Rounds)*(boxWidth+gapX) - gapX + 2
	height := head + len(t.Rounds[0].Matches)*(boxHeight+gapY)
	final := len(t.Rounds) - 1
	thirdTop := d.top(final, 0) + boxHeight + thirdDown
	if t.Third != nil {
		height = max(height, thirdTop+boxHeight+gapY)
	}
	id := html.EscapeString(pic.ID)
	d.printf(`<svg class="bracket" role="img" xmlns="http://www.w3.org/2000/svg"`)
	d.printf(` viewBox="0 0 %d %d" width="%d" height="%d"`, width, height, width, height)
	d.printf(` aria-labelledby="%s-t" aria-describedby="%s-d">`, id, id)
	d.printf(
		`<title id="%s-t">%s</title><desc id="%s-d">%s</desc>`, id,
		html.EscapeString(pic.Title), id, html.EscapeString(pic.Words),
	)
	for r, round := range t.Rounds {
		d.printf(`<text class="k-head" x="%d" y="18">%s</text>`, left(r), html.EscapeString(round.Name))
		for i, m := range round.Matches {
			if r < final {
				d.line(r, i)
			}
			d.box(m, left(r), d.top(r, i))
		}
	}
	if t.Third != nil {
		d.printf(`<text class="k-head" x="%d" y="%d">%s</text>`, left(final), thirdTop-10, html.EscapeString(pic.ThirdPlace))
		d.box(*t.Third, left(final), thirdTop)
	}
	d.printf(`</svg>`)
	return template.HTML(d.out.String()) // texts are escaped, the rest is numbers and constants
}

type drawing struct {
	tree Tree
	out  strings.Builder
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// left is the left edge of a round's boxes.
func left(round int) int { return 1 + round*(boxWidth+gapX) }

// top is the upper edge of a box: in the first round stacked, later in the middle of the two boxes before it.
func (d *drawing) top(round, i int) int {
	step := (boxHeight + gapY) << round
	return head + i*step + (step-boxHeight-gapY)/2
}

// line leads from a match to that of its winner.
func (d *drawing) line(round, i int) {
	from, to := left(round)+boxWidth, left(round+1)
	y1 := d.top(round, i) + rowHeight
	y2 := d.top(round+1, i/2) + rowHeight
	d.printf(`<path class="k-line" d="M%d %dH%dV%dH%d"/>`, from, y1, from+gapX/2, y2, to)
}

func (d *drawing) box(m Match, x, y int) {
	d.printf(
		`<g class="%s"><rect class="k-box" x="%d" y="%d" width="%d" height="%d" rx="3"/>`, m.State, x, y, boxWidth, boxHeight,
	)
	d.printf(`<path class="k-part" d="M%d %dh%d"/>`, x, y+rowHeight, boxWidth)
	for i, s := range m.Sides {
		base := y + i*rowHeight + 15
		class := "k-name"
		switch {
		case s.Won:
			class = "k-name k-won"
		case s.Seed == 0:
			class = "k-name k-nobody"
		}
		if s.Seed > 0 {
			d.printf(`<text class="k-seed" x="%d" y="%d">%d</text>`, x+nameX-6, base, s.Seed)
		}
		room := boxWidth - nameX - inset - scoreWidth(s.Score)
		d.printf(`<text class="%s" x="%d" y="%d">%s</text>`, class, x+nameX, base, html.EscapeString(fit(s.Name, room)))
		if s.Score != "" {
			d.printf(`<text class="k-score" x="%d" y="%d">%s</text>`, x+boxWidth-inset, base, html.EscapeString(s.Score))
		}
	}
	d.printf(`</g>`)
}

// scoreWidth is about how much room a score takes, with the space before it.
func scoreWidth(score string) int {
	if score == "" {
		return 0
	}
	return 8*len([]rune(score)) + 6
}

// fit cuts a name to the room that it has, in units.
func fit(name string, room int) string {
	letters := []rune(name)
	used, cut := 0, 0 // cut is the number of letters that fit in front of the dots
	for i, letter := range letters {
		used += breadth(letter)
		if used+breadth('…') <= room {
			cut = i + 1
		}
	}
	if used <= room {
		return name
	}
	return strings.TrimRight(string(letters[:cut]), " ") + "…"
}

// breadth is about how wide a letter is in the size that names have, rather too much than too little.
func breadth(letter rune) int {
	switch {
	case letter >= 0x1100:
		return 13
	case strings.ContainsRune("fijlrt .,'-()", letter):
		return 5
	case unicode.IsUpper(letter) || strings.ContainsRune("mw…", letter):
		return 10
	}
	return 7
}
