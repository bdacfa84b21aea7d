package pages

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"quatuor/api/pages/play"
	"quatuor/engine"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
)

var (
	stepLink   = regexp.MustCompile(`<a href="([^"]*)" data-ply="(\d+)"`)
	boardWords = regexp.MustCompile(`(?s)<desc.*?</desc>`)
	sectionOf  = regexp.MustCompile(`(?s)<section data-ply="(\d+)" data-move="([^"]*)" data-spent="(\d+)">(.*?)</section>`)
)

// TestEveryMoveInTheListLeadsToItsPosition follows each link of a list, and compares the position with that served to
// scripts.
func TestEveryMoveInTheListLeadsToItsPosition(t *testing.T) {
	w := newTown(t)
	w.open(table.NewGame{ID: "g", Variant: "quits/four", Players: w.some(0, 4)})
	s := w.play("g", 30)
	links := stepLink.FindAllStringSubmatch(w.page("/games/g", ""), -1)
	if len(links) != s.Game.Plies {
		t.Fatalf("%d links for %d moves", len(links), s.Game.Plies)
	}
	runs := w.page("/games/g/plies?from=0", "") + w.page(fmt.Sprintf("/games/g/plies?from=%d", play.PlyChunk), "")
	sections := sectionOf.FindAllStringSubmatch(runs, -1)
	if len(sections) != s.Game.Plies+1 {
		t.Fatalf("%d positions for %d moves", len(sections), s.Game.Plies)
	}
	seen := map[string]bool{}
	for i, link := range links {
		page := w.page(strings.ReplaceAll(link[1], "&amp;", "&"), "")
		if !strings.Contains(page, fmt.Sprintf("After move %d of %d", i+1, s.Game.Plies)) ||
			strings.Count(page, `aria-current="step"`) != 1 {
			t.Fatalf("%s does not say where it stands", link[1])
		}
		words := boardWords.FindString(page)
		seen[words] = true
		section := sections[i+1]
		if section[1] != link[2] || strings.ReplaceAll(boardWords.FindString(section[4]), "past-d", "board-d") != words {
			t.Errorf("ply %s: the run shows\n%s\nthe page\n%s", link[2], boardWords.FindString(section[4]), words)
		}
		if section[2] == "" || section[3] == "0" {
			t.Errorf("ply %s: move %q in %s ms", link[2], section[2], section[3])
		}
	}
	if len(seen) < len(links)/2 {
		t.Errorf("%d positions of %d differ", len(seen), len(links))
	}
}

func TestRunsOfPositionsHaveBounds(t *testing.T) {
	w := newTown(t)
	w.open(table.NewGame{ID: "g", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	w.play("g", 5)
	for _, from := range []string{"", "-1", "6", "x", "99999999999999999999"} {
		if code := w.get("/games/g/plies?from="+from, "").Code; code != http.StatusNotFound {
			t.Errorf("from %q: %d", from, code)
		}
	}
	if got := len(sectionOf.FindAllString(w.page("/games/g/plies?from=5", ""), -1)); got != 1 {
		t.Errorf("%d positions from the last one on", got)
	}
}

// TestBoardsAreTurned: ?flip=1 shows the board from the other side, on every page and stream of it, and as often as
// there are sides.
func TestBoardsAreTurned(t *testing.T) {
	w := newTown(t)
	for _, kind := range []struct {
		variant     string
		seats, ways int
	}{{"quixo/duel", 2, 2}, {"quits/four", 4, 4}, {"quivive/melee", 3, 2}} {
		variant, ways, id := kind.variant, kind.ways, nameOf(kind.variant)
		w.open(table.NewGame{ID: id, Variant: variant, Players: w.some(0, kind.seats)})
		w.play(id, 3)
		first := regexp.MustCompile(`role="gridcell" data-square="(\w\d)"`)
		corners := map[string]bool{}
		for flip := range ways {
			page := w.page(fmt.Sprintf("/games/%s?flip=%d", id, flip), "")
			corners[first.FindStringSubmatch(page)[1]] = true
			if flip > 0 && !strings.Contains(page, fmt.Sprintf("&amp;flip=%d", flip)) {
				t.Errorf("%s: the stream or the links forget flip %d", variant, flip)
			}
		}
		if len(corners) != ways {
			t.Errorf("%s lies in %d ways: %v", variant, len(corners), corners)
		}
		if w.page("/games/"+id+"?flip=9", "") == "" || strings.Contains(w.page("/games/"+id+"?flip=9", ""), "flip=9") {
			t.Errorf("%s takes any flip", variant)
		}
	}
}

func TestNeighboursOfABoard(t *testing.T) {
	w := newTown(t)
	w.event("cup", "Cup", 8, 1, true)
	page := w.page("/games/cup-2-2", "")
	for _, link := range []string{`href="/games/cup-2-1" rel="prev"`, `href="/games/cup-2-3" rel="next"`} {
		if !strings.Contains(page, link) {
			t.Errorf("no %s", link)
		}
	}
	if first := w.page("/games/cup-2-1", ""); strings.Contains(first, `href="/games/cup-1-`) ||
		strings.Count(first, `class="neighbours"`) != 1 {
		t.Error("the first board leads to another round, or nowhere")
	}
}

// TestDelaysHoldForEveryPosition: no address shows a spectator a move before its delay.
func TestDelaysHoldForEveryPosition(t *testing.T) {
	w := newTown(t)
	w.open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Ms: 60_000}})
	w.pass(61 * time.Second)
	for i, token := range []string{"c1-c5", "a1-e1"} {
		if _, err := w.move("late", engine.Seat(i+1), token); err != nil {
			t.Fatal(err)
		}
	}
	for _, as := range []string{"", "p3"} {
		for _, path := range []string{"?ply=1", "?ply=2", "/plies?from=1"} {
			if code := w.get("/games/late"+path, as).Code; code != http.StatusNotFound {
				t.Errorf("%q sees %s: %d", as, path, code)
			}
		}
		for _, path := range []string{"", "?ply=0", "/plies?from=0", "?flip=1"} {
			answer := w.get("/games/late"+path, as)
			if text := answer.Body.String() + fmt.Sprint(answer.Header()); strings.Contains(text, "c1-c5") ||
				strings.Contains(text, "a1-e1") || strings.Contains(text, "ply=1") {
				t.Errorf("%q sees a move in %s", as, path)
			}
		}
	}
	if !strings.Contains(w.page("/games/late?ply=1", "p1"), "After move 1 of 2") {
		t.Error("a player does not see the own game")
	}
}

// TestHiddenHandsAreOpenAfterTheGame: while a game of Qui'win runs, stepping shows no more than was to be seen; when it
// is over, every position shows both hands; a game that was broken off shows what its players saw.
func TestHiddenHandsAreOpenAfterTheGame(t *testing.T) {
	for _, ends := range []string{"runs", "over", "aborted"} {
		w := newTown(t)
		w.open(table.NewGame{ID: "g", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
		switch w.play("g", 3); ends {
		case "over":
			w.ended("g")
		case "aborted":
			if _, err := w.Abort(t.Context(), "g", "p8", sentence.Typed("wrong players")); err != nil {
				t.Fatal(err)
			}
		}
		for _, path := range []string{"/games/g?ply=0", "/games/g?ply=1", "/games/g/plies?from=0"} {
			page := boardWords.FindString(w.page(path, ""))
			if found := tileName.FindString(page); (found != "") != (ends == "over") {
				t.Errorf("%s: a spectator of %s reads the tile %q", ends, path, found)
			}
		}
	}
}
