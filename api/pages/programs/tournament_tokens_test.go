package programs_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestTokensForOneTournament makes a token of each kind, uses it for its purpose, and is refused anything beyond.
func TestTokensForOneTournament(t *testing.T) {
	s := apitest.NewScene(t)
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.Register(login).Player)
	}
	anna, arno := s.Visitors[1].Person, s.Visitors[4].Person
	cup, _ := s.Prepare(t, "published", entered)
	other, _ := s.Prepare(t, "published", entered)
	at := "/tournaments/" + cup
	helper := arno.TokenIn(cup, "helper")
	helper.Send(http.MethodPut, at+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	helper.Get(at+"/standings").Want(t, http.StatusOK)
	helper.Send(http.MethodPut, "/tournaments/"+other+"/rounds/1/pairings/1/result", `{"result":"1-0"}`,
		apitest.AnyVersion).
		Refused(t, http.StatusForbidden, "insufficient-scope").Has(t, "one tournament")
	helper.Send(http.MethodPatch, at, `{"name":"Mine"}`, apitest.AnyVersion).
		Refused(t, http.StatusForbidden, "insufficient-scope")
	helper.Get("/me").Refused(t, http.StatusForbidden, "insufficient-scope")
	helper.Get("//"+at[1:]+"/desk").Want(t, http.StatusForbidden)
	helper.Get("//me").Want(t, http.StatusForbidden)

	// It ends with the right of its owner.
	s.Olga.Send(http.MethodPut, at+"/arbiters", `{"logins":[]}`, apitest.AnyVersion).Want(t, http.StatusOK)
	helper.Send(http.MethodPut, at+"/rounds/1/pairings/2/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Refused(t, http.StatusForbidden, "forbidden")

	anna.Post("/me/tokens", `{"name":"x","scopes":["helper"],"tournament_id":"`+cup+`"}`).
		Refused(t, http.StatusForbidden, "forbidden")
	draft, _ := s.Prepare(t, "draft", nil)
	anna.Post("/me/tokens", `{"name":"x","scopes":["display"],"tournament_id":"`+draft+`"}`).
		Refused(t, http.StatusNotFound, "not-found")
	for _, scope := range []string{"read", "play", "organise", "admin"} {
		s.Olga.Post("/me/tokens", `{"name":"x","scopes":["`+scope+`"],"tournament_id":"`+cup+`"}`).
			Refused(t, http.StatusForbidden, "insufficient-scope")
	}
	s.Root.Post("/me/tokens", `{"name":"x","scopes":["helper"]}`).Refused(t, http.StatusForbidden, "insufficient-scope")
	late := s.Now().Add(367 * 24 * time.Hour).UTC().Format(time.RFC3339)
	s.Olga.Post("/me/tokens", `{"name":"x","scopes":["helper"],"tournament_id":"`+cup+`","expires_at":"`+late+`"}`).
		Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "366 days")
}

// TestLifeOfTokens: a tournament's token lasts for 30 days by default, its last use is noted, and it goes with the
// tournament.
func TestLifeOfTokens(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	cup := olga.Post("/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300",
	}).Want(t, http.StatusCreated).Text("id")
	display := olga.TokenIn(cup, "display")
	listed := olga.Get("/me/tokens").Want(t, http.StatusOK)
	if listed.At("items", 0, "used_at") != nil || listed.Text("items", 0, "tournament", "name") != "Cup" {
		t.Errorf("%s", listed.Raw)
	}
	display.Get("/tournaments/"+cup).Refused(t, http.StatusNotFound, "not-found") // a draft is nothing for a hall
	for range 2 {                                                                 // as it is remembered, and as it is stored
		if olga.Get("/me/tokens").Text("items", 0, "used_at") == "" {
			t.Error("the use of a token is not noted")
		}
		if err := s.Guard.StoreUses(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	olga.Post("/tournaments/"+cup+"/open", nil).Want(t, http.StatusOK)
	display.Get("/tournaments/"+cup).Want(t, http.StatusOK)
	s.Pass(30*24*time.Hour + time.Second)
	display.Get("/tournaments/"+cup).Refused(t, http.StatusUnauthorized, "unauthorized")
	olga = olga.Again()
	second := olga.TokenIn(cup, "display")
	olga.Send(http.MethodDelete, "/tournaments/"+cup, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	olga.Get("/me/tokens").Want(t, http.StatusOK).Has(t, `"items":[]`)
	s.Guard.Forget()
	second.Get("/tournaments/"+cup).Refused(t, http.StatusUnauthorized, "unauthorized")
}

// TestSensorBoards moves for both players of a game, and in no game with a hidden hand.
func TestSensorBoards(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	for _, variant := range []string{"quixo/duel", "quiwin/duel"} {
		id := olga.Post("/tournaments", map[string]any{
			"name": "Cup", "variant": variant, "format": "swiss", "rounds": 1, "time_control": "300",
			"pairing": map[string]any{"initial_colour": "white"},
		}).Want(t, http.StatusCreated).Text("id")
		at := "/tournaments/" + id
		olga.Post(at+"/open", nil).Want(t, http.StatusOK)
		for _, p := range []apitest.Person{ada, bob} {
			olga.Post(at+"/entries", map[string]any{"player_id": p.Player}).Want(t, http.StatusCreated)
		}
		olga.Post(at+"/start", nil).Want(t, http.StatusOK)
		round := olga.Post(at+"/rounds", `{}`).Want(t, http.StatusCreated)
		game := "/games/" + round.Text("pairings", 0, "game_id")
		olga.Post(game+"/start", nil)
		board := olga.TokenIn(id, "board")
		seen := board.Get(game).Want(t, http.StatusOK)
		if seen.At("legal") != nil && len(seen.At("legal").(map[string]any)) > 0 {
			t.Errorf("a board is shown the moves of a seat: %s", seen.Raw)
		}
		if variant == "quiwin/duel" {
			board.Post(game+"/moves", `{"seat":1,"turn":1,"move":"x"}`).Refused(t, http.StatusForbidden, "forbidden").
				Has(t, "hidden hands").Lacks(t, "legal")
			continue
		}
		board.Post(game+"/moves", `{"seat":1,"turn":1,"move":"c1-c5"}`).Want(t, http.StatusOK)
		board.Post(game+"/moves", `{"seat":2,"turn":2,"move":"a1-e1"}`).Want(t, http.StatusOK)
		board.Post(game+"/resign", `{"seat":1}`).Refused(t, http.StatusForbidden, "insufficient-scope")
		olga.TokenIn(id, "helper").Post(game+"/moves", `{"seat":1,"turn":3,"move":"c1-c5"}`).
			Refused(t, http.StatusForbidden, "insufficient-scope")
		casual := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
		board.Post("/games/"+casual+"/moves", `{"seat":1,"turn":1,"move":"c1-c5"}`).
			Refused(t, http.StatusForbidden, "insufficient-scope")
	}
}

// crossSite sends a request as a browser does from a page of another site.
func crossSite(p apitest.Person, method, path, body, cookie string) *apitest.Answer {
	p.Service.T.Helper()
	r := httptest.NewRequestWithContext(p.Service.T.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Origin", "https://elsewhere.example")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	return p.Service.Serve(r)
}

// TestPagesOfOtherSites use the API with a token, and never with a cookie.
func TestPagesOfOtherSites(t *testing.T) {
	s, server := apitest.Serving(t)
	ada := s.Register("ada")
	cookie := ada.Cookies(t, server, "ada")[1]
	shared := func(a *apitest.Answer) bool { return a.Header.Get("Access-Control-Allow-Origin") == "*" }
	allowed := func(name string, a *apitest.Answer, status int) {
		t.Helper()
		if a.Want(t, status); !shared(a) || a.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %v", name, a.Header)
		}
	}
	token := ada.TokenFor("read", "play")
	allowed("reading with a token", crossSite(token, http.MethodGet, "/api/v1/me", "", ""), http.StatusOK)
	allowed("writing with a token",
		crossSite(token, http.MethodPatch, "/api/v1/players/"+ada.Player, `{"club":"Owls"}`, ""),
		http.StatusPreconditionRequired)
	wrong := apitest.Person{Service: s, Token: "qt_wrong"}
	allowed("a wrong token", crossSite(wrong, http.MethodGet, "/api/v1/me", "", ""), http.StatusUnauthorized)
	preflight := httptest.NewRequestWithContext(t.Context(), http.MethodOptions, "/api/v1/games/x/moves", nil)
	preflight.Header.Set("Origin", "https://elsewhere.example")
	preflight.Header.Set("Access-Control-Request-Method", "POST")
	preflight.Header.Set("Access-Control-Request-Headers", "authorization, content-type")
	asked := s.Serve(preflight)
	allowed("a preflight", asked, http.StatusNoContent)
	if names := asked.Header.Get("Access-Control-Allow-Headers"); !strings.Contains(names, "Authorization") ||
		!strings.Contains(asked.Header.Get("Access-Control-Allow-Methods"), "DELETE") {
		t.Errorf("%v", asked.Header)
	}

	withCookie := crossSite(s.Anonymous(), http.MethodPost, "/api/v1/me/tokens", `{"name":"x","scopes":["read"]}`, cookie)
	withCookie.Refused(t, http.StatusForbidden, "cross-origin")
	both := crossSite(token, http.MethodPost, "/api/v1/games", `{}`, cookie)
	both.Refused(t, http.StatusForbidden, "cross-origin")
	for name, a := range map[string]*apitest.Answer{
		"with a cookie": withCookie, "with both": both,
		"reading with a cookie": crossSite(s.Anonymous(), http.MethodGet, "/api/v1/me", "", cookie),
		"a page with a token":   crossSite(token, http.MethodGet, "/me", "", ""),
		"a login":               crossSite(s.Anonymous(), http.MethodPost, "/api/v1/sessions", `{}`, ""),
	} {
		if shared(a) {
			t.Errorf("%s: other sites may read %d %v", name, a.Status, a.Header)
		}
	}
	for _, name := range []string{"access_token", "token"} { // a token in an address would be in logs
		s.Anonymous().Get("/games?"+name+"="+token.Token).Refused(t, http.StatusBadRequest, "malformed")
		s.Anonymous().Get("/me?"+name+"="+token.Token).Refused(t, http.StatusUnauthorized, "unauthorized")
	}
}
