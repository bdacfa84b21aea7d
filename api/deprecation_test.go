package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quatuor/api/apitest"
	"quatuor/api/contract"
	"quatuor/api/gen"
)

// TestDeprecationIsAnnounced serves a contract that will lose an operation and a parameter.
func TestDeprecationIsAnnounced(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract())
	if err != nil {
		t.Fatal(err)
	}
	dates := map[string]any{"x-deprecated-since": "2026-11-01", "x-sunset": "2028-05-01"}
	players := doc.Paths.Value("/players")
	players.Post.Deprecated, players.Post.Extensions = true, dates
	cursor := *doc.Components.Parameters["Limit"].Value
	cursor.Deprecated, cursor.Extensions = true, dates
	for i, ref := range players.Get.Parameters {
		if ref.Value.Name == "limit" {
			players.Get.Parameters[i] = &openapi3.ParameterRef{Value: &cursor}
		}
	}
	k, err := contract.New(doc)
	if err != nil {
		t.Fatal(err)
	}
	s := apitest.New(t)
	olga := s.WithRole("olga", "organiser")
	s.Server.SetContract(k)

	key := apitest.Header{"Idempotency-Key", "once"}
	for range 2 { // the second is the answer that was kept
		announced(t, olga.Post("/players", `{"name":"Ada L."}`, key).Want(t, http.StatusCreated), "players/createPlayer")
	}
	announced(t, s.Anonymous().Post("/players", `{}`).Want(t, http.StatusUnauthorized), "players/createPlayer")
	olga.Post("/players", `{"name":"Bob M."}`).Want(t, http.StatusCreated)
	page := s.Anonymous().Get("/players?limit=1").Want(t, http.StatusOK)
	announced(t, page, "players/listPlayers")
	if len(page.Header["Link"]) != 2 {
		t.Errorf("links %v", page.Header["Link"])
	}
	if a := s.Anonymous().Get("/players").Want(t, http.StatusOK); a.Header.Get("Deprecation") != "" {
		t.Errorf("without the parameter: %v", a.Header)
	}
}

// announced fails unless an answer has the headers about what is deprecated, with a link to the page of an operation.
func announced(t *testing.T, a *apitest.Answer, page string) {
	t.Helper()
	link := "</docs#/" + page + `>; rel="deprecation"; type="text/html"`
	if a.Header.Get("Deprecation") != "@1793491200" || a.Header.Get("Sunset") != "Mon, 01 May 2028 00:00:00 GMT" ||
		!slices.Contains(a.Header["Link"], link) {
		t.Errorf("headers %v", a.Header)
	}
}
