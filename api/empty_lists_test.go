package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

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

// TestTournamentsAreInAUsefulOrder: those that run, then those to come by their beginning, then those that are over.
func TestTournamentsAreInAUsefulOrder(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	event := func(name string, days int, stage string) {
		id := olga.draft(name)
		if days > 0 {
			starts := time.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339)
			olga.send(http.MethodPatch, "/tournaments/"+id, map[string]any{"starts_at": starts}, anyVersion).want(t, http.StatusOK)
		}
		olga.post("/tournaments/"+id+"/open", nil).want(t, http.StatusOK)
		if stage == "open" {
			return
		}
		olga.send(http.MethodPatch, "/tournaments/"+id, map[string]any{"rounds": 1}, anyVersion).want(t, http.StatusOK)
		for _, player := range []string{"Ada", "Bob"} {
			olga.post("/tournaments/"+id+"/entries", map[string]any{"name": player}).want(t, http.StatusCreated)
		}
		olga.post("/tournaments/"+id+"/start", nil).want(t, http.StatusOK)
		if stage == "finished" {
			olga.post("/tournaments/"+id+"/rounds", nil).want(t, http.StatusCreated)
			olga.send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, anyVersion).
				want(t, http.StatusOK)
			olga.post("/tournaments/"+id+"/finish", nil).want(t, http.StatusOK)
		}
	}
	event("Runs", 0, "running")
	event("In June", 200, "open")
	event("Some day", 0, "open")
	event("Next week", 7, "open")
	event("Over", 0, "finished")
	page := s.anonymous().get("//tournaments").want(t, http.StatusOK).page()
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
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	for i := range 60 {
		olga.post("/tournaments/"+olga.draft(fmt.Sprint("Evening ", i))+"/open", nil).want(t, http.StatusOK)
	}
	page := s.anonymous().get("//tournaments").want(t, http.StatusOK).page()
	if n := strings.Count(page, ">Evening "); n != 60 || strings.Contains(page, "?cursor=") {
		t.Errorf("%d of 60 tournaments", n)
	}
}

// TestATournamentInPreparation is no empty list: pages say what is missing, and tabs when something will be there.
func TestATournamentInPreparation(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	id := olga.draft("Thursday")
	for _, in := range languages() {
		for _, path := range []string{"//tournaments", "//"} {
			olga.get(path, inLanguage(in)).want(t, http.StatusOK).says(t, "Thursday", textOf(t, in, "lobby.only_drafts")).
				lacks(t, textOf(t, in, "lobby.no_tournaments"), textOf(t, in, "lobby.nothing"))
		}
		for tab, key := range map[string]string{
			"round": "tournament.no_round", "standings": "tournament.awaited.standings",
			"crosstable": "tournament.no_round_played", "games": "tournament.awaited.games",
		} {
			olga.get("//tournaments/"+id+"?tab="+tab, inLanguage(in)).want(t, http.StatusOK).says(t, textOf(t, in, key))
		}
	}
	olga.get("//tournaments").says(t, `href="/tournaments/new"`)
	s.anonymous().get("//tournaments").lacks(t, "Thursday").says(t, textOf(t, languages()[0], "lobby.no_tournaments"))
}
