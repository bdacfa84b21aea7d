package moves_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	games "quatuor/api/pages/play"
	"quatuor/engine"
	"quatuor/engine/table"
)

var (
	tileName       = regexp.MustCompile(`\b[groby](?:2[2-5])\b|(?:green|red|yellow|blue|orange) 2[2-5]\b`)
	commitmentCode = regexp.MustCompile(`<code>[0-9a-f]{64}</code>`)
)

// hidden opens the same Qui'win game with other seeds, skipping the first ones.
func hidden(t *testing.T, skip int) *apitest.Fixture {
	f := apitest.NewFixture(t)
	for range skip {
		f.Seed()
	}
	f.Open(table.NewGame{ID: "g", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
	return f
}

func TestSpectatorsSeeTheSamePageWhateverIsHidden(t *testing.T) {
	one, other := hidden(t, 0), hidden(t, 5)
	same := func(when string) {
		t.Helper()
		a, b := one.Page("/games/g", "p3"), other.Page("/games/g", "p3")
		if found := tileName.FindString(a); found != "" {
			t.Errorf("%s: the page names the tile %s", when, found)
		}
		if commitmentCode.ReplaceAllString(a, "") != commitmentCode.ReplaceAllString(b, "") {
			t.Errorf("%s: the pages differ\n%s\n%s", when, a, b)
		}
		if one.Page("/games/g", "p1") == other.Page("/games/g", "p1") {
			t.Errorf("%s: seat 1 sees no hand", when)
		}
	}
	same("at first")
	for _, f := range []*apitest.Fixture{one, other} {
		s := f.Game("g")
		f.Pass(time.Second)
		f.Move(s, 2, string(s.Match.State().Legal(2)[0]))
	}
	same("after seat 2 has chosen")
	if !strings.Contains(one.Page("/games/g", ""), "has chosen") {
		t.Error("that a seat has chosen is not shown")
	}
}

// TestPagesNameNoTileBeyondTheProjection follows whole games as a spectator: what is named is in the view or the log.
func TestPagesNameNoTileBeyondTheProjection(t *testing.T) {
	whole := 3
	if testing.Short() {
		whole = 1
	}
	for game := range whole {
		f := hidden(t, game)
		room, _ := f.Rooms()
		for {
			s := f.Play("g", 1)
			seen := s.Project(engine.Viewer{})
			known, err := json.Marshal(struct{ View, Events any }{seen.View, seen.Events})
			f.Do(err)
			page := f.Page("/games/g", "")
			fragment, err := room.GameChange(t.Context(), games.GameLook{In: apitest.Languages()[0]}, s, engine.Viewer{}, 0)
			f.Do(err)
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
