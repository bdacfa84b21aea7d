package api_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestAnEmptyPageExplainsWhatToDo opens the pages of slips, cards and prizes before they exist, and after.
func TestAnEmptyPageExplainsWhatToDo(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, path, _ := apitest.HallEvent(t, s)
	tina := s.WithRole("tina", account.RoleOrganiser)
	draft := "/tournaments/" + tina.Draft("Thursday")
	online := "/tournaments/" + tina.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	for _, name := range []string{"Ada", "Bob"} {
		tina.Post(online+"/entries", map[string]any{"name": name, "members": []string{s.Register(name).Player}}).
			Want(t, http.StatusCreated)
	}
	tina.Post(online+"/start", nil).Want(t, http.StatusOK)
	tina.Post(online+"/rounds", nil).Want(t, http.StatusCreated)
	for _, c := range []struct {
		who apitest.Person
		at  string
		key string
	}{
		{tina, draft + "/print/slips", "phones.none_yet"},
		{tina, draft + "/print/cards", "phones.none_yet"},
		{tina, online + "/print/slips", "phones.none_open"},
		{tina, online + "/print/cards", "phones.none_open"},
		{olga, path + "/print/slips?round=2", "phones.none_over"},
		{tina, draft + "/prizes", "prizes.enter"},
		{s.Anonymous(), path + "/prizes", "prizes.none"},
		{s.Anonymous(), path + "/print/prizes", "prizes.none"},
	} {
		for _, in := range apitest.Languages() {
			c.who.Get("/"+c.at, apitest.InLanguage(in)).Want(t, http.StatusOK).Says(t, apitest.TextOf(t, in, c.key))
		}
	}
	s.Anonymous().Get("/"+draft+"/prizes").Want(t, http.StatusNotFound)
	s.Anonymous().Get("/"+path+"/prizes").Lacks(t, "desk?tab=prizes")
	olga.Get("/"+path+"/print/slips").Want(t, http.StatusOK).
		Lacks(t, apitest.TextOf(t, apitest.Languages()[0], "phones.none_over"))
}

// TestGamesBeforeTheFirstRound: the tab of games has its name as heading, not a round 0.
func TestGamesBeforeTheFirstRound(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	for _, format := range []string{"swiss", "knockout"} {
		path := "/tournaments/" + olga.Post("/tournaments", map[string]any{
			"name": "Thursday", "variant": "quixo/duel", "format": format, "time_control": "300+3",
		}).Want(t, http.StatusCreated).Text("id")
		for _, in := range apitest.Languages() {
			olga.Get("/"+path+"?tab=games", apitest.InLanguage(in)).Want(t, http.StatusOK).
				Has(t, "<h2>"+apitest.TextOf(t, in, "tournament.tab_games")+"</h2>")
		}
	}
}
