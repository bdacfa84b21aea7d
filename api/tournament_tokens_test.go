package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// TestTokensForOneTournament makes one of each kind and does with it what it is for, and what it is not for.
func TestTokensForOneTournament(t *testing.T) {
	s := newScene(t)
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.register(login).player)
	}
	anna, arno := s.visitors[1].person, s.visitors[4].person
	cup, _ := s.prepare(t, "published", entered)
	other, _ := s.prepare(t, "published", entered)
	at := "/tournaments/" + cup
	helper := arno.tokenIn(cup, "helper")
	helper.send(http.MethodPut, at+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, anyTag).want(t, http.StatusOK)
	helper.get(at+"/standings").want(t, http.StatusOK)
	helper.send(http.MethodPut, "/tournaments/"+other+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, anyTag).
		refused(t, http.StatusForbidden, "insufficient-scope").has(t, "one tournament")
	helper.send(http.MethodPatch, at, `{"name":"Mine"}`, anyTag).refused(t, http.StatusForbidden, "insufficient-scope")
	helper.get("/me").refused(t, http.StatusForbidden, "insufficient-scope")
	helper.get("//"+at[1:]+"/desk").want(t, http.StatusForbidden)
	helper.get("//me").want(t, http.StatusForbidden)

	// It ends with the right of its owner.
	s.olga.send(http.MethodPut, at+"/arbiters", `{"logins":[]}`, anyTag).want(t, http.StatusOK)
	helper.send(http.MethodPut, at+"/rounds/1/pairings/2/result", `{"result":"1-0"}`, anyTag).
		refused(t, http.StatusForbidden, "forbidden")

	anna.post("/me/tokens", `{"name":"x","scopes":["helper"],"tournament_id":"`+cup+`"}`).
		refused(t, http.StatusForbidden, "forbidden")
	draft, _ := s.prepare(t, "draft", nil)
	anna.post("/me/tokens", `{"name":"x","scopes":["display"],"tournament_id":"`+draft+`"}`).
		refused(t, http.StatusNotFound, "not-found")
	for _, scope := range []string{"read", "play", "organise", "admin"} {
		s.olga.post("/me/tokens", `{"name":"x","scopes":["`+scope+`"],"tournament_id":"`+cup+`"}`).
			refused(t, http.StatusForbidden, "insufficient-scope")
	}
	s.root.post("/me/tokens", `{"name":"x","scopes":["helper"]}`).refused(t, http.StatusForbidden, "insufficient-scope")
	late := s.now().Add(367 * 24 * time.Hour).UTC().Format(time.RFC3339)
	s.olga.post("/me/tokens", `{"name":"x","scopes":["helper"],"tournament_id":"`+cup+`","expires_at":"`+late+`"}`).
		refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "366 days")
}

// TestLifeOfTokens: one for a tournament lasts for 30 days unless told otherwise, its last use is noted, and it goes with
// the tournament.
func TestLifeOfTokens(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	cup := olga.post("/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300",
	}).want(t, http.StatusCreated).text("id")
	display := olga.tokenIn(cup, "display")
	listed := olga.get("/me/tokens").want(t, http.StatusOK)
	if listed.at("items", 0, "used_at") != nil || listed.text("items", 0, "tournament", "name") != "Cup" {
		t.Errorf("%s", listed.raw)
	}
	display.get("/tournaments/"+cup).refused(t, http.StatusNotFound, "not-found") // a draft is nothing for a hall
	for range 2 {                                                                 // as it is remembered, and as it is stored
		if olga.get("/me/tokens").text("items", 0, "used_at") == "" {
			t.Error("the use of a token is not noted")
		}
		if err := s.guard.StoreUses(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	olga.post("/tournaments/"+cup+"/open", nil).want(t, http.StatusOK)
	display.get("/tournaments/"+cup).want(t, http.StatusOK)
	s.pass(30*24*time.Hour + time.Second)
	display.get("/tournaments/"+cup).refused(t, http.StatusUnauthorized, "unauthorized")
	olga = olga.again()
	second := olga.tokenIn(cup, "display")
	olga.send(http.MethodDelete, "/tournaments/"+cup, nil, anyTag).want(t, http.StatusNoContent)
	olga.get("/me/tokens").want(t, http.StatusOK).has(t, `"items":[]`)
	s.guard.Forget()
	second.get("/tournaments/"+cup).refused(t, http.StatusUnauthorized, "unauthorized")
}

// TestSensorBoards moves for both players of a game, and in no game with a hidden hand.
func TestSensorBoards(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	for _, variant := range []string{"quixo/duel", "quiwin/duel"} {
		id := olga.post("/tournaments", map[string]any{
			"name": "Cup", "variant": variant, "format": "swiss", "rounds": 1, "time_control": "300",
			"pairing": map[string]any{"initial_colour": "white"},
		}).want(t, http.StatusCreated).text("id")
		at := "/tournaments/" + id
		olga.post(at+"/open", nil).want(t, http.StatusOK)
		for _, p := range []person{ada, bob} {
			olga.post(at+"/entries", map[string]any{"player_id": p.player}).want(t, http.StatusCreated)
		}
		olga.post(at+"/start", nil).want(t, http.StatusOK)
		round := olga.post(at+"/rounds", `{}`).want(t, http.StatusCreated)
		game := "/games/" + round.text("pairings", 0, "game_id")
		olga.post(game+"/start", nil)
		board := olga.tokenIn(id, "board")
		seen := board.get(game).want(t, http.StatusOK)
		if seen.at("legal") != nil && len(seen.at("legal").(map[string]any)) > 0 {
			t.Errorf("a board is shown the moves of a seat: %s", seen.raw)
		}
		if variant == "quiwin/duel" {
			board.post(game+"/moves", `{"seat":1,"turn":1,"move":"x"}`).refused(t, http.StatusForbidden, "forbidden").
				has(t, "hidden hands").lacks(t, "legal")
			continue
		}
		board.post(game+"/moves", `{"seat":1,"turn":1,"move":"c1-c5"}`).want(t, http.StatusOK)
		board.post(game+"/moves", `{"seat":2,"turn":2,"move":"a1-e1"}`).want(t, http.StatusOK)
		board.post(game+"/resign", `{"seat":1}`).refused(t, http.StatusForbidden, "insufficient-scope")
		olga.tokenIn(id, "helper").post(game+"/moves", `{"seat":1,"turn":3,"move":"c1-c5"}`).
			refused(t, http.StatusForbidden, "insufficient-scope")
		casual := duel(t, ada, bob, "quixo/duel", "300").text("id")
		board.post("/games/"+casual+"/moves", `{"seat":1,"turn":1,"move":"c1-c5"}`).
			refused(t, http.StatusForbidden, "insufficient-scope")
	}
}

// crossSite sends a request as a browser does from a page of another site.
func (p person) crossSite(method, path, body, cookie string) *answer {
	p.s.t.Helper()
	r := httptest.NewRequestWithContext(p.s.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Origin", "https://elsewhere.example")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	if cookie != "" {
		r.Header.Set("Cookie", cookie)
	}
	return p.s.serve(r)
}

// TestPagesOfOtherSites use the API with a token, and never with a cookie.
func TestPagesOfOtherSites(t *testing.T) {
	s, server := serving(t)
	ada := s.register("ada")
	cookie := ada.browser(t, server, "ada").value
	shared := func(a *answer) bool { return a.header.Get("Access-Control-Allow-Origin") == "*" }
	allowed := func(name string, a *answer, status int) {
		t.Helper()
		if a.want(t, status); !shared(a) || a.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %v", name, a.header)
		}
	}
	token := ada.tokenFor("read", "play")
	allowed("reading with a token", token.crossSite(http.MethodGet, "/api/v1/me", "", ""), http.StatusOK)
	allowed("writing with a token", token.crossSite(http.MethodPatch, "/api/v1/players/"+ada.player, `{"club":"Owls"}`, ""),
		http.StatusPreconditionRequired)
	wrong := person{s: s, token: "qt_wrong"}
	allowed("a wrong token", wrong.crossSite(http.MethodGet, "/api/v1/me", "", ""), http.StatusUnauthorized)
	preflight := httptest.NewRequestWithContext(t.Context(), http.MethodOptions, "/api/v1/games/x/moves", nil)
	preflight.Header.Set("Origin", "https://elsewhere.example")
	preflight.Header.Set("Access-Control-Request-Method", "POST")
	preflight.Header.Set("Access-Control-Request-Headers", "authorization, content-type")
	asked := s.serve(preflight)
	allowed("a preflight", asked, http.StatusNoContent)
	if names := asked.header.Get("Access-Control-Allow-Headers"); !strings.Contains(names, "Authorization") ||
		!strings.Contains(asked.header.Get("Access-Control-Allow-Methods"), "DELETE") {
		t.Errorf("%v", asked.header)
	}

	withCookie := s.anonymous().crossSite(http.MethodPost, "/api/v1/me/tokens", `{"name":"x","scopes":["read"]}`, cookie)
	withCookie.refused(t, http.StatusForbidden, "cross-origin")
	both := token.crossSite(http.MethodPost, "/api/v1/games", `{}`, cookie)
	both.refused(t, http.StatusForbidden, "cross-origin")
	for name, a := range map[string]*answer{
		"with a cookie": withCookie, "with both": both,
		"reading with a cookie": s.anonymous().crossSite(http.MethodGet, "/api/v1/me", "", cookie),
		"a page with a token":   token.crossSite(http.MethodGet, "/me", "", ""),
		"a login":               s.anonymous().crossSite(http.MethodPost, "/api/v1/sessions", `{}`, ""),
	} {
		if shared(a) {
			t.Errorf("%s: other sites may read %d %v", name, a.status, a.header)
		}
	}
	for _, name := range []string{"access_token", "token"} { // a token in an address would be in logs
		s.anonymous().get("/games?"+name+"="+token.token).refused(t, http.StatusBadRequest, "malformed")
		s.anonymous().get("/me?"+name+"="+token.token).refused(t, http.StatusUnauthorized, "unauthorized")
	}
}
