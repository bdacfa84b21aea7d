package ratings_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestRatingsCannotBeFarmed: between two accounts neither games that are resigned at once count, nor more than three a
// day. Pages and the API explain why, and a recomputation yields the same rows.
func TestRatingsCannotBeFarmed(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada, bob := s.Register("ada"), s.Register("bob")
	var resigned string
	for range 5 {
		resigned = apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
		apitest.Play(t, resigned, ada, 1, "a1-a5")
		apitest.Play(t, resigned, bob, 2, "e1-e5")
		bob.Post("/games/"+resigned+"/resign", nil).Want(t, http.StatusOK)
	}
	read := s.Anonymous()
	if none := read.Get("/ratings/quixo-blitz").Want(t, http.StatusOK); len(none.List("items")) != 0 {
		t.Errorf("%s", none.Raw)
	}
	few := read.Get("/games/"+resigned+"/rating-changes").Want(t, http.StatusOK)
	if len(few.List("items")) != 0 || few.Text("uncounted", "reason") != "few_moves" ||
		few.Number("uncounted", "moves") != 4 {
		t.Errorf("%s", few.Raw)
	}
	var last string
	for i := range 4 {
		last = apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
		apitest.PlayToTheEnd(t, last, ada, bob)
		if n := len(read.Get("/games/"+last+"/rating-changes").Want(t, http.StatusOK).List("items")); (n == 2) != (i < 3) {
			t.Errorf("game %d changes %d ratings", i+1, n)
		}
	}
	limited := read.Get("/games/"+last+"/rating-changes").Want(t, http.StatusOK)
	if limited.Text("uncounted", "reason") != "pair_limit" || limited.Number("uncounted", "games") != 3 ||
		limited.Text("uncounted", "period") != "day" {
		t.Errorf("%s", limited.Raw)
	}
	why := "/players/" + ada.Player + "/ratings/quixo-blitz"
	told := read.Get(why+"/explanation").Want(t, http.StatusOK)
	if len(told.List("items")) != 3 || len(told.List("uncounted")) != 6 || told.Text("uncounted", 0, "game_id") != last {
		t.Errorf("%s", told.Raw)
	}
	for _, in := range apitest.Languages() {
		many, short := apitest.TextOf(t, in, "ratings.uncounted.casual.day", "Count", 3),
			apitest.TextOf(t, in, "ratings.uncounted.moves", "Count", 4)
		s.Visitor().Get(why, apitest.InLanguage(in)).Want(t, http.StatusOK).Says(t, many, short)
		s.Visitor().Get("/games/"+last, apitest.InLanguage(in)).Want(t, http.StatusOK).Says(t, many)
		s.Visitor().Get("/games/"+resigned, apitest.InLanguage(in)).Want(t, http.StatusOK).Says(t, short)
	}
	ranked := read.Get("/ratings/quixo-blitz").Want(t, http.StatusOK)
	if ranked.Number("items", 0, "games") != 3 || ranked.Number("items", 0, "tournament_games") != 0 {
		t.Errorf("%s", ranked.Raw)
	}
	read.Get("/ratings/quixo-blitz/export?format=csv").Want(t, http.StatusOK).Has(t, "last_game,tournament_games", ",3,")
	root := s.WithRole("root", account.RoleAdmin)
	if again := root.Post("/ratings/quixo-blitz/recompute", nil).Want(t, http.StatusOK); again.Number("changed") != 0 ||
		again.Number("rows") != 6 {
		t.Errorf("%s", again.Raw)
	}
}

// TestRatingImportsOfTheDocumentedSize: both doors take 2 MiB, and no more.
func TestRatingImportsOfTheDocumentedSize(t *testing.T) {
	const limit = 2 << 20
	s := apitest.New(t, apitest.WithPages)
	root := s.WithRole("root", account.RoleAdmin)
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
	tried := root.Post("/rating-imports?try=true", just, apitest.AsCSV).Want(t, http.StatusOK)
	if n := len(tried.List("items")); n != 15_000 {
		t.Errorf("%d lines", n)
	}
	root.Post("/rating-imports?try=true", over, apitest.AsCSV).Want(t, http.StatusUnprocessableEntity).
		Has(t, "longer than 2 MiB")
	desk := s.LoggedIn("root")
	desk.Post("/admin/ratings/import", "csv", just, "do", "try").Want(t, http.StatusUnprocessableEntity).
		Has(t, "Nothing was stored", "player-14999")
	desk.Post("/admin/ratings/import", "csv", over, "do", "try").
		Alert(t, http.StatusUnprocessableEntity, "longer than 2 MiB")
	s.Visitor().Post("/admin/ratings/import", "csv", just).Want(t, http.StatusRequestEntityTooLarge)
}
