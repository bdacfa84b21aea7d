package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestAFaultyParameterIsNamed sends faulty parameters of every kind: each is named as what it is, and what is no fault
// of the body has no pointer into it.
func TestAFaultyParameterIsNamed(t *testing.T) {
	s := apitest.New(t)
	root, olga := s.WithRole("root", account.RoleAdmin), s.WithRole("olga", account.RoleOrganiser)
	file := apitest.Header{"Content-Type", "text/plain"}
	for _, c := range []struct {
		a        *apitest.Answer
		name, in string
	}{
		{root.Get("/accounts").Refused(t, http.StatusBadRequest, "malformed"), "login", "query"},
		{root.Get("/games?limit=0"), "limit", "query"},
		{root.Get("/games?nothing=1"), "nothing", "query"},
		{root.Get("/players?name=%00"), "name", "query"},
		{root.Get("/players?cursor=nonsense").Refused(t, http.StatusBadRequest, "bad-cursor"), "cursor", "query"},
		{root.Get("/games?open=true&status=running").Refused(t, http.StatusUnprocessableEntity, "invalid"), "open", "query"},
		{root.Get("/games/" + strings.Repeat("x", 65)), "game_id", "path"},
		{root.Post("/players", `{"name":"Ada"}`, apitest.Key("two words")), "Idempotency-Key", "header"},
		{olga.Post("/tournaments/import", apitest.BegunTRF, file), "variant", "query"},
		{olga.Post("/tournaments/import?variant=chess", apitest.BegunTRF, file), "variant", "query"},
		{
			olga.Post("/tournaments/import?variant=quixo/duel&time_control=1%2B1%2B1", apitest.BegunTRF, file), "time_control",
			"query",
		},
	} {
		if c.a.Status < http.StatusBadRequest || c.a.Text("errors", 0, "parameter") != c.name ||
			c.a.Text("errors", 0, "in") != c.in ||
			c.a.At("errors", 0, "pointer") != "" || c.a.Text("errors", 0, "detail") == "" {
			t.Errorf("%s: want the parameter %s in the %s: %s", c.a.Request, c.name, c.in, c.a.Raw)
		}
	}
	for _, a := range []*apitest.Answer{
		olga.Post("/players", `{"name":1}`), olga.Post("/players", `{"name":"x","nothing":1}`),
		olga.Post("/tournaments/import?variant=quixo/duel&time_control=300", "no report", file),
	} {
		pointer, _ := a.At("errors", 0, "pointer").(string)
		if a.Status < http.StatusBadRequest || a.At("errors", 0, "parameter") != nil || a.At("errors", 0, "in") != nil ||
			pointer != "" && !strings.HasPrefix(pointer, "/") {
			t.Errorf("%s: %s", a.Request, a.Raw)
		}
	}
}
