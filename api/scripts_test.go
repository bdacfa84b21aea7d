package api_test

import (
	"net/http"
	"regexp"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// maxScript is the maximum total of compressed bytes of a game page's scripts.
const maxScript = 25_000

// pageScript finds the addresses of the modules that a page begins with.
var pageScript = regexp.MustCompile(`<script type="module" src="/static/([\w-]+\.js)\?`)

// TestScriptsOfAGameAreSmall adds up what a player's browser loads to play, whatever the variant.
func TestScriptsOfAGameAreSmall(t *testing.T) {
	f := apitest.NewFixture(t)
	loaded := map[string]int{}
	var load func(name string)
	load = func(name string) {
		if _, known := loaded[name]; known {
			return
		}
		file := f.Get("/static/"+name, "").Want(t, http.StatusOK)
		loaded[name] = len(f.Get("/static/"+name, "", apitest.Header{"Accept-Encoding", "gzip"}).Raw)
		for _, used := range regexp.MustCompile(`/static/([\w-]+\.js)\?v=`).FindAllStringSubmatch(string(file.Raw), -1) {
			load(used[1])
		}
	}
	for _, id := range catalog.IDs() {
		rules, err := catalog.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		seats := rules.Info().Seats
		players := f.Some(0, seats[len(seats)-1])
		f.Open(table.NewGame{ID: apitest.NameOf(id), Variant: id, Players: players, Seats: len(players)})
		for _, m := range pageScript.FindAllStringSubmatch(f.Page("/games/"+apitest.NameOf(id), "p1"), -1) {
			load(m[1])
		}
	}
	sum := 0
	for name, size := range loaded {
		sum += size
		t.Logf("%6d %s", size, name)
	}
	t.Logf("%6d in all", sum)
	if sum > maxScript || len(loaded) < 10 {
		t.Errorf("%d scripts have %d bytes, want at most %d", len(loaded), sum, maxScript)
	}
}
