package api_test

import (
	"errors"
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

// TestActivePlayersOfAList are those with a game within a year.
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
	err := s.db.Ratings().Renew(t.Context(), func(d ledger.Draft) error {
		rows, err := d.Rows(t.Context(), 0, d.Cursor(), nil)
		if err != nil {
			return err
		}
		wrong := rows[0]
		wrong.After++
		standing := ledger.Standing{
			List: wrong.List, PlayerID: wrong.PlayerID, Rating: wrong.Rating(), Seq: wrong.Seq, LastAt: wrong.At,
		}
		return errors.Join(d.SetRows(t.Context(), nil, []ledger.Row{wrong}),
			d.SetStandings(t.Context(), nil, []ledger.Standing{standing}))
	})
	if err != nil {
		t.Fatal(err)
	}
	path := "/ratings/" + list + "/recompute"
	ada.post(path, nil).refused(t, http.StatusForbidden, "insufficient-scope")
	s.withRole("olga", account.RoleOrganiser).post(path, nil).refused(t, http.StatusForbidden, "insufficient-scope")
	if other := root.post("/ratings/quits-rapid/recompute", nil).want(t, http.StatusOK); other.number("changed") != 0 ||
		other.number("rows") != 0 {
		t.Errorf("another list: %s", other.raw)
	}
	// The row, and the rating that follows from it.
	if done := root.post(path, nil).want(t, http.StatusOK); done.number("changed") != 2 || done.number("rows") != 2 ||
		done.text("list") != list {
		t.Errorf("%s", done.raw)
	}
	if after := s.anonymous().get("/games/" + id + "/rating-changes"); string(after.raw) != string(before.raw) {
		t.Errorf("%s\nwant %s", after.raw, before.raw)
	}
	if again := root.post(path, nil).want(t, http.StatusOK); again.number("changed") != 0 {
		t.Errorf("%s", again.raw)
	}
}

// TestAListOfAnyDate: the list of any day can be read over the API, as a file, and on a page.
func TestAListOfAnyDate(t *testing.T) {
	s := newService(t, withRealPages)
	ada, bob := s.register("ada"), s.register("bob")
	_, list := ratedGame(t, s, ada, bob)
	first := s.now().UTC()
	s.pass(48 * time.Hour)
	ada, bob = ada.again(), bob.again() // the sessions have expired
	ratedGame(t, s, ada, bob)
	day := func(days int) string { return first.AddDate(0, 0, days).Format(time.DateOnly) }
	read := s.anonymous()
	now := read.get("/ratings/"+list).want(t, http.StatusOK)
	for at, games := range map[string]float64{day(0): 0, day(1): 1, day(2): 1, day(3): 2} {
		then := read.get("/ratings/"+list+"?at="+at).want(t, http.StatusOK)
		if len(then.list("items")) == 0 && games > 0 || games > 0 && then.number("items", 0, "games") != games ||
			games == 0 && len(then.list("items")) != 0 {
			t.Errorf("on %s: %s", at, then.raw)
		}
		if games == 2 && then.number("items", 0, "rating") != now.number("items", 0, "rating") {
			t.Errorf("on %s: %s, now %s", at, then.raw, now.raw)
		}
	}
	page := read.get("/ratings/"+list+"?limit=1&at="+day(3)).want(t, http.StatusOK)
	if next := page.text("next_cursor"); next == "" {
		t.Errorf("%s", page.raw)
	} else if rest := read.get("/ratings/"+list+"?limit=1&at="+day(3)+"&cursor="+next).
		want(t, http.StatusOK); len(rest.list("items")) != 1 || rest.at("next_cursor") != nil {
		t.Errorf("%s", rest.raw)
	}
	read.get("/ratings/"+list+"?at=soon").refused(t, http.StatusBadRequest, "malformed")
	export := "/ratings/" + list + "/export?at=" + day(3) + "&format="
	read.get(export+"csv").want(t, http.StatusOK).
		has(t, "rank,name,club,rating,games,last_game,tournament_games\r\n1,", ",2,"+day(2)+",0\r\n")
	read.get(export+"trf").want(t, http.StatusOK).has(t, "001    1      ", "\n001    2      ")
	if file := read.get(export+"json").want(t, http.StatusOK); len(file.list("items")) != 2 {
		t.Errorf("%s", file.raw)
	}
	read.get(export+"xml").refused(t, http.StatusBadRequest, "malformed")
	visitor := s.visitor()
	visitor.get("/ratings/"+list+"?at="+day(3)).want(t, http.StatusOK).
		has(t, "As of the start of "+first.AddDate(0, 0, 3).Format("2 Jan 2006"),
			"export?at="+day(3)+"&amp;format=csv", ">?</abbr>")
	visitor.get("/ratings/"+list+"?at="+day(0)).want(t, http.StatusOK).has(t, "no rated games by then")
	visitor.get("/ratings/"+list+"?at=soon").want(t, http.StatusBadRequest).has(t, "not a day")
	visitor.get("/ratings/nothing").want(t, http.StatusNotFound)
}
