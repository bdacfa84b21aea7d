package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/api/auth"
	"quatuor/tournament/account"
)

func TestOpeningAnAccount(t *testing.T) {
	s := apitest.New(t)
	s.WithRole("root", account.RoleAdmin)
	post := func(body string) *apitest.Answer { return s.Anonymous().Post("/accounts", body) }
	made := post(`{"login":"Ada","password":"correct horse","player_name":" Ada L. "}`).Want(t, http.StatusCreated)
	if made.Text("account_id") == "" {
		t.Errorf("%s", made.Raw)
	}
	s.Anonymous().Get("/players/"+made.Text("player_id")).Want(t, http.StatusOK).
		Has(t, `"Ada L."`, `"claimed":true`).Lacks(t, `"ada"`, "login", made.Text("account_id"))
	post(`{"login":"ADA","password":"correct horse"}`).Refused(t, http.StatusConflict, "login-taken")
	post(`{"login":"swordfish","password":"Swordfish"}`).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, `"/password"`)
	for _, body := range []string{
		`{"login":"bob","password":"short"}`, `{"login":"b","password":"correct horse"}`,
		`{"login":"bob","password":"correct horse","role":"admin"}`, `{"login":"b b","password":"correct horse"}`,
		`{"login":"bob","password":"correct horse","player_name":"  "}`,
	} {
		post(body).Refused(t, http.StatusBadRequest, "malformed").Lacks(t, "correct horse", "short\"")
	}
	alone := post(`{"login":"bob","password":"correct horse"}`).Want(t, http.StatusCreated)
	if alone.At("player_id") != nil {
		t.Errorf("no player was named: %s", alone.Raw)
	}
}

func TestRegistrationMayBeClosedOrByInvitation(t *testing.T) {
	closed := apitest.New(t, func(c *apitest.Config) { c.Auth.Registration = auth.RegistrationClosed })
	body := map[string]any{"login": "ada", "password": apitest.Password}
	closed.WithRole("root", account.RoleAdmin)
	closed.Anonymous().Post("/accounts", body).Refused(t, http.StatusForbidden, "registration-closed")

	s := apitest.New(t, func(c *apitest.Config) { c.Auth.Registration = auth.RegistrationInvite })
	s.WithRole("root", account.RoleAdmin)
	s.Anonymous().Post("/accounts", body).Refused(t, http.StatusForbidden, "invitation-needed")
	olga := s.WithRole("olga", account.RoleOrganiser)
	code := olga.Post("/invitations", nil).Want(t, http.StatusCreated).Text("code")
	body["invitation"] = code[:len(code)-1] + "x"
	s.Anonymous().Post("/accounts", body).Refused(t, http.StatusForbidden, "invitation-needed")
	body["invitation"] = code
	s.Anonymous().Post("/accounts", body).Want(t, http.StatusCreated)
	body["login"] = "bob"
	s.Anonymous().Post("/accounts", body).Refused(t, http.StatusForbidden, "invitation-needed")
	late := olga.Post("/invitations", `{"days":2}`).Want(t, http.StatusCreated).Text("code")
	s.Pass(49 * time.Hour)
	body["invitation"] = late
	s.Anonymous().Post("/accounts", body).Refused(t, http.StatusForbidden, "invitation-needed")
}

func TestLoggingIn(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	wrong := s.Anonymous().Post("/sessions", `{"login":"ada","password":"wrong"}`).
		Refused(t, http.StatusUnauthorized, "bad-login")
	nobody := s.Anonymous().Post("/sessions", `{"login":"nobody","password":"wrong"}`).
		Refused(t, http.StatusUnauthorized, "bad-login")
	if wrong.Text("detail") != nobody.Text("detail") || wrong.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("which of the two was wrong is not told: %s, %s", wrong.Raw, nobody.Raw)
	}
	tokens := s.Anonymous().Post("/sessions", `{"login":"ADA","password":"`+apitest.Password+`"}`).
		Want(t, http.StatusCreated)
	if tokens.Text("token_type") != "Bearer" || tokens.Number("expires_in") != 900 {
		t.Errorf("%s", tokens.Raw)
	}
	me := ada.Get("/me").Want(t, http.StatusOK)
	if me.Text("login") != "ada" || me.Text("player", "id") != ada.Player || me.Text("role") != "player" {
		t.Errorf("%s", me.Raw)
	}
	s.Pass(15*time.Minute + 6*time.Second)
	ada.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	ada.Get("/games").Refused(t, http.StatusUnauthorized, "unauthorized") // a bad token is refused everywhere
	apitest.Person{Service: s, Token: "nonsense"}.Get("/variants").Refused(t, http.StatusUnauthorized, "unauthorized")
}

func TestRefreshTokensRotate(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	refresh := func(token string) *apitest.Answer {
		return s.Anonymous().Post("/sessions/refresh", map[string]any{"refresh_token": token})
	}
	second := refresh(ada.Refresh).Want(t, http.StatusOK)
	third := refresh(second.Text("refresh_token")).Want(t, http.StatusOK)
	newest := apitest.Person{Service: s, Token: third.Text("access_token")}
	newest.Get("/me").Want(t, http.StatusOK)

	refresh(ada.Refresh).Refused(t, http.StatusUnauthorized, "token-reused")
	refresh(third.Text("refresh_token")).Want(t, http.StatusUnauthorized) // the whole family has ended
	newest.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	refresh("qr_nonsense").Refused(t, http.StatusUnauthorized, "unauthorized")
	refresh(ada.Token).Refused(t, http.StatusUnauthorized, "unauthorized")

	again := ada.Again()
	s.Pass(31 * 24 * time.Hour)
	refresh(again.Refresh).Refused(t, http.StatusUnauthorized, "unauthorized")
}

func TestLoggingOut(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	elsewhere := ada.Again()
	ada.TokenFor("read").Send(http.MethodDelete, "/sessions/current", nil).
		Refused(t, http.StatusForbidden, "session-needed")
	ada.Send(http.MethodDelete, "/sessions/current", nil).Want(t, http.StatusNoContent)
	ada.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	s.Anonymous().Post("/sessions/refresh", map[string]any{"refresh_token": ada.Refresh}).Want(t, http.StatusUnauthorized)
	elsewhere.Get("/me").Want(t, http.StatusOK)
	s.Anonymous().Send(http.MethodDelete, "/sessions/current", nil).Refused(t, http.StatusUnauthorized, "unauthorized")
}

func TestChangingThePassword(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	elsewhere := ada.Again()
	change := func(p apitest.Person, old, next string) *apitest.Answer {
		return p.Send(http.MethodPatch, "/me", map[string]any{"current_password": old, "password": next})
	}
	change(ada, "wrong", "another horse").Refused(t, http.StatusUnauthorized, "bad-login")
	change(ada.TokenFor("read", "play"), apitest.Password, "another horse").
		Refused(t, http.StatusForbidden, "session-needed")
	change(ada, apitest.Password, "another horse").Want(t, http.StatusOK)
	ada.Get("/me").Want(t, http.StatusOK)
	elsewhere.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	s.Anonymous().Post("/sessions", `{"login":"ada","password":"`+apitest.Password+`"}`).
		Refused(t, http.StatusUnauthorized, "bad-login")
	s.Anonymous().Post("/sessions", `{"login":"ada","password":"another horse"}`).Want(t, http.StatusCreated)
}

func TestAPITokens(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	expires := s.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	made := ada.Post("/me/tokens", map[string]any{"name": "script", "scopes": []string{"read"}, "expires_at": expires}).
		Want(t, http.StatusCreated)
	secret, id := made.Text("token"), made.Text("id")
	if !strings.HasPrefix(secret, "qt_") {
		t.Errorf("a token looks like %s", secret)
	}
	script := apitest.Person{Service: s, Token: secret}
	script.Get("/me").Want(t, http.StatusOK).Has(t, `"scopes":["read"]`)
	script.Get("/me/tokens").Want(t, http.StatusOK).Has(t, id).Lacks(t, secret)
	script.Post("/me/tokens", `{"name":"more","scopes":["read"]}`).Refused(t, http.StatusForbidden, "session-needed")
	script.Send(http.MethodDelete, "/me/tokens/"+id, nil).Refused(t, http.StatusForbidden, "session-needed")
	ada.Post("/me/tokens", `{"name":"x","scopes":["read","admin"]}`).Refused(t, http.StatusForbidden, "insufficient-scope")
	ada.Post("/me/tokens", `{"name":"x","scopes":[]}`).Refused(t, http.StatusBadRequest, "malformed")
	ada.Post("/me/tokens", `{"name":"x","scopes":["read"],"expires_at":"2001-01-01T00:00:00Z"}`).
		Refused(t, http.StatusUnprocessableEntity, "invalid")

	bob.Send(http.MethodDelete, "/me/tokens/"+id, nil).Refused(t, http.StatusNotFound, "not-found")
	s.Pass(61 * time.Minute)
	script.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	s.Pass(-61 * time.Minute)
	ada.Send(http.MethodDelete, "/me/tokens/"+id, nil).Want(t, http.StatusNoContent)
	script.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	ada.Send(http.MethodDelete, "/me/tokens/"+id, nil).Refused(t, http.StatusNotFound, "not-found")
}

func TestAdminsManageAccounts(t *testing.T) {
	s := apitest.New(t)
	ada, root := s.Register("ada"), s.WithRole("root", account.RoleAdmin)
	ada.Get("/accounts?login=root").Refused(t, http.StatusForbidden, "insufficient-scope")
	root.TokenFor("read", "play", "organise").Get("/accounts?login=ada").
		Refused(t, http.StatusForbidden, "insufficient-scope")
	found := root.Get("/accounts?login=ADA").Want(t, http.StatusOK)
	if found.Text("items", 0, "id") != ada.Account {
		t.Fatalf("%s", found.Raw)
	}
	root.Get("/accounts?login=nobody").Want(t, http.StatusOK).Has(t, `"items":[]`)
	path := "/accounts/" + ada.Account
	tag := root.Get(path).Want(t, http.StatusOK).Lacks(t, "argon2").IfMatch()
	ada.Post("/players", `{"name":"Cleo"}`).Refused(t, http.StatusForbidden, "forbidden")
	root.Send(http.MethodPatch, path, `{"role":"organiser"}`).
		Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	root.Send(http.MethodPatch, path, `{"role":"organiser"}`, tag).Want(t, http.StatusOK)
	root.Send(http.MethodPatch, path, `{"disabled":true}`, tag).Refused(t, http.StatusPreconditionFailed, "stale")
	ada.Post("/players", `{"name":"Cleo"}`).Want(t, http.StatusCreated) // at once, with the old access token

	root.Send(http.MethodPatch, path, `{"disabled":true}`, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	ada.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	s.Anonymous().Post("/sessions", `{"login":"ada","password":"`+apitest.Password+`"}`).
		Refused(t, http.StatusUnauthorized, "bad-login")
	s.Anonymous().Post("/sessions/refresh", map[string]any{"refresh_token": ada.Refresh}).Want(t, http.StatusUnauthorized)
	own := "/accounts/" + root.Account
	root.Send(http.MethodPatch, own, `{"role":"player"}`, root.Get(own).IfMatch()).
		Refused(t, http.StatusConflict, "own-account")
	root.Get("/accounts/nobody").Refused(t, http.StatusNotFound, "not-found")
}

func TestGuessingPasswordsIsLimited(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) {
		c.Auth.Limits = auth.Limits{
			LoginPair: auth.Rate{Interval: time.Minute, Burst: 3}, LoginAddress: auth.Rate{Interval: time.Minute, Burst: 2},
		}
	})
	s.Register("ada")
	login := func(name, password string) *apitest.Answer {
		return s.Anonymous().Post("/sessions", map[string]any{"login": name, "password": password})
	}
	for range 5 {
		login("ada", apitest.Password).Want(t, http.StatusCreated) // a login with the right password is not limited
	}
	for range 3 {
		login("ada", "wrong").Refused(t, http.StatusUnauthorized, "bad-login")
	}
	refused := login("ada", apitest.Password).Refused(t, http.StatusTooManyRequests, "too-many-requests")
	if refused.Header.Get("Retry-After") == "" || refused.Header.Get("RateLimit-Remaining") != "0" {
		t.Errorf("headers %v", refused.Header)
	}
	for range 2 {
		login("bob", "wrong").Refused(t, http.StatusUnauthorized, "bad-login")
	}
	login("cleo", "wrong").Refused(t, http.StatusTooManyRequests, "too-many-requests") // the address is used up
	s.Pass(time.Minute)
	login("ada", apitest.Password).Want(t, http.StatusCreated)
}
