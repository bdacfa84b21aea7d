package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// hostileLogins and hostileNames are names that people may choose though stored documents are made of them.
var (
	hostileLogins = []string{
		"null", "true", "ranks", "points", "rated", "id", "1-0", "0.5", "10", "admin", "root", "server", "hall", "line",
		"arbiter",
		"swiss", "quixo", "open", "running", "reason", "format", "values", "confirmed", "seats",
	}
	hostileNames = []string{
		"Fire alarm", "Null", "Hall", "Player bob", "in time", `{"a":[]}`, ".*", "ranks",
		"Ünï \"Cödé\"", "1-0",
	}
)

// TestPersonsWithHostileNamesAreDeleted registers persons with hostile names and has them delete their accounts: every
// tournament answers as before, and a restarted service starts.
func TestPersonsWithHostileNamesAreDeleted(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	s.WithRole("chief", account.RoleAdmin) // registration needs an admin
	olga, bob, cleo := s.WithRole("olga", account.RoleOrganiser), s.Register("bob"), s.Register("cleo")
	path, round := apitest.StartTournament(t, olga, bob, cleo)
	apitest.PlayToTheEnd(t, round.Text("pairings", 0, "game_id"), bob, cleo)
	hall := "/tournaments/" + olga.Post("/tournaments",
		`{"name":"Hall","variant":"quits/duel","format":"round_robin","time_control":"3600","venue":"hall"}`).
		Want(t, http.StatusCreated).Text("id")
	olga.Post(hall+"/open", nil).Want(t, http.StatusOK)
	for _, p := range []apitest.Person{bob, cleo} {
		olga.Post(hall+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
	}
	olga.Post(hall+"/start", nil).Want(t, http.StatusOK)
	olga.Post(hall+"/rounds", nil).Want(t, http.StatusCreated)
	olga.Send(http.MethodPut, hall+"/rounds/1/pairings/1/result", `{"result":"1-0","reason":"Fire alarm"}`,
		apitest.AnyVersion).
		Want(t, http.StatusOK)
	answers := func() map[string]string {
		shown := map[string]string{}
		for _, event := range []string{path, hall} {
			for _, part := range []string{"", "/entries", "/history", "/standings", "/rounds/1", "/export?format=json", "/export?format=trf"} {
				shown[event+part] = string(olga.Get(event+part).Want(t, http.StatusOK).Raw)
			}
			for _, tab := range []string{"?tab=standings", "?tab=round", "?tab=players"} {
				s.Visitor().Get(event+tab).Want(t, http.StatusOK).Has(t, "Player bob")
			}
		}
		return shown
	}
	before := answers()
	same := func(name string) {
		t.Helper()
		for where, text := range answers() {
			if text != before[where] {
				t.Fatalf("%q: %s was\n%s\nand is\n%s", name, where, before[where], text)
			}
		}
	}
	for i, name := range slices.Concat(hostileLogins, hostileNames) {
		login := name
		if i >= len(hostileLogins) {
			login = "person" + strings.Repeat("x", i)
		}
		s.Pass(3600e9) // registrations are limited
		olga = olga.Again()
		s.Anonymous().Post("/accounts", map[string]any{"login": login, "password": apitest.Password, "player_name": name}).Want(t, http.StatusCreated)
		made, err := s.Store.People().AccountByLogin(t.Context(), login)
		if err != nil {
			t.Fatal(err)
		}
		s.Session(made).Send(http.MethodDelete, "/me", map[string]any{"password": apitest.Password}).
			Want(t, http.StatusNoContent)
		same(name)
	}
	s.Stop()
	s.Start()
	olga = olga.Again()
	same("after a restart")
	if damages, err := s.Store.Damages(t.Context()); err != nil || len(damages) > 0 {
		t.Errorf("%v, %v", damages, err)
	}
}

// TestAnAnswerThatNamesADeletedPersonIsNotRepeated: it was carried out, and is not carried out again.
func TestAnAnswerThatNamesADeletedPersonIsNotRepeated(t *testing.T) {
	s := apitest.New(t)
	root := s.WithRole("root", account.RoleAdmin)
	made := root.Post("/players", `{"name":"Ada Quorum"}`, apitest.Key("k1")).Want(t, http.StatusCreated).Text("id")
	other := root.Post("/players", `{"name":"Ada Quorum"}`, apitest.Key("k2")).Want(t, http.StatusCreated).Text("id")
	root.Send(http.MethodDelete, "/players/"+made, nil).Want(t, http.StatusNoContent)
	for range 2 {
		root.Post("/players", `{"name":"Ada Quorum"}`, apitest.Key("k1")).Refused(t, http.StatusConflict, "player-deleted")
	}
	root.Post("/players", `{"name":"Ada"}`, apitest.Key("k1")).
		Refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
	if again := root.Post("/players", `{"name":"Ada Quorum"}`, apitest.Key("k2")).Want(t, http.StatusCreated).
		Text("id"); again != other {
		t.Errorf("the answer for the other person names %s, want %s", again, other)
	}
	if found := string(root.Get("/players").Want(t, http.StatusOK).Raw); strings.Count(found, "Ada Quorum") != 1 {
		t.Errorf("players: %s", found)
	}
}
