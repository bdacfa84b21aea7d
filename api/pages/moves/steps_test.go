package moves_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	games "quatuor/api/pages/play"
	"quatuor/engine/table"
)

var (
	stepLink  = regexp.MustCompile(`<a href="([^"]*)" data-ply="(\d+)"`)
	sectionOf = regexp.MustCompile(`(?s)<section data-ply="(\d+)" data-move="([^"]*)" data-spent="(\d+)">(.*?)</section>`)
)

// TestEveryMoveInTheListLeadsToItsPosition follows each link of a list, and compares the position with that served to
// scripts.
func TestEveryMoveInTheListLeadsToItsPosition(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Open(table.NewGame{ID: "g", Variant: "quits/four", Players: f.Some(0, 4)})
	s := f.Play("g", 30)
	links := stepLink.FindAllStringSubmatch(f.Page("/games/g", ""), -1)
	if len(links) != s.Game.Plies {
		t.Fatalf("%d links for %d moves", len(links), s.Game.Plies)
	}
	runs := f.Page("/games/g/plies?from=0", "") + f.Page(fmt.Sprintf("/games/g/plies?from=%d", games.PlyChunk), "")
	sections := sectionOf.FindAllStringSubmatch(runs, -1)
	if len(sections) != s.Game.Plies+1 {
		t.Fatalf("%d positions for %d moves", len(sections), s.Game.Plies)
	}
	seen := map[string]bool{}
	for i, link := range links {
		page := f.Page(strings.ReplaceAll(link[1], "&amp;", "&"), "")
		if !strings.Contains(page, fmt.Sprintf("After move %d of %d", i+1, s.Game.Plies)) ||
			strings.Count(page, `aria-current="step"`) != 1 {
			t.Fatalf("%s does not say where it stands", link[1])
		}
		words := apitest.BoardWords.FindString(page)
		seen[words] = true
		section := sections[i+1]
		if section[1] != link[2] || strings.ReplaceAll(apitest.BoardWords.FindString(section[4]), "past-d",
			"board-d") != words {
			t.Errorf("ply %s: the run shows\n%s\nthe page\n%s", link[2], apitest.BoardWords.FindString(section[4]), words)
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
	f := apitest.NewFixture(t)
	f.Open(table.NewGame{ID: "g", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	f.Play("g", 5)
	for _, from := range []string{"", "-1", "6", "x", "99999999999999999999"} {
		f.Get("/games/g/plies?from="+from, "").Want(t, http.StatusNotFound)
	}
	if got := len(sectionOf.FindAllString(f.Page("/games/g/plies?from=5", ""), -1)); got != 1 {
		t.Errorf("%d positions from the last one on", got)
	}
}

// TestBoardsAreTurned: ?flip=1 shows the board from the other side, on every page and stream of it, and as often as
// there are sides.
func TestBoardsAreTurned(t *testing.T) {
	f := apitest.NewFixture(t)
	for _, kind := range []struct {
		variant     string
		seats, ways int
	}{{"quixo/duel", 2, 2}, {"quits/four", 4, 4}, {"quivive/melee", 3, 2}} {
		variant, ways, id := kind.variant, kind.ways, apitest.NameOf(kind.variant)
		f.Open(table.NewGame{ID: id, Variant: variant, Players: f.Some(0, kind.seats)})
		f.Play(id, 3)
		first := regexp.MustCompile(`role="gridcell" data-square="(\w\d)"`)
		corners := map[string]bool{}
		for flip := range ways {
			page := f.Page(fmt.Sprintf("/games/%s?flip=%d", id, flip), "")
			corners[first.FindStringSubmatch(page)[1]] = true
			if flip > 0 && !strings.Contains(page, fmt.Sprintf("&amp;flip=%d", flip)) {
				t.Errorf("%s: the stream or the links forget flip %d", variant, flip)
			}
		}
		if len(corners) != ways {
			t.Errorf("%s lies in %d ways: %v", variant, len(corners), corners)
		}
		if f.Page("/games/"+id+"?flip=9", "") == "" || strings.Contains(f.Page("/games/"+id+"?flip=9", ""), "flip=9") {
			t.Errorf("%s takes any flip", variant)
		}
	}
}

func TestNeighboursOfABoard(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Event("cup", "Cup", 8, 1, true)
	f.Get("/games/cup-2-2", "").Has(t, `href="/games/cup-2-1" rel="prev"`, `href="/games/cup-2-3" rel="next"`)
	first := string(f.Get("/games/cup-2-1", "").Lacks(t, `href="/games/cup-1-`).Raw)
	if strings.Count(first, `class="neighbours"`) != 1 {
		t.Error("the first board leads nowhere")
	}
}

// TestDelaysHoldForEveryPosition: no address shows a spectator a move before its delay.
func TestDelaysHoldForEveryPosition(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Ms: 60_000}})
	f.Pass(61 * time.Second)
	f.Move(f.Move(f.Game("late"), 1, "c1-c5"), 2, "a1-e1")
	for _, as := range []string{"", "p3"} {
		for _, path := range []string{"?ply=1", "?ply=2", "/plies?from=1"} {
			f.Get("/games/late"+path, as).Want(t, http.StatusNotFound)
		}
		for _, path := range []string{"", "?ply=0", "/plies?from=0", "?flip=1"} {
			answer := f.Get("/games/late"+path, as).Lacks(t, "c1-c5", "a1-e1", "ply=1")
			if text := fmt.Sprint(answer.Header); strings.Contains(text, "c1-c5") || strings.Contains(text, "a1-e1") ||
				strings.Contains(text, "ply=1") {
				t.Errorf("%q sees a move in %s", as, path)
			}
		}
	}
	f.Get("/games/late?ply=1", "p1").Want(t, http.StatusOK).Has(t, "After move 1 of 2")
}

// TestHiddenHandsAreOpenAfterTheGame: while a game of Qui'win runs, stepping shows no more than was to be seen; when it
// is over, every position shows both hands; a game that was broken off shows what its players saw.
func TestHiddenHandsAreOpenAfterTheGame(t *testing.T) {
	for _, ends := range []string{"runs", "over", "aborted"} {
		f := apitest.NewFixture(t)
		f.Open(table.NewGame{ID: "g", Variant: "quiwin/duel", Players: []string{"p1", "p2"}})
		switch f.Play("g", 3); ends {
		case "over":
			f.Ended("g")
		case "aborted":
			f.Abort("g")
		}
		for _, path := range []string{"/games/g?ply=0", "/games/g?ply=1", "/games/g/plies?from=0"} {
			page := apitest.BoardWords.FindString(f.Page(path, ""))
			if found := tileName.FindString(page); (found != "") != (ends == "over") {
				t.Errorf("%s: a spectator of %s reads the tile %q", ends, path, found)
			}
		}
	}
}
