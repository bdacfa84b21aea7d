package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/account"
)

func TestOpeningAnAccount(t *testing.T) {
	s := newService(t)
	s.withRole("root", account.RoleAdmin)
	post := func(body string) *answer { return s.anonymous().post("/accounts", body) }
	made := post(`{"login":"Ada","password":"correct horse","player_name":" Ada L. "}`).want(t, http.StatusCreated)
	if made.text("account_id") == "" {
		t.Errorf("%s", made.raw)
	}
	s.anonymous().get("/players/"+made.text("player_id")).want(t, http.StatusOK).
		has(t, `"Ada L."`, `"claimed":true`).lacks(t, `"ada"`, "login", made.text("account_id"))
	post(`{"login":"ADA","password":"correct horse"}`).refused(t, http.StatusConflict, "login-taken")
	post(`{"login":"swordfish","password":"Swordfish"}`).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, `"/password"`)
	for _, body := range []string{
		`{"login":"bob","password":"short"}`, `{"login":"b","password":"correct horse"}`,
		`{"login":"bob","password":"correct horse","role":"admin"}`, `{"login":"b b","password":"correct horse"}`,
		`{"login":"bob","password":"correct horse","player_name":"  "}`,
	} {
		post(body).refused(t, http.StatusBadRequest, "malformed").lacks(t, "correct horse", "short\"")
	}
	alone := post(`{"login":"bob","password":"correct horse"}`).want(t, http.StatusCreated)
	if alone.at("player_id") != nil {
		t.Errorf("no player was named: %s", alone.raw)
	}
}

func TestRegistrationMayBeClosedOrByInvitation(t *testing.T) {
	closed := newService(t, func(c *configuration) { c.auth.Registration = auth.RegistrationClosed })
	body := map[string]any{"login": "ada", "password": password}
	closed.withRole("root", account.RoleAdmin)
	closed.anonymous().post("/accounts", body).refused(t, http.StatusForbidden, "registration-closed")

	s := newService(t, func(c *configuration) { c.auth.Registration = auth.RegistrationInvite })
	s.withRole("root", account.RoleAdmin)
	s.anonymous().post("/accounts", body).refused(t, http.StatusForbidden, "invitation-needed")
	olga := s.withRole("olga", account.RoleOrganiser)
	code := olga.post("/invitations", nil).want(t, http.StatusCreated).text("code")
	body["invitation"] = code[:len(code)-1] + "x"
	s.anonymous().post("/accounts", body).refused(t, http.StatusForbidden, "invitation-needed")
	body["invitation"] = code
	s.anonymous().post("/accounts", body).want(t, http.StatusCreated)
	body["login"] = "bob"
	s.anonymous().post("/accounts", body).refused(t, http.StatusForbidden, "invitation-needed")
	late := olga.post("/invitations", `{"days":2}`).want(t, http.StatusCreated).text("code")
	s.pass(49 * time.Hour)
	body["invitation"] = late
	s.anonymous().post("/accounts", body).refused(t, http.StatusForbidden, "invitation-needed")
}

func TestLoggingIn(t *testing.T) {
	s := newService(t)
	ada := s.register("ada")
	wrong := s.anonymous().post("/sessions", `{"login":"ada","password":"wrong"}`).
		refused(t, http.StatusUnauthorized, "bad-login")
	nobody := s.anonymous().post("/sessions", `{"login":"nobody","password":"wrong"}`).
		refused(t, http.StatusUnauthorized, "bad-login")
	if wrong.text("detail") != nobody.text("detail") || wrong.header.Get("WWW-Authenticate") == "" {
		t.Errorf("which of the two was wrong is not told: %s, %s", wrong.raw, nobody.raw)
	}
	tokens := s.anonymous().post("/sessions", `{"login":"ADA","password":"`+password+`"}`).want(t, http.StatusCreated)
	if tokens.text("token_type") != "Bearer" || tokens.number("expires_in") != 900 {
		t.Errorf("%s", tokens.raw)
	}
	me := ada.get("/me").want(t, http.StatusOK)
	if me.text("login") != "ada" || me.text("player", "id") != ada.player || me.text("role") != "player" {
		t.Errorf("%s", me.raw)
	}
	s.pass(15*time.Minute + 6*time.Second)
	ada.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	ada.get("/games").refused(t, http.StatusUnauthorized, "unauthorized") // a bad token is refused everywhere
	person{s: s, token: "nonsense"}.get("/variants").refused(t, http.StatusUnauthorized, "unauthorized")
}

func TestRefreshTokensRotate(t *testing.T) {
	s := newService(t)
	ada := s.register("ada")
	refresh := func(token string) *answer {
		return s.anonymous().post("/sessions/refresh", map[string]any{"refresh_token": token})
	}
	second := refresh(ada.refresh).want(t, http.StatusOK)
	third := refresh(second.text("refresh_token")).want(t, http.StatusOK)
	newest := person{s: s, token: third.text("access_token")}
	newest.get("/me").want(t, http.StatusOK)

	refresh(ada.refresh).refused(t, http.StatusUnauthorized, "token-reused")
	refresh(third.text("refresh_token")).want(t, http.StatusUnauthorized) // the whole family has ended
	newest.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	refresh("qr_nonsense").refused(t, http.StatusUnauthorized, "unauthorized")
	refresh(ada.token).refused(t, http.StatusUnauthorized, "unauthorized")

	again := ada.again()
	s.pass(31 * 24 * time.Hour)
	refresh(again.refresh).refused(t, http.StatusUnauthorized, "unauthorized")
}

func TestLoggingOut(t *testing.T) {
	s := newService(t)
	ada := s.register("ada")
	elsewhere := ada.again()
	ada.tokenFor("read").send(http.MethodDelete, "/sessions/current", nil).
		refused(t, http.StatusForbidden, "session-needed")
	ada.send(http.MethodDelete, "/sessions/current", nil).want(t, http.StatusNoContent)
	ada.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	s.anonymous().post("/sessions/refresh", map[string]any{"refresh_token": ada.refresh}).want(t, http.StatusUnauthorized)
	elsewhere.get("/me").want(t, http.StatusOK)
	s.anonymous().send(http.MethodDelete, "/sessions/current", nil).refused(t, http.StatusUnauthorized, "unauthorized")
}

func TestChangingThePassword(t *testing.T) {
	s := newService(t)
	ada := s.register("ada")
	elsewhere := ada.again()
	change := func(p person, old, next string) *answer {
		return p.send(http.MethodPatch, "/me", map[string]any{"current_password": old, "password": next})
	}
	change(ada, "wrong", "another horse").refused(t, http.StatusUnauthorized, "bad-login")
	change(ada.tokenFor("read", "play"), password, "another horse").refused(t, http.StatusForbidden, "session-needed")
	change(ada, password, "another horse").want(t, http.StatusOK)
	ada.get("/me").want(t, http.StatusOK)
	elsewhere.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	s.anonymous().post("/sessions", `{"login":"ada","password":"`+password+`"}`).
		refused(t, http.StatusUnauthorized, "bad-login")
	s.anonymous().post("/sessions", `{"login":"ada","password":"another horse"}`).want(t, http.StatusCreated)
}

func TestAPITokens(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	expires := s.now().Add(time.Hour).UTC().Format(time.RFC3339)
	made := ada.post("/me/tokens", map[string]any{"name": "script", "scopes": []string{"read"}, "expires_at": expires}).
		want(t, http.StatusCreated)
	secret, id := made.text("token"), made.text("id")
	if !strings.HasPrefix(secret, "qt_") {
		t.Errorf("a token looks like %s", secret)
	}
	script := person{s: s, token: secret}
	script.get("/me").want(t, http.StatusOK).has(t, `"scopes":["read"]`)
	script.get("/me/tokens").want(t, http.StatusOK).has(t, id).lacks(t, secret)
	script.post("/me/tokens", `{"name":"more","scopes":["read"]}`).refused(t, http.StatusForbidden, "session-needed")
	script.send(http.MethodDelete, "/me/tokens/"+id, nil).refused(t, http.StatusForbidden, "session-needed")
	ada.post("/me/tokens", `{"name":"x","scopes":["read","admin"]}`).refused(t, http.StatusForbidden, "insufficient-scope")
	ada.post("/me/tokens", `{"name":"x","scopes":[]}`).refused(t, http.StatusBadRequest, "malformed")
	ada.post("/me/tokens", `{"name":"x","scopes":["read"],"expires_at":"2001-01-01T00:00:00Z"}`).
		refused(t, http.StatusUnprocessableEntity, "invalid")

	bob.send(http.MethodDelete, "/me/tokens/"+id, nil).refused(t, http.StatusNotFound, "not-found")
	s.pass(61 * time.Minute)
	script.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	s.pass(-61 * time.Minute)
	ada.send(http.MethodDelete, "/me/tokens/"+id, nil).want(t, http.StatusNoContent)
	script.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	ada.send(http.MethodDelete, "/me/tokens/"+id, nil).refused(t, http.StatusNotFound, "not-found")
}

func TestAdminsManageAccounts(t *testing.T) {
	s := newService(t)
	ada, root := s.register("ada"), s.withRole("root", account.RoleAdmin)
	ada.get("/accounts?login=root").refused(t, http.StatusForbidden, "insufficient-scope")
	root.tokenFor("read", "play", "organise").get("/accounts?login=ada").
		refused(t, http.StatusForbidden, "insufficient-scope")
	found := root.get("/accounts?login=ADA").want(t, http.StatusOK)
	if found.text("items", 0, "id") != ada.account {
		t.Fatalf("%s", found.raw)
	}
	root.get("/accounts?login=nobody").want(t, http.StatusOK).has(t, `"items":[]`)
	path := "/accounts/" + ada.account
	tag := root.get(path).want(t, http.StatusOK).lacks(t, "argon2").etag()
	ada.post("/players", `{"name":"Cleo"}`).refused(t, http.StatusForbidden, "forbidden")
	root.send(http.MethodPatch, path, `{"role":"organiser"}`).
		refused(t, http.StatusPreconditionRequired, "if-match-needed")
	root.send(http.MethodPatch, path, `{"role":"organiser"}`, tag).want(t, http.StatusOK)
	root.send(http.MethodPatch, path, `{"disabled":true}`, tag).refused(t, http.StatusPreconditionFailed, "stale")
	ada.post("/players", `{"name":"Cleo"}`).want(t, http.StatusCreated) // at once, with the old access token

	root.send(http.MethodPatch, path, `{"disabled":true}`, header{"If-Match", "*"}).want(t, http.StatusOK)
	ada.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	s.anonymous().post("/sessions", `{"login":"ada","password":"`+password+`"}`).
		refused(t, http.StatusUnauthorized, "bad-login")
	s.anonymous().post("/sessions/refresh", map[string]any{"refresh_token": ada.refresh}).want(t, http.StatusUnauthorized)
	own := "/accounts/" + root.account
	root.send(http.MethodPatch, own, `{"role":"player"}`, root.get(own).etag()).
		refused(t, http.StatusConflict, "own-account")
	root.get("/accounts/nobody").refused(t, http.StatusNotFound, "not-found")
}

func TestGuessingPasswordsIsLimited(t *testing.T) {
	s := newService(t, func(c *configuration) {
		c.auth.Limits = auth.Limits{
			LoginPair: auth.Rate{Interval: time.Minute, Burst: 3}, LoginAddress: auth.Rate{Interval: time.Minute, Burst: 2},
		}
	})
	s.register("ada")
	login := func(name, password string) *answer {
		return s.anonymous().post("/sessions", map[string]any{"login": name, "password": password})
	}
	for range 5 {
		login("ada", password).want(t, http.StatusCreated) // a login with the right password is not limited
	}
	for range 3 {
		login("ada", "wrong").refused(t, http.StatusUnauthorized, "bad-login")
	}
	refused := login("ada", password).refused(t, http.StatusTooManyRequests, "too-many-requests")
	if refused.header.Get("Retry-After") == "" || refused.header.Get("RateLimit-Remaining") != "0" {
		t.Errorf("headers %v", refused.header)
	}
	for range 2 {
		login("bob", "wrong").refused(t, http.StatusUnauthorized, "bad-login")
	}
	login("cleo", "wrong").refused(t, http.StatusTooManyRequests, "too-many-requests") // the address is used up
	s.pass(time.Minute)
	login("ada", password).want(t, http.StatusCreated)
}
