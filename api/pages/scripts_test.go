package pages

import (
	"regexp"
	"strings"
	"testing"

	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// mostScript is how many bytes, as they are sent, all scripts of the page of a game may have together.
const mostScript = 25_000

// pageScript finds the addresses of the modules that a page begins with.
var pageScript = regexp.MustCompile(`<script type="module" src="/static/([\w-]+\.js)\?`)

// TestScriptsOfAGameAreSmall adds up what a player's browser loads to play, whatever the variant.
func TestScriptsOfAGameAreSmall(t *testing.T) {
	w := newTown(t)
	loaded := map[string]int{}
	var load func(name string)
	load = func(name string) {
		if _, known := loaded[name]; known {
			return
		}
		file, found := w.pages.assets[name]
		if !found {
			t.Fatalf("there is no module %s", name)
		}
		loaded[name] = len(file.gzipped)
		for _, used := range regexp.MustCompile(`/static/([\w-]+\.js)\?v=`).FindAllStringSubmatch(string(file.content), -1) {
			load(used[1])
		}
	}
	for _, id := range catalog.IDs() {
		rules, err := catalog.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		seats := rules.Info().Seats
		players := w.some(0, seats[len(seats)-1])
		w.open(table.NewGame{ID: nameOf(id), Variant: id, Players: players, Seats: len(players)})
		for _, m := range pageScript.FindAllStringSubmatch(w.page("/games/"+nameOf(id), "p1"), -1) {
			load(m[1])
		}
	}
	sum := 0
	for name, size := range loaded {
		sum += size
		t.Logf("%6d %s", size, name)
	}
	t.Logf("%6d in all", sum)
	if sum > mostScript || len(loaded) < 10 {
		t.Errorf("%d scripts have %d bytes, want at most %d", len(loaded), sum, mostScript)
	}
}

// TestScriptsAreSentWithoutComments keeps the licence of what others wrote, and every line of code.
func TestScriptsAreSentWithoutComments(t *testing.T) {
	for text, want := range map[string]string{
		"// @ts-check\n/**\n * @param {string} a\n */\nfunction f(a) { // here\n  return a; }\n": "function f(a) { // here\n  return a; }\n",
		"  /** @type {number} */ let a = 1;\n":                                                   "  /** @type {number} */ let a = 1;\n",
		"/*! licence\n// of another\n*/\nlet b;\n":                                               "/*! licence\n// of another\n*/\nlet b;\n",
		"/** one line */\nlet c;\n":                                                              "let c;\n",
	} {
		if got := string(withoutComments([]byte(text))); got != want {
			t.Errorf("%q is sent as %q, want %q", text, got, want)
		}
	}
	w := newTown(t)
	if !strings.Contains(string(w.pages.assets["idiomorph.js"].content), "Zero-Clause BSD") {
		t.Error("a licence is missing")
	}
}
