package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestAFaultyParameterIsNamed sends faulty parameters of every kind: each is named as what it is, and what is no fault
// of the body has no pointer into it.
func TestAFaultyParameterIsNamed(t *testing.T) {
	s := newService(t)
	root, olga := s.withRole("root", account.RoleAdmin), s.withRole("olga", account.RoleOrganiser)
	file := header{"Content-Type", "text/plain"}
	for _, c := range []struct {
		a        *answer
		name, in string
	}{
		{root.get("/accounts").refused(t, http.StatusBadRequest, "malformed"), "login", "query"},
		{root.get("/games?limit=0"), "limit", "query"},
		{root.get("/games?nothing=1"), "nothing", "query"},
		{root.get("/players?name=%00"), "name", "query"},
		{root.get("/players?cursor=nonsense").refused(t, http.StatusBadRequest, "bad-cursor"), "cursor", "query"},
		{root.get("/games?open=true&status=running").refused(t, http.StatusUnprocessableEntity, "invalid"), "open", "query"},
		{root.get("/games/" + strings.Repeat("x", 65)), "game_id", "path"},
		{root.post("/players", `{"name":"Ada"}`, key("two words")), "Idempotency-Key", "header"},
		{olga.post("/tournaments/import", begun, file), "variant", "query"},
		{olga.post("/tournaments/import?variant=chess", begun, file), "variant", "query"},
		{olga.post("/tournaments/import?variant=quixo/duel&time_control=1%2B1%2B1", begun, file), "time_control", "query"},
	} {
		if c.a.status < http.StatusBadRequest || c.a.text("errors", 0, "parameter") != c.name ||
			c.a.text("errors", 0, "in") != c.in ||
			c.a.at("errors", 0, "pointer") != "" || c.a.text("errors", 0, "detail") == "" {
			t.Errorf("%s: want the parameter %s in the %s: %s", c.a.what, c.name, c.in, c.a.raw)
		}
	}
	for _, a := range []*answer{
		olga.post("/players", `{"name":1}`), olga.post("/players", `{"name":"x","nothing":1}`),
		olga.post("/tournaments/import?variant=quixo/duel&time_control=300", "no report", file),
	} {
		pointer, _ := a.at("errors", 0, "pointer").(string)
		if a.status < http.StatusBadRequest || a.at("errors", 0, "parameter") != nil || a.at("errors", 0, "in") != nil ||
			pointer != "" && !strings.HasPrefix(pointer, "/") {
			t.Errorf("%s: %s", a.what, a.raw)
		}
	}
}
