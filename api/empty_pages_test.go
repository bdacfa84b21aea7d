package api_test

import (
	"net/http"
	"testing"

	"quatuor/tournament/account"
)

// TestAnEmptyPageExplainsWhatToDo opens the pages of slips, cards and prizes before they exist, and after.
func TestAnEmptyPageExplainsWhatToDo(t *testing.T) {
	s := newService(t, withRealPages)
	olga, path, _ := hallEvent(t, s)
	tina := s.withRole("tina", account.RoleOrganiser)
	draft := "/tournaments/" + tina.draft("Thursday")
	online := "/tournaments/" + tina.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	for _, name := range []string{"Ada", "Bob"} {
		tina.post(online+"/entries", map[string]any{"name": name, "members": []string{s.register(name).player}}).
			want(t, http.StatusCreated)
	}
	tina.post(online+"/start", nil).want(t, http.StatusOK)
	tina.post(online+"/rounds", nil).want(t, http.StatusCreated)
	for _, c := range []struct {
		who person
		at  string
		key string
	}{
		{tina, draft + "/print/slips", "phones.none_yet"},
		{tina, draft + "/print/cards", "phones.none_yet"},
		{tina, online + "/print/slips", "phones.none_open"},
		{tina, online + "/print/cards", "phones.none_open"},
		{olga, path + "/print/slips?round=2", "phones.none_over"},
		{tina, draft + "/prizes", "prizes.enter"},
		{s.anonymous(), path + "/prizes", "prizes.none"},
		{s.anonymous(), path + "/print/prizes", "prizes.none"},
	} {
		for _, in := range languages() {
			c.who.get("/"+c.at, inLanguage(in)).want(t, http.StatusOK).says(t, textOf(t, in, c.key))
		}
	}
	s.anonymous().get("/"+draft+"/prizes").want(t, http.StatusNotFound)
	s.anonymous().get("/"+path+"/prizes").lacks(t, "desk?tab=prizes")
	olga.get("/"+path+"/print/slips").want(t, http.StatusOK).lacks(t, textOf(t, languages()[0], "phones.none_over"))
}

// TestGamesBeforeTheFirstRound: the tab of games has its name as heading, not a round 0.
func TestGamesBeforeTheFirstRound(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	for _, format := range []string{"swiss", "knockout"} {
		path := "/tournaments/" + olga.post("/tournaments", map[string]any{
			"name": "Thursday", "variant": "quixo/duel", "format": format, "time_control": "300+3",
		}).want(t, http.StatusCreated).text("id")
		for _, in := range languages() {
			olga.get("/"+path+"?tab=games", inLanguage(in)).want(t, http.StatusOK).
				has(t, "<h2>"+textOf(t, in, "tournament.tab_games")+"</h2>")
		}
	}
}
