package api_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quatuor/api/contract"
	"quatuor/api/gen"
)

// TestDeprecationIsAnnounced serves a contract in which one operation and one parameter will go.
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
	s := newService(t)
	olga := s.withRole("olga", "organiser")
	s.server.SetContract(k)

	key := header{"Idempotency-Key", "once"}
	for range 2 { // the second is the answer that was kept
		announced(t, olga.post("/players", `{"name":"Ada L."}`, key).want(t, http.StatusCreated), "players/createPlayer")
	}
	announced(t, s.anonymous().post("/players", `{}`).want(t, http.StatusUnauthorized), "players/createPlayer")
	olga.post("/players", `{"name":"Bob M."}`).want(t, http.StatusCreated)
	page := s.anonymous().get("/players?limit=1").want(t, http.StatusOK)
	announced(t, page, "players/listPlayers")
	if len(page.header["Link"]) != 2 {
		t.Errorf("links %v", page.header["Link"])
	}
	if a := s.anonymous().get("/players").want(t, http.StatusOK); a.header.Get("Deprecation") != "" {
		t.Errorf("without the parameter: %v", a.header)
	}
}

// announced fails unless an answer has the headers about what is deprecated, with a link to the page of an operation.
func announced(t *testing.T, a *answer, page string) {
	t.Helper()
	link := "</docs#/" + page + `>; rel="deprecation"; type="text/html"`
	if a.header.Get("Deprecation") != "@1793491200" || a.header.Get("Sunset") != "Mon, 01 May 2028 00:00:00 GMT" ||
		!slices.Contains(a.header["Link"], link) {
		t.Errorf("headers %v", a.header)
	}
}
