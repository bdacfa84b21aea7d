package pages

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/pages/play"
	"quatuor/engine"
	"quatuor/engine/table"
)

var (
	tileName   = regexp.MustCompile(`\b[groby](?:2[2-5])\b|(?:green|red|yellow|blue|orange) 2[2-5]\b`)
	commitment = regexp.MustCompile(`<code>[0-9a-f]{64}</code>`)
)

// hidden opens the same Qui'win game in a town whose seeds begin elsewhere.
func hidden(t *testing.T, skip int) *town {
	w := newTown(t)
	for range skip {
		w.seed()
	}
	w.open(table.NewGame{ID: "g", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	return w
}

func TestSpectatorsSeeTheSamePageWhateverIsHidden(t *testing.T) {
	one, other := hidden(t, 0), hidden(t, 5)
	same := func(when string) {
		t.Helper()
		a, b := one.page("/games/g", "p3"), other.page("/games/g", "p3")
		if found := tileName.FindString(a); found != "" {
			t.Errorf("%s: the page names the tile %s", when, found)
		}
		if commitment.ReplaceAllString(a, "") != commitment.ReplaceAllString(b, "") {
			t.Errorf("%s: the pages differ\n%s\n%s", when, a, b)
		}
		if one.page("/games/g", "p1") == other.page("/games/g", "p1") {
			t.Errorf("%s: seat 1 sees no hand", when)
		}
	}
	same("at first")
	for _, w := range []*town{one, other} {
		s, err := w.Snapshot(t.Context(), "g")
		if err != nil {
			t.Fatal(err)
		}
		w.pass(1e9)
		if _, err := w.move("g", 2, string(s.Match.State().Legal(2)[0])); err != nil {
			t.Fatal(err)
		}
	}
	same("after seat 2 has chosen")
	if !strings.Contains(one.page("/games/g", ""), "has chosen") {
		t.Error("that a seat has chosen is not shown")
	}
}

// TestPagesNameNoTileBeyondTheProjection follows whole games as a spectator: what is named is in the view or the log.
func TestPagesNameNoTileBeyondTheProjection(t *testing.T) {
	games := 3
	if testing.Short() {
		games = 1
	}
	for game := range games {
		w := hidden(t, game)
		for {
			s := w.play("g", 1)
			seen := s.Project(engine.Viewer{})
			known, err := json.Marshal(struct{ View, Events any }{seen.View, seen.Events})
			if err != nil {
				t.Fatal(err)
			}
			page := w.page("/games/g", "")
			fragment, err := w.pages.play.GameChange(t.Context(), play.GameLook{In: w.english()}, s, engine.Viewer{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range tileName.FindAllString(page+string(fragment), -1) {
				if i := strings.IndexByte(name, ' '); i > 0 {
					name = name[:1] + name[i+1:]
				}
				if !strings.Contains(string(known), name) {
					t.Fatalf("after %d plies the page names %s; a spectator knows %s", seen.Plies, name, known)
				}
			}
			if s.Game.Status.Over() {
				break
			}
		}
	}
}
