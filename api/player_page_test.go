package api_test

import (
	"net/http"
	"testing"
)

// TestAPlayersPageSumsUp: results, lists with the highest rating, tournaments and opponents, and one chart, whose list
// the address chooses.
func TestAPlayersPageSumsUp(t *testing.T) {
	f := newFixture(t)
	page := f.get("/players/p1", "").want(t, http.StatusOK)
	page.has(t, ">Rated games<", ">Highest<", ">Most frequent opponents<", `href="/tournaments/tuesday/players/1"`)
	page.lacks(t, "Surprise Open")
	f.get("/players/p1?list=chess-blitz", "").want(t, http.StatusNotFound)
}
