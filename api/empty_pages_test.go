package api_test

import (
	"net/http"
	"testing"

	"quatuor/tournament/account"
)

// TestAnEmptyPageExplainsWhatToDo asks for slips, cards and prizes before there are any, and after.
func TestAnEmptyPageExplainsWhatToDo(t *testing.T) {
	s := newService(t, withRealPages)
	olga, path, _ := hallEvent(t, s)
	tina := s.withRole("tina", account.RoleOrganiser)
	draft := "/tournaments/" + tina.draft("Thursday")
	online := "/tournaments/" + tina.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	for _, name := range []string{"Ada", "Bob"} {
		tina.post(online+"/entries", map[string]any{"name": name, "members": []string{s.register(name).player}}).want(t, http.StatusCreated)
	}
	tina.post(online+"/start", nil).want(t, http.StatusOK)
	tina.post(online+"/rounds", nil).want(t, http.StatusCreated)
	for _, c := range []struct {
		who        person
		at         string
		en, de, fr string
	}{
		{tina, draft + "/print/slips", "publish it, and come back", "Noch gibt es keine", "Il n’y en a pas encore"},
		{tina, draft + "/print/cards", "publish it, and come back", "Noch gibt es keine", "Il n’y en a pas encore"},
		{tina, online + "/print/slips", "can be moved to the hall", "in den Saal verlegen", "passer dans la salle"},
		{tina, online + "/print/cards", "can be moved to the hall", "in den Saal verlegen", "passer dans la salle"},
		{olga, path + "/print/slips?round=2", "only the present round", "Nur die laufende Runde", "seule la ronde en cours"},
		{tina, draft + "/prizes", "Enter prizes", "Preise eintragen", "Saisir des prix"},
		{s.anonymous(), path + "/prizes", "has no prizes", "hat keine Preise", "n’a pas de prix"},
		{s.anonymous(), path + "/print/prizes", "has no prizes", "hat keine Preise", "n’a pas de prix"},
	} {
		for language, text := range map[string]string{"en": c.en, "de": c.de, "fr": c.fr} {
			c.who.get("/"+c.at, header{"Accept-Language", language}).want(t, http.StatusOK).says(t, text)
		}
	}
	s.anonymous().get("/"+draft+"/prizes").want(t, http.StatusNotFound)
	s.anonymous().get("/"+path+"/prizes").lacks(t, "desk?tab=prizes")
	olga.get("/"+path+"/print/slips").want(t, http.StatusOK).lacks(t, "only the present round")
}
