package face

import (
	"strings"
	"testing"

	"quatuor/engine"
)

// corner is a game on a board of 2 × 2 squares without b2.
type corner struct{ Plain }

func (corner) Cells(w Words, _ engine.View) (int, []Cell) {
	return 2, []Cell{{"a1", w("x")}, {"b1", w("y")}, {"a2", w("z")}}
}

// TestGrid lays a board out as it is seen from each side.
func TestGrid(t *testing.T) {
	words := func(name string, _ ...any) string { return strings.ToUpper(name) }
	for turn, want := range []string{"a2Z  a1X b1Y", " b1Y a2Z a1X", "b1Y a1X  a2Z", "a1X a2Z b1Y "} {
		var got []string
		for _, row := range Grid(corner{}, nil, words, turn) {
			for _, cell := range row {
				got = append(got, cell.Square+cell.Words)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("turned %d times: %q, want %q", turn, text, want)
		}
	}
	if len(Grid(Plain{}, nil, words, 0)) != 0 {
		t.Error("a game without squares has a grid")
	}
}

// TestPlain checks that a game without a face is shown, and that it has no bot.
func TestPlain(t *testing.T) {
	words := func(name string, args ...any) string { return name + ":" + args[1].(string) }
	svg := Draw(Plain{}, engine.Projection{Position: "5 <2>"}, words, 0, "b", "A & B")
	for _, part := range []string{"A &amp; B</title>", "position:5 &lt;2&gt;</desc>", ">&lt;2&gt;</text>"} {
		if !strings.Contains(svg, part) {
			t.Errorf("%s lacks %s", svg, part)
		}
	}
	if c := (Plain{}).Choice(words, nil, 1, "take2"); c != (Choice{Words: "take2"}) {
		t.Errorf("a move is described as %+v", c)
	}
	if (Plain{}).Search(Seen{}, 1) != nil || (Plain{}).Blind() != nil {
		t.Error("a game without a face has a bot")
	}
}
