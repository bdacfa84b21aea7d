package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestEmptyListsHoldTheirAct: a list without anything leads to what fills it, each visitor to what they may do.
func TestEmptyListsHoldTheirAct(t *testing.T) {
	s := newService(t, withRealPages)
	olga, root := s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	acts := func(who person, path string, links ...string) {
		t.Helper()
		_, rest, found := strings.Cut(string(who.get("/"+path).want(t, http.StatusOK).raw), `<div class="notice empty">`)
		part, _, _ := strings.Cut(rest, "</div>")
		for _, link := range links {
			if !strings.Contains(part, `<a class="button" href="`+link+`">`) {
				t.Errorf("%s: there is no way to %s in %q", path, link, part)
			}
		}
		if found && len(links) == 0 {
			t.Errorf("%s: %s", path, part)
		}
	}
	acts(s.anonymous(), "/tournaments", "/play")
	acts(olga, "/tournaments", "/tournaments/new")
	acts(s.anonymous(), "/games", "/play")
	acts(s.anonymous(), "/ratings", "/play")
	acts(s.anonymous(), "/players?name=Nobody", "/players")
	acts(root, "/admin/log?person=Nobody", "/admin/log")
	id := "/tournaments/" + olga.draft("Empty")
	olga.post(id+"/open", nil).want(t, http.StatusOK)
	acts(olga, id, id+"/desk?tab=entries")
	acts(s.anonymous(), id)
	acts(olga, id+"/desk?tab=entries", "#add")
	acts(olga, id+"/prizes", id+"/desk?tab=prizes")
	acts(olga, id+"/desk/codes", id+"/desk?tab=round")
	acts(s.anonymous(), "/tournaments")
}

// TestAClubIsOnePage of its list of players, a row for each, and found by name.
func TestAClubIsOnePage(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	for i := range 80 {
		olga.post("/players", map[string]any{"name": fmt.Sprint("Person ", i), "club": "Club"}).want(t, http.StatusCreated)
	}
	page := string(s.anonymous().get("//players").want(t, http.StatusOK).raw)
	if n := strings.Count(page, `<li><a href="/players/`); n < 80 {
		t.Errorf("%d of 80 are on the page", n)
	}
	page = string(olga.get("//admin").want(t, http.StatusOK).raw)
	if n := strings.Count(page, `<li><div><a class="title" href="/players/`); n != 80 {
		t.Errorf("%d of 80 are in the administration", n)
	}
	olga.get("//admin?player=Person+79").want(t, http.StatusOK).says(t, "Person 79").lacks(t, "Person 78")
}
