package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// hostileLogins and hostileNames are what people may call themselves, and what stored documents are made of.
var (
	hostileLogins = []string{
		"null", "true", "ranks", "points", "rated", "id", "1-0", "0.5", "10", "admin", "root", "server", "hall", "line", "arbiter",
		"swiss", "quixo", "open", "running", "reason", "format", "values", "confirmed", "seats",
	}
	hostileNames = []string{"Fire alarm", "Null", "Hall", "Player bob", "in time", `{"a":[]}`, ".*", "ranks", "Ünï \"Cödé\"", "1-0"}
)

// TestPersonsWithHostileNamesAreDeleted registers persons with such names and has them delete their accounts: every
// tournament answers as before, and a restarted service starts.
func TestPersonsWithHostileNamesAreDeleted(t *testing.T) {
	s := newService(t, withRealPages)
	s.withRole("chief", account.RoleAdmin) // without an admin nobody registers
	olga, bob, cleo := s.withRole("olga", account.RoleOrganiser), s.register("bob"), s.register("cleo")
	path, round := running(t, olga, bob, cleo)
	playToTheEnd(t, round.text("pairings", 0, "game_id"), bob, cleo)
	hall := "/tournaments/" + olga.post("/tournaments",
		`{"name":"Hall","variant":"quits/duel","format":"round_robin","time_control":"3600","venue":"hall"}`).
		want(t, http.StatusCreated).text("id")
	olga.post(hall+"/open", nil).want(t, http.StatusOK)
	for _, p := range []person{bob, cleo} {
		olga.post(hall+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
	}
	olga.post(hall+"/start", nil).want(t, http.StatusOK)
	olga.post(hall+"/rounds", nil).want(t, http.StatusCreated)
	olga.send(http.MethodPut, hall+"/rounds/1/pairings/1/result", `{"result":"1-0","reason":"Fire alarm"}`, anyVersion).
		want(t, http.StatusOK)
	answers := func() map[string]string {
		shown := map[string]string{}
		for _, event := range []string{path, hall} {
			for _, part := range []string{"", "/entries", "/history", "/standings", "/rounds/1", "/export?format=json", "/export?format=trf"} {
				shown[event+part] = string(olga.get(event+part).want(t, http.StatusOK).raw)
			}
			for _, tab := range []string{"?tab=standings", "?tab=round", "?tab=players"} {
				s.visitor().get(event+tab).want(t, http.StatusOK).has(t, "Player bob")
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
		s.pass(3600e9) // registrations are limited
		olga = olga.again()
		s.anonymous().post("/accounts", map[string]any{"login": login, "password": password, "player_name": name}).want(t, http.StatusCreated)
		made, err := s.db.People().AccountByLogin(t.Context(), login)
		if err != nil {
			t.Fatal(err)
		}
		s.session(made).send(http.MethodDelete, "/me", map[string]any{"password": password}).want(t, http.StatusNoContent)
		same(name)
	}
	s.stop()
	s.start()
	olga = olga.again()
	same("after a restart")
	if damages, err := s.db.Damages(t.Context()); err != nil || len(damages) > 0 {
		t.Errorf("%v, %v", damages, err)
	}
}

// TestAnAnswerThatNamesADeletedPersonIsNotRepeated: it was carried out, and is not carried out again.
func TestAnAnswerThatNamesADeletedPersonIsNotRepeated(t *testing.T) {
	s := newService(t)
	root := s.withRole("root", account.RoleAdmin)
	made := root.post("/players", `{"name":"Ada Quorum"}`, key("k1")).want(t, http.StatusCreated).text("id")
	other := root.post("/players", `{"name":"Ada Quorum"}`, key("k2")).want(t, http.StatusCreated).text("id")
	root.send(http.MethodDelete, "/players/"+made, nil).want(t, http.StatusNoContent)
	for range 2 {
		root.post("/players", `{"name":"Ada Quorum"}`, key("k1")).refused(t, http.StatusConflict, "player-deleted")
	}
	root.post("/players", `{"name":"Ada"}`, key("k1")).refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
	if again := root.post("/players", `{"name":"Ada Quorum"}`, key("k2")).want(t, http.StatusCreated).text("id"); again != other {
		t.Errorf("the answer for the other person names %s, want %s", again, other)
	}
	if found := string(root.get("/players").want(t, http.StatusOK).raw); strings.Count(found, "Ada Quorum") != 1 {
		t.Errorf("players: %s", found)
	}
}
