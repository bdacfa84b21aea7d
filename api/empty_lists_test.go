package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestEmptyListsHoldTheirAct: a list without anything leads to what fills it, each visitor to what they may do.
func TestEmptyListsHoldTheirAct(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	acts := func(who apitest.Person, path string, links ...string) {
		t.Helper()
		_, rest, found := strings.Cut(string(who.Get("/"+path).Want(t, http.StatusOK).Raw), `<div class="notice empty">`)
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
	acts(s.Anonymous(), "/tournaments", "/play")
	acts(olga, "/tournaments", "/tournaments/new")
	acts(s.Anonymous(), "/games", "/play")
	acts(s.Anonymous(), "/ratings", "/play")
	acts(s.Anonymous(), "/players?name=Nobody", "/players")
	acts(root, "/admin/log?person=Nobody", "/admin/log")
	id := "/tournaments/" + olga.Draft("Empty")
	olga.Post(id+"/open", nil).Want(t, http.StatusOK)
	acts(olga, id, id+"/desk?tab=entries")
	acts(s.Anonymous(), id)
	acts(olga, id+"/desk?tab=entries", "#add")
	acts(olga, id+"/prizes", id+"/desk?tab=prizes")
	acts(olga, id+"/desk/codes", id+"/desk?tab=round")
	acts(s.Anonymous(), "/tournaments")
}

// TestAClubIsOnePage of its list of players, a row for each, and found by name.
func TestAClubIsOnePage(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	for i := range 80 {
		olga.Post("/players", map[string]any{"name": fmt.Sprint("Person ", i), "club": "Club"}).Want(t, http.StatusCreated)
	}
	page := string(s.Anonymous().Get("//players").Want(t, http.StatusOK).Raw)
	if n := strings.Count(page, `<li><a href="/players/`); n < 80 {
		t.Errorf("%d of 80 are on the page", n)
	}
	page = string(olga.Get("//admin").Want(t, http.StatusOK).Raw)
	if n := strings.Count(page, `<li><div><a class="title" href="/players/`); n != 80 {
		t.Errorf("%d of 80 are in the administration", n)
	}
	olga.Get("//admin?player=Person+79").Want(t, http.StatusOK).Says(t, "Person 79").Lacks(t, "Person 78")
}

// TestTournamentsAreInAUsefulOrder: those that run, then those to come by their beginning, then those that are over.
func TestTournamentsAreInAUsefulOrder(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	event := func(name string, days int, stage string) {
		id := olga.Draft(name)
		if days > 0 {
			starts := time.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339)
			olga.Send(http.MethodPatch, "/tournaments/"+id, map[string]any{"starts_at": starts}, apitest.AnyVersion).
				Want(t, http.StatusOK)
		}
		olga.Post("/tournaments/"+id+"/open", nil).Want(t, http.StatusOK)
		if stage == "open" {
			return
		}
		olga.Send(http.MethodPatch, "/tournaments/"+id, map[string]any{"rounds": 1}, apitest.AnyVersion).
			Want(t, http.StatusOK)
		for _, player := range []string{"Ada", "Bob"} {
			olga.Post("/tournaments/"+id+"/entries", map[string]any{"name": player}).Want(t, http.StatusCreated)
		}
		olga.Post("/tournaments/"+id+"/start", nil).Want(t, http.StatusOK)
		if stage == "finished" {
			olga.Post("/tournaments/"+id+"/rounds", nil).Want(t, http.StatusCreated)
			olga.Send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, apitest.AnyVersion).
				Want(t, http.StatusOK)
			olga.Post("/tournaments/"+id+"/finish", nil).Want(t, http.StatusOK)
		}
	}
	event("Runs", 0, "running")
	event("In June", 200, "open")
	event("Some day", 0, "open")
	event("Next week", 7, "open")
	event("Over", 0, "finished")
	page := s.Anonymous().Get("//tournaments").Want(t, http.StatusOK).Page()
	at := 0
	for _, name := range []string{"Runs", "Next week", "In June", "Some day", "Over"} {
		next := strings.Index(page[at:], ">"+name+"</a>")
		if next < 0 {
			t.Fatalf("%s is not after those before it", name)
		}
		at += next
	}
}

// TestAllThatIsToComeIsListed on the first page, and the past in pages.
func TestAllThatIsToComeIsListed(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	for i := range 60 {
		olga.Post("/tournaments/"+olga.Draft(fmt.Sprint("Evening ", i))+"/open", nil).Want(t, http.StatusOK)
	}
	page := s.Anonymous().Get("//tournaments").Want(t, http.StatusOK).Page()
	if n := strings.Count(page, ">Evening "); n != 60 || strings.Contains(page, "?cursor=") {
		t.Errorf("%d of 60 tournaments", n)
	}
}

// TestATournamentInPreparation is no empty list: pages show what is missing, and tabs when something will be there.
func TestATournamentInPreparation(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	id := olga.Draft("Thursday")
	for _, in := range apitest.Languages() {
		for _, path := range []string{"//tournaments", "//"} {
			olga.Get(path, apitest.InLanguage(in)).Want(t, http.StatusOK).
				Says(t, "Thursday", apitest.TextOf(t, in, "lobby.only_drafts")).
				Lacks(t, apitest.TextOf(t, in, "lobby.no_tournaments"), apitest.TextOf(t, in, "lobby.nothing"))
		}
		for tab, key := range map[string]string{
			"round": "tournament.no_round", "standings": "tournament.awaited.standings",
			"crosstable": "tournament.no_round_played", "games": "tournament.awaited.games",
		} {
			olga.Get("//tournaments/"+id+"?tab="+tab, apitest.InLanguage(in)).Want(t, http.StatusOK).
				Says(t, apitest.TextOf(t, in, key))
		}
	}
	olga.Get("//tournaments").Says(t, `href="/tournaments/new"`)
	s.Anonymous().Get("//tournaments").Lacks(t, "Thursday").
		Says(t, apitest.TextOf(t, apitest.Languages()[0], "lobby.no_tournaments"))
}
