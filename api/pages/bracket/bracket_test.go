package bracket

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
)

// tree is a knock-out of 2^rounds entries won by the upper side in every match.
func tree(rounds int) Tree {
	var t Tree
	for r := range rounds {
		round := Round{Name: fmt.Sprint("Round ", r+1)}
		for i := range 1 << (rounds - r - 1) {
			round.Matches = append(round.Matches, Match{
				State: Over,
				Sides: [2]Side{
					{Seed: 2*i + 1, Name: fmt.Sprint("Upper ", i), Score: "1", Won: true}, {Seed: 2*i + 2, Name: "Lower", Score: "0"},
				},
			})
		}
		t.Rounds = append(t.Rounds, round)
	}
	return t
}

// element is an element of the drawing, with its attributes by name.
type element struct {
	name string
	at   map[string]string
}

// elements reads a drawing; it must be well-formed.
func elements(t *testing.T, svg string) (out []element) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if start, ok := token.(xml.StartElement); ok {
			e := element{start.Name.Local, map[string]string{}}
			for _, a := range start.Attr {
				e.at[a.Name.Local] = a.Value
			}
			out = append(out, e)
		}
	}
}

func number(t *testing.T, text string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatalf("%q is no number", text)
	}
	return n
}

// TestBoxes: as many as there are matches, all within the picture, none over another.
func TestBoxes(t *testing.T) {
	for rounds := 1; rounds <= 6; rounds++ {
		for _, third := range []bool{false, true} {
			drawn := tree(rounds)
			want := 1<<rounds - 1
			if third {
				drawn.Third = &Match{State: Waiting}
				want++
			}
			var boxes [][2]int
			var width, height int
			for _, e := range elements(t, string(Draw(drawn, Picture{ID: "b", Title: "Bracket"}))) {
				switch e.name {
				case "svg":
					width, height = number(t, e.at["width"]), number(t, e.at["height"])
				case "rect":
					boxes = append(boxes, [2]int{number(t, e.at["x"]), number(t, e.at["y"])})
				}
			}
			if len(boxes) != want {
				t.Fatalf("%d rounds: %d boxes, want %d", rounds, len(boxes), want)
			}
			for i, b := range boxes {
				if b[0] < 0 || b[1] < 0 || b[0]+boxWidth > width || b[1]+boxHeight > height {
					t.Fatalf("%d rounds: box %v is outside of %d × %d", rounds, b, width, height)
				}
				for _, o := range boxes[:i] {
					if b[0] == o[0] && b[1] < o[1]+boxHeight && o[1] < b[1]+boxHeight {
						t.Fatalf("%d rounds: boxes %v and %v overlap", rounds, o, b)
					}
				}
			}
		}
	}
}

// TestTextsAreEscaped: names come from people.
func TestTextsAreEscaped(t *testing.T) {
	drawn := tree(1)
	drawn.Rounds[0].Name = `<b>`
	drawn.Rounds[0].Matches[0].Sides[0].Name = `"><script>`
	drawn.Rounds[0].Matches[0].Sides[0].Score = `<i>`
	svg := string(Draw(drawn, Picture{ID: `a"b`, Title: "<u>", Words: "<s>"}))
	for _, e := range elements(t, svg) {
		switch e.name {
		case "script", "b", "i", "u", "s":
			t.Errorf("a text became the element %s", e.name)
		}
	}
}

func TestFit(t *testing.T) {
	for _, test := range []struct {
		name, want string
		room       int
	}{
		{"Ada", "Ada", 24},
		{"Ada", "A…", 23},
		{"Ada Lovelace", "Ada…", 40},
		{"Ada", "…", 15},
		{"明日香", "明…", 30},
		{"", "", 0},
	} {
		if got := fit(test.name, test.room); got != test.want {
			t.Errorf("%q in %d: %q, want %q", test.name, test.room, got, test.want)
		}
	}
}
