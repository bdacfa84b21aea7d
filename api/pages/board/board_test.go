package board

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
)

var english = message.Load().Match("en")

var update = flag.Bool("update", false, "write the drawings to testdata instead of comparing them")

// start begins a game of a variant with the most seats it has.
func start(t *testing.T, variant string) *engine.Match {
	t.Helper()
	rules, err := catalog.Find(variant)
	if err != nil {
		t.Fatal(err)
	}
	seed := ""
	if rules.Info().Secret {
		seed = strings.Repeat("4d", 32)
	}
	seats := rules.Info().Seats
	setup, err := engine.NewSetup(rules.Info(), seats[len(seats)-1], seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.NewMatch(rules, setup)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// step makes a random move; it reports false when the game is over.
func step(t *testing.T, m *engine.Match, chance *rand.Rand) (*engine.Match, bool) {
	t.Helper()
	p := m.Pending()
	if p.Over() {
		return m, false
	}
	seat := p.Awaited[chance.IntN(len(p.Awaited))]
	legal := m.State().Legal(seat)
	next, err := m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(legal[chance.IntN(len(legal))])})
	if err != nil {
		t.Fatal(err)
	}
	return next, true
}

func draw(t *testing.T, p engine.Projection) string {
	t.Helper()
	return string(Draw(p, Picture{ID: "b", Title: "Ada & Bob", In: english}))
}

// count returns how many elements of each class a drawing has; it fails if the drawing is not well-formed.
func count(t *testing.T, svg string) map[string]int {
	t.Helper()
	classes := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return classes
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		tag, ok := token.(xml.StartElement)
		for i := 0; ok && i < len(tag.Attr); i++ {
			if tag.Attr[i].Name.Local == "class" {
				for _, class := range strings.Fields(tag.Attr[i].Value) {
					classes[class]++
				}
			}
		}
	}
}

// TestWholeGames draws every position of random games and counts what must be there.
func TestWholeGames(t *testing.T) {
	fixed := map[string]map[string]int{
		"quixo": {"b-cube": 25, "b-inner": 9, "b-rim": 10}, "quits": {"b-tile": 25, "b-rim": 10},
		"quivive": {"b-pit": 37, "b-rim": 14}, "quiwin": {"b-tier": 3},
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for _, variant := range catalog.IDs() {
		m, going := start(t, variant), true
		for ; going; m, going = step(t, m, chance) {
			if testing.Short() && m.Plies()%3 != 0 {
				continue
			}
			svg := draw(t, m.Project(engine.Viewer{}))
			classes := count(t, svg)
			for class, want := range fixed[m.Rules().Info().Family()] {
				if classes[class] != want {
					t.Fatalf("%s after %d plies: %d of class %s, want %d", variant, m.Plies(), classes[class], class, want)
				}
			}
			if !strings.Contains(svg, "<title id=\"b-t\">Ada &amp; Bob</title>") ||
				!strings.Contains(svg, "<desc id=\"b-d\">R") {
				t.Fatalf("%s lacks a title or a description: %s", variant, svg)
			}
		}
	}
}

// TestGolden compares a drawing of each variant with a drawing that was inspected and approved.
func TestGolden(t *testing.T) {
	for _, variant := range catalog.IDs() {
		chance := rand.New(rand.NewPCG(3, 4))
		m := start(t, variant)
		plies := 23
		if m.Rules().Info().Secret {
			plies = 9 // while something is hidden
		}
		for range plies {
			m, _ = step(t, m, chance)
		}
		got := strings.ReplaceAll(draw(t, m.Project(engine.ViewerOf(1))), "><", ">\n<") + "\n"
		path := filepath.Join("testdata", strings.ReplaceAll(variant, "/", "-")+".svg")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is drawn otherwise than in %s; look at it, then run with -update", variant, path)
		}
	}
}

func TestLastMove(t *testing.T) {
	for _, test := range []struct {
		variant string
		moves   string
		want    map[string]int
	}{
		{"quixo/duel", "", map[string]int{"b-to": 0, "b-push": 0}},
		{"quixo/duel", "c1-c5", map[string]int{"b-to": 1, "b-push": 1, "b-x": 1}},
		{"quixo/teams", "c1-c5>3", map[string]int{"b-to": 1, "b-push": 1, "b-dot": 1}},
		{"quits/duel", "b2-c3", map[string]int{"b-from": 1, "b-to": 1, "b-slid": 0}},
		{"quits/duel", "a1>e1", map[string]int{"b-push": 1, "b-slid": 5, "b-to": 0}},
		{"quivive/duel", "+d4", map[string]int{"b-to": 1, "b-level-2": 1, "b-pip": 38}},
		{"quixo/duel", "a1-a5 e1-a1 b1-b5 e1-a1 c1-c5 e1-a1 d1-d5 e1-a1", map[string]int{"b-won": 0}},
		{"quixo/duel", "a1-a5 e1-a1 b1-b5 e1-a1 c1-c5 e1-a1 d1-d5 e1-a1 e1-e5", map[string]int{"b-won": 5, "b-won-line": 1}},
	} {
		m := start(t, test.variant)
		for _, move := range strings.Fields(test.moves) {
			next, err := m.After(engine.Event{Kind: engine.Moved, Text: move})
			if err != nil {
				t.Fatal(err)
			}
			m = next
		}
		classes := count(t, draw(t, m.Project(engine.Viewer{})))
		for class, want := range test.want {
			if classes[class] != want {
				t.Errorf("%s %s: %d of class %s, want %d", test.variant, test.moves, classes[class], class, want)
			}
		}
	}
}

// TestHands shows a hand to its seat and backs to all others.
func TestHands(t *testing.T) {
	m := start(t, "quiwin/duel")
	for _, test := range []struct {
		v           engine.Viewer
		bars, backs int
	}{{engine.Viewer{}, 0, 16}, {engine.ViewerOf(1), 8, 8}, {engine.ViewerOf(1, 2), 16, 0}} {
		classes := count(t, draw(t, m.Project(test.v)))
		if classes["b-bar"] != test.bars || classes["b-back"] != test.backs {
			t.Errorf(
				"%v: %d tiles and %d backs, want %d and %d", test.v, classes["b-bar"], classes["b-back"], test.bars, test.backs,
			)
		}
	}
}

// TestGameWithoutPicture makes sure that a game can be shown before its board is drawn.
func TestGameWithoutPicture(t *testing.T) {
	svg := draw(t, engine.Projection{Variant: "nim/five", View: 7, Position: "5 <2>"})
	if classes := count(t, svg); classes["position"] != 2 || !strings.Contains(svg, "&lt;2&gt;") {
		t.Errorf("drawn as %s", svg)
	}
}

func ExampleDraw() {
	rules, _ := catalog.Find("quixo/duel")
	setup, _ := engine.NewSetup(rules.Info(), 0, "", nil)
	m, _ := engine.NewMatch(rules, setup)
	svg := Draw(m.Project(engine.Viewer{}), Picture{ID: "b", Title: "An empty board", In: english})
	_, after, _ := strings.Cut(string(svg), "<title")
	title, _, _ := strings.Cut(after, "</title>")
	fmt.Println(title)
	// Output: id="b-t">An empty board
}
