package ratings_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestActivePlayersOfAList are those with a game within a year.
func TestActivePlayersOfAList(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	_, list := apitest.RatedGame(t, s, ada, bob)
	for query, want := range map[string]int{"": 2, "?active=true": 2, "?active=false": 2} {
		if got := s.Anonymous().Get("/ratings/"+list+query).Want(t, http.StatusOK); len(got.List("items")) != want {
			t.Errorf("%q: %s", query, got.Raw)
		}
	}
	first := s.Anonymous().Get("/ratings/"+list+"?active=true&limit=1").Want(t, http.StatusOK)
	if link := first.Header.Get("Link"); link == "" || len(first.List("items")) != 1 {
		t.Errorf("%s, Link %q", first.Raw, link)
	}
	s.Pass(366 * 24 * time.Hour)
	for query, want := range map[string]int{"": 2, "?active=true": 0, "?active=false": 2} {
		if got := s.Anonymous().Get("/ratings/"+list+query).Want(t, http.StatusOK); len(got.List("items")) != want {
			t.Errorf("a year later, %q: %s", query, got.Raw)
		}
	}
	s.Anonymous().Get("/ratings/"+list+"?active=often").Refused(t, http.StatusBadRequest, "malformed")
}

// TestAnAdminRecomputesAList that has been spoilt.
func TestAnAdminRecomputesAList(t *testing.T) {
	s := apitest.New(t)
	ada, bob, root := s.Register("ada"), s.Register("bob"), s.WithRole("root", account.RoleAdmin)
	id, list := apitest.RatedGame(t, s, ada, bob)
	before := s.Anonymous().Get("/games/"+id+"/rating-changes").Want(t, http.StatusOK)
	err := s.Store.Ratings().Renew(t.Context(), func(d ledger.Draft) error {
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
	ada.Post(path, nil).Refused(t, http.StatusForbidden, "insufficient-scope")
	s.WithRole("olga", account.RoleOrganiser).Post(path, nil).Refused(t, http.StatusForbidden, "insufficient-scope")
	if other := root.Post("/ratings/quits-rapid/recompute", nil).Want(t, http.StatusOK); other.Number("changed") != 0 ||
		other.Number("rows") != 0 {
		t.Errorf("another list: %s", other.Raw)
	}
	// The row, and the rating that follows from it.
	if done := root.Post(path, nil).Want(t, http.StatusOK); done.Number("changed") != 2 || done.Number("rows") != 2 ||
		done.Text("list") != list {
		t.Errorf("%s", done.Raw)
	}
	if after := s.Anonymous().Get("/games/" + id + "/rating-changes"); string(after.Raw) != string(before.Raw) {
		t.Errorf("%s\nwant %s", after.Raw, before.Raw)
	}
	if again := root.Post(path, nil).Want(t, http.StatusOK); again.Number("changed") != 0 {
		t.Errorf("%s", again.Raw)
	}
}

// TestAListOfAnyDate: the list of any day can be read over the API, as a file, and on a page.
func TestAListOfAnyDate(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada, bob := s.Register("ada"), s.Register("bob")
	_, list := apitest.RatedGame(t, s, ada, bob)
	first := s.Now().UTC()
	s.Pass(48 * time.Hour)
	ada, bob = ada.Again(), bob.Again() // the sessions have expired
	apitest.RatedGame(t, s, ada, bob)
	day := func(days int) string { return first.AddDate(0, 0, days).Format(time.DateOnly) }
	read := s.Anonymous()
	now := read.Get("/ratings/"+list).Want(t, http.StatusOK)
	for at, games := range map[string]float64{day(0): 0, day(1): 1, day(2): 1, day(3): 2} {
		then := read.Get("/ratings/"+list+"?at="+at).Want(t, http.StatusOK)
		if len(then.List("items")) == 0 && games > 0 || games > 0 && then.Number("items", 0, "games") != games ||
			games == 0 && len(then.List("items")) != 0 {
			t.Errorf("on %s: %s", at, then.Raw)
		}
		if games == 2 && then.Number("items", 0, "rating") != now.Number("items", 0, "rating") {
			t.Errorf("on %s: %s, now %s", at, then.Raw, now.Raw)
		}
	}
	page := read.Get("/ratings/"+list+"?limit=1&at="+day(3)).Want(t, http.StatusOK)
	if next := page.Text("next_cursor"); next == "" {
		t.Errorf("%s", page.Raw)
	} else if rest := read.Get("/ratings/"+list+"?limit=1&at="+day(3)+"&cursor="+next).
		Want(t, http.StatusOK); len(rest.List("items")) != 1 || rest.At("next_cursor") != nil {
		t.Errorf("%s", rest.Raw)
	}
	read.Get("/ratings/"+list+"?at=soon").Refused(t, http.StatusBadRequest, "malformed")
	export := "/ratings/" + list + "/export?at=" + day(3) + "&format="
	read.Get(export+"csv").Want(t, http.StatusOK).
		Has(t, "rank,name,club,rating,games,last_game,tournament_games\r\n1,", ",2,"+day(2)+",0\r\n")
	read.Get(export+"trf").Want(t, http.StatusOK).Has(t, "001    1      ", "\n001    2      ")
	if file := read.Get(export+"json").Want(t, http.StatusOK); len(file.List("items")) != 2 {
		t.Errorf("%s", file.Raw)
	}
	read.Get(export+"xml").Refused(t, http.StatusBadRequest, "malformed")
	visitor := s.Visitor()
	visitor.Get("/ratings/"+list+"?at="+day(3)).Want(t, http.StatusOK).
		Has(t, "As of the start of "+first.AddDate(0, 0, 3).Format("2 Jan 2006"),
			"export?at="+day(3)+"&amp;format=csv", ">?</abbr>")
	visitor.Get("/ratings/"+list+"?at="+day(0)).Want(t, http.StatusOK).Has(t, "no rated games by then")
	visitor.Get("/ratings/"+list+"?at=soon").Want(t, http.StatusBadRequest).Has(t, "not a day")
	visitor.Get("/ratings/nothing").Want(t, http.StatusNotFound)
}
