package moves_test

import (
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/table"
)

// TestFirstPageShowsThePlayersGames checks that the first page lists the visitor's games, first those that wait for the
// visitor's move.
func TestFirstPageShowsThePlayersGames(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Open(table.NewGame{ID: "mine", Variant: "quixo/duel", Players: []string{"p1", "p2"}})
	f.Open(table.NewGame{ID: "theirs", Variant: "quits/duel", Players: []string{"p2", "p1"}})
	f.Open(table.NewGame{ID: "others", Variant: "quits/duel", Players: []string{"p3", "p4"}})
	_, own, found := strings.Cut(f.Page("/", "p1"), "Your games")
	own, _, _ = strings.Cut(own, "</ul>")
	before, after, both := strings.Cut(own, "/games/theirs")
	if !found || !both || !strings.Contains(before, "/games/mine") || strings.Contains(after, "/games/mine") ||
		strings.Contains(own, "/games/others") {
		t.Errorf("the first page shows\n%s", own)
	}
	if strings.Count(own, "your move") != 1 {
		t.Errorf("not one game waits for the visitor:\n%s", own)
	}
	for _, stranger := range []string{"", "p5"} {
		if strings.Contains(f.Page("/", stranger), "Your games") {
			t.Errorf("%q has games", stranger)
		}
	}
}
