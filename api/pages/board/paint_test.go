package board

import (
	"html/template"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/catalog"
)

// unpainted are classes that look like nothing by themselves: they distinguish elements, for pages and tests.
var unpainted = []string{"b-to", "b-inner"}

// TestPicturesKnowEveryClass draws whole games, to their ends, as files: each class of a drawing has a look outside a
// page, and pictures can draw each path.
func TestPicturesKnowEveryClass(t *testing.T) {
	sheet, err := os.ReadFile("../static/kit/page.css")
	if err != nil {
		t.Fatal(err)
	}
	paint, err := NewPaint(string(sheet))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, rule := range paint.rules {
		for _, class := range rule.classes {
			known[class] = true
		}
	}
	seen := map[string]bool{}
	chance := rand.New(rand.NewPCG(5, 6))
	check := func(variant, svg string) {
		for class := range count(t, svg) {
			seen[class] = true
			if strings.HasPrefix(class, "b-") && !known[class] && !slices.Contains(unpainted, class) {
				t.Errorf("%s draws with %q, of which pictures do not know what it looks like", variant, class)
			}
		}
		list, err := paint.elements(template.HTML(svg))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.name == "path" && strings.Trim(e.attrs["d"], "MLZ 0123456789.-") != "" {
				t.Errorf("%s: pictures cannot draw the path %s", variant, e.attrs["d"])
			}
		}
	}
	for _, variant := range catalog.IDs() {
		games := 3
		if testing.Short() {
			games = 1
		}
		for range games {
			m, going := start(t, variant), true
			for going {
				if !testing.Short() || m.Plies()%3 == 0 {
					check(variant, draw(t, m.Project(engine.Viewer{})))
				}
				m, going = step(t, m, chance)
			}
			check(variant, draw(t, m.Project(engine.Viewer{})))
		}
	}
	for _, class := range []string{
		"b-pip", "b-hole", "b-won", "b-won-line", "b-taken", "b-slid",
		"b-rod-head", "b-rod-seat", "b-rod-length", "b-rod-edge",
	} {
		if !seen[class] {
			t.Errorf("no game was drawn with %s", class)
		}
	}
}
