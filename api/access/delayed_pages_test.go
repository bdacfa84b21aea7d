package access_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/engine/table"
)

// TestPagesOfADelayedGame: every page shows visitors the delayed game, and its players the live one.
func TestPagesOfADelayedGame(t *testing.T) {
	f := apitest.NewFurnished(t)
	f.Open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Ms: 60_000}})
	f.Pass(61 * time.Second)
	f.Move(f.Game("late"), 1, "c1-c5")
	for as, sees := range map[string]bool{"": false, "p3": false, "p1": true} {
		if page := f.Page("/games/late", as); strings.Contains(page, "c1-c5") != sees {
			t.Errorf("%q sees the move: %v", as, !sees)
		}
	}
	f.Pass(61 * time.Second)
	f.Get("/games/late", "").Want(t, http.StatusOK).Has(t, "c1-c5")
	for _, list := range []string{"/", "/games", "/players/p1"} {
		f.Page(list, "")
	}
}
