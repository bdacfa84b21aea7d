package pages

import (
	"strings"
	"testing"
	"time"

	"quatuor/engine/table"
)

// TestPagesOfADelayedGame: every page shows visitors the delayed game, and its players the live one.
func TestPagesOfADelayedGame(t *testing.T) {
	w := newTown(t).furnish()
	w.open(table.NewGame{ID: "late", Variant: "quixo/duel", Players: []string{"p1", "p2"}, Delay: table.Delay{Ms: 60_000}})
	w.pass(61 * time.Second)
	_, err := w.Play(t.Context(), w.Arrive("late"), table.Move{
		Act: table.Act{Game: "late", Seat: 1}, Turn: 1, Token: "c1-c5",
	})
	if err != nil {
		t.Fatal(err)
	}
	for as, sees := range map[string]bool{"": false, "p3": false, "p1": true} {
		if page := w.page("/games/late", as); strings.Contains(page, "c1-c5") != sees {
			t.Errorf("%q sees the move: %v", as, !sees)
		}
	}
	w.pass(61 * time.Second)
	if !strings.Contains(w.page("/games/late", ""), "c1-c5") {
		t.Error("the delay does not run out")
	}
	for _, list := range []string{"/", "/games", "/players/p1"} {
		w.page(list, "")
	}
}
