package api_test

import (
	"net/http"
	"testing"
	"time"

	"quatuor/rating/ledger"
	"quatuor/tournament/account"
)

// ratedGame plays a rated game and returns its id and the list that it counts in.
func ratedGame(t *testing.T, s *service, ada, bob person) (id, list string) {
	t.Helper()
	id = duel(t, ada, bob, "quixo/duel", "300+3").text("id")
	playToTheEnd(t, id, ada, bob)
	list = s.anonymous().get("/games/"+id+"/rating-changes").want(t, http.StatusOK).text("items", 0, "list")
	if list == "" {
		t.Fatal("the game was not rated")
	}
	return id, list
}

// TestActivePlayersOfAList are those who have played within a year.
func TestActivePlayersOfAList(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	_, list := ratedGame(t, s, ada, bob)
	for query, want := range map[string]int{"": 2, "?active=true": 2, "?active=false": 2} {
		if got := s.anonymous().get("/ratings/"+list+query).want(t, http.StatusOK); len(got.list("items")) != want {
			t.Errorf("%q: %s", query, got.raw)
		}
	}
	first := s.anonymous().get("/ratings/"+list+"?active=true&limit=1").want(t, http.StatusOK)
	if link := first.header.Get("Link"); link == "" || len(first.list("items")) != 1 {
		t.Errorf("%s, Link %q", first.raw, link)
	}
	s.pass(366 * 24 * time.Hour)
	for query, want := range map[string]int{"": 2, "?active=true": 0, "?active=false": 2} {
		if got := s.anonymous().get("/ratings/"+list+query).want(t, http.StatusOK); len(got.list("items")) != want {
			t.Errorf("a year later, %q: %s", query, got.raw)
		}
	}
	s.anonymous().get("/ratings/"+list+"?active=often").refused(t, http.StatusBadRequest, "malformed")
}

// TestAnAdminRecomputesAList that has been spoilt.
func TestAnAdminRecomputesAList(t *testing.T) {
	s := newService(t)
	ada, bob, root := s.register("ada"), s.register("bob"), s.withRole("root", account.RoleAdmin)
	id, list := ratedGame(t, s, ada, bob)
	before := s.anonymous().get("/games/"+id+"/rating-changes").want(t, http.StatusOK)
	var rows []ledger.Row
	err := s.db.Ratings().Rows(t.Context(), func(r ledger.Row) error {
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	cursor, _, err := s.db.Ratings().Pending(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	rows[0].After++
	if err := s.db.Ratings().Replace(t.Context(), cursor, rows); err != nil {
		t.Fatal(err)
	}
	path := "/ratings/" + list + "/recompute"
	ada.post(path, nil).refused(t, http.StatusForbidden, "insufficient-scope")
	s.withRole("olga", account.RoleOrganiser).post(path, nil).refused(t, http.StatusForbidden, "insufficient-scope")
	if other := root.post("/ratings/quits-rapid/recompute", nil).want(t, http.StatusOK); other.number("changed") != 0 || other.number("rows") != 0 {
		t.Errorf("another list: %s", other.raw)
	}
	// The row, and the rating that follows from it.
	if done := root.post(path, nil).want(t, http.StatusOK); done.number("changed") != 2 || done.number("rows") != 2 || done.text("list") != list {
		t.Errorf("%s", done.raw)
	}
	if after := s.anonymous().get("/games/" + id + "/rating-changes"); string(after.raw) != string(before.raw) {
		t.Errorf("%s\nwant %s", after.raw, before.raw)
	}
	if again := root.post(path, nil).want(t, http.StatusOK); again.number("changed") != 0 {
		t.Errorf("%s", again.raw)
	}
}
