package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/engine/table"
)

// TestPagesOfADelayedGame: every page shows visitors the delayed game, and its players the live one.
func TestPagesOfADelayedGame(t *testing.T) {
	f := newFurnished(t)
	f.open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Ms: 60_000}})
	f.pass(61 * time.Second)
	f.move(f.game("late"), 1, "c1-c5")
	for as, sees := range map[string]bool{"": false, "p3": false, "p1": true} {
		if page := f.page("/games/late", as); strings.Contains(page, "c1-c5") != sees {
			t.Errorf("%q sees the move: %v", as, !sees)
		}
	}
	f.pass(61 * time.Second)
	f.get("/games/late", "").want(t, http.StatusOK).has(t, "c1-c5")
	for _, list := range []string{"/", "/games", "/players/p1"} {
		f.page(list, "")
	}
}
