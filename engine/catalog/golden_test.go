package catalog_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quatuor/engine/catalog"
)

// ends lists the reasons for ends of games by variant. Resignation represents all leavings, by time and forfeit too.
//
// Two are missing because they cannot happen. In Quits short no seat is ever blocked: on no board of three marbles each
// has a seat no move, whatever slide is forbidden. In Quivive no position comes again, for every turn takes a podium.
var ends = map[string]string{
	"quixo/duel":    "agreement length line opponent-line repetition resignation",
	"quixo/teams":   "agreement length line opponent-line repetition resignation",
	"quits/duel":    "agreement blocked length out repetition resignation",
	"quits/short":   "agreement length out repetition resignation",
	"quits/four":    "blocked length out repetition resignation",
	"quivive/duel":  "agreement last length resignation",
	"quivive/melee": "last length resignation",
	"quivive/teams": "agreement last length resignation",
	"quiwin/duel":   "replay resignation tie-break tiers",
}

var (
	variantLine = regexp.MustCompile(`(?m)^variant (.*)$`)
	endOfGame   = regexp.MustCompile(` =[0-9,]*:([a-z-]+)`)
)

// A golden game shows every end of every variant.
func TestGoldenGamesShowEveryEnd(t *testing.T) {
	files, err := filepath.Glob("../*/testdata/*.game")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		variant := variantLine.FindStringSubmatch(string(text))
		if variant == nil {
			t.Fatalf("%s names no variant", file)
		}
		for _, end := range endOfGame.FindAllStringSubmatch(string(text), -1) {
			reason := strings.NewReplacer("time", "resignation", "forfeit", "resignation").Replace(end[1])
			shown[variant[1]] = append(shown[variant[1]], reason)
		}
	}
	for _, id := range catalog.IDs() {
		slices.Sort(shown[id])
		if got := strings.Join(slices.Compact(shown[id]), " "); got != ends[id] {
			t.Errorf("golden games of %s end by %s; they can end by %s", id, got, ends[id])
		}
	}
}
