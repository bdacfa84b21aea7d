package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestRatingsCannotBeFarmed: between two accounts neither games that are resigned at once count, nor more than three a
// day. Pages and the API explain why, and computing everything again gives the same rows.
func TestRatingsCannotBeFarmed(t *testing.T) {
	s := newService(t, withRealPages)
	ada, bob := s.register("ada"), s.register("bob")
	var resigned string
	for range 5 {
		resigned = duel(t, ada, bob, "quixo/duel", "300+3").text("id")
		play(t, resigned, ada, 1, "a1-a5")
		play(t, resigned, bob, 2, "e1-e5")
		bob.post("/games/"+resigned+"/resign", nil).want(t, http.StatusOK)
	}
	read := s.anonymous()
	if none := read.get("/ratings/quixo-blitz").want(t, http.StatusOK); len(none.list("items")) != 0 {
		t.Errorf("%s", none.raw)
	}
	few := read.get("/games/"+resigned+"/rating-changes").want(t, http.StatusOK)
	if len(few.list("items")) != 0 || few.text("uncounted", "reason") != "few_moves" ||
		few.number("uncounted", "moves") != 4 {
		t.Errorf("%s", few.raw)
	}
	var last string
	for i := range 4 {
		last = duel(t, ada, bob, "quixo/duel", "300+3").text("id")
		playToTheEnd(t, last, ada, bob)
		if n := len(read.get("/games/"+last+"/rating-changes").want(t, http.StatusOK).list("items")); (n == 2) != (i < 3) {
			t.Errorf("game %d changes %d ratings", i+1, n)
		}
	}
	limited := read.get("/games/"+last+"/rating-changes").want(t, http.StatusOK)
	if limited.text("uncounted", "reason") != "pair_limit" || limited.number("uncounted", "games") != 3 ||
		limited.text("uncounted", "period") != "day" {
		t.Errorf("%s", limited.raw)
	}
	why := "/players/" + ada.player + "/ratings/quixo-blitz"
	told := read.get(why+"/explanation").want(t, http.StatusOK)
	if len(told.list("items")) != 3 || len(told.list("uncounted")) != 6 || told.text("uncounted", 0, "game_id") != last {
		t.Errorf("%s", told.raw)
	}
	for _, in := range languages() {
		many, short := textOf(t, in, "ratings.uncounted.casual.day", "Count", 3),
			textOf(t, in, "ratings.uncounted.moves", "Count", 4)
		s.visitor().get(why, inLanguage(in)).want(t, http.StatusOK).says(t, many, short)
		s.visitor().get("/games/"+last, inLanguage(in)).want(t, http.StatusOK).says(t, many)
		s.visitor().get("/games/"+resigned, inLanguage(in)).want(t, http.StatusOK).says(t, short)
	}
	ranked := read.get("/ratings/quixo-blitz").want(t, http.StatusOK)
	if ranked.number("items", 0, "games") != 3 || ranked.number("items", 0, "tournament_games") != 0 {
		t.Errorf("%s", ranked.raw)
	}
	read.get("/ratings/quixo-blitz/export?format=csv").want(t, http.StatusOK).has(t, "last_game,tournament_games", ",3,")
	root := s.withRole("root", account.RoleAdmin)
	if again := root.post("/ratings/quixo-blitz/recompute", nil).want(t, http.StatusOK); again.number("changed") != 0 ||
		again.number("rows") != 6 {
		t.Errorf("%s", again.raw)
	}
}

// TestRatingImportsOfTheDocumentedSize: both doors take 2 MiB, and no more.
func TestRatingImportsOfTheDocumentedSize(t *testing.T) {
	const limit = 2 << 20
	s := newService(t, withRealPages)
	root := s.withRole("root", account.RoleAdmin)
	file := func(size int) string {
		var b strings.Builder
		b.WriteString("player,list,rating\n")
		const lines = 15_000
		for i := range lines {
			fmt.Fprintf(&b, "player-%05d,quixo-blitz,1500.%s\n", i, strings.Repeat("0", (size-b.Len())/(lines-i)-32))
		}
		text := b.String()
		return text[:len(text)-1] + strings.Repeat("0", size-len(text)) + "\n"
	}
	just, over := file(limit), file(limit+1)
	if len(just) != limit || len(over) != limit+1 {
		t.Fatalf("%d and %d bytes", len(just), len(over))
	}
	tried := root.post("/rating-imports?try=true", just, asTable).want(t, http.StatusOK)
	if n := len(tried.list("items")); n != 15_000 {
		t.Errorf("%d lines", n)
	}
	root.post("/rating-imports?try=true", over, asTable).want(t, http.StatusUnprocessableEntity).
		has(t, "longer than 2 MiB")
	desk := s.visits("root")
	desk.post("/admin/ratings/import", "csv", just, "do", "try").want(t, http.StatusUnprocessableEntity).
		has(t, "Nothing was stored", "player-14999")
	desk.post("/admin/ratings/import", "csv", over, "do", "try").
		alert(t, http.StatusUnprocessableEntity, "longer than 2 MiB")
	s.visitor().post("/admin/ratings/import", "csv", just).want(t, http.StatusRequestEntityTooLarge)
}
