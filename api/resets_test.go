package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// letOrganisersReset decides whether organisers may reset passwords.
func (s *service) letOrganisersReset(root person, may bool) {
	s.t.Helper()
	now := root.get("/settings").want(s.t, http.StatusOK)
	body := map[string]any{"name": "Club", "organisers_reset": may}
	root.send(http.MethodPatch, "/settings", body, now.etag()).want(s.t, http.StatusOK).
		has(s.t, fmt.Sprintf(`"organisers_reset":%v`, may))
	s.pass(time.Second) // for which settings are remembered
}

// resets has an organiser try to reset a password, at both doors, and returns the code of the last.
func (s *service) resets(t *testing.T, olga person, login string, may bool) (code string) {
	t.Helper()
	rest := olga.post("/accounts/account-of-"+login+"/password-reset", nil)
	visiting := s.visits("olga")
	page := visiting.post("/admin/accounts/account-of-" + login + "/reset")
	list := visiting.get("/admin?q="+login).want(t, http.StatusOK)
	if !may {
		rest.refused(t, http.StatusForbidden, "forbidden")
		page.alert(t, http.StatusForbidden, "Only an admin")
		list.lacks(t, "account-of-"+login+"/reset")
		return ""
	}
	rest.want(t, http.StatusCreated)
	list.has(t, "account-of-"+login+"/reset")
	return page.want(t, http.StatusCreated).handedOut(t, "code")
}

// TestOrganisersResetPlainPlayersAlone: by default no password, and if the club allows it, none of an account with any
// role; checked when the code is made and when it is used.
func TestOrganisersResetPlainPlayersAlone(t *testing.T) {
	s := newService(t, withRealPages)
	root, olga := s.withRole("root", account.RoleAdmin), s.withRole("olga", account.RoleOrganiser)
	otto := s.withRole("otto", account.RoleOrganiser)
	for _, login := range []string{"ada", "bob", "cleo"} {
		s.register(login)
	}
	made := otto.post("/tournaments", cup).want(t, http.StatusCreated)
	arbiter := func(login string) {
		t.Helper()
		path := "/tournaments/" + made.text("id") + "/arbiters"
		otto.send(http.MethodPut, path, map[string]any{"logins": []string{login}}, otto.get(path).etag()).
			want(t, http.StatusOK)
	}
	arbiter("bob")
	s.resets(t, olga, "ada", false)
	root.post("/accounts/account-of-ada/password-reset", nil).want(t, http.StatusCreated)
	s.letOrganisersReset(root, true)
	s.resets(t, olga, "ada", true)
	for _, login := range []string{"bob", "otto"} { // an arbiter of another organiser's draft, among them
		s.resets(t, olga, login, false)
	}

	use := func(code string) *answer {
		return s.visitor().post("/reset", "code", code, "password", "a wholly new one")
	}
	code := s.resets(t, olga, "cleo", true)
	arbiter("cleo")
	s.visitor().get("/reset?code="+code).want(t, http.StatusUnprocessableEntity)
	use(code).alert(t, http.StatusUnprocessableEntity, "has expired")
	code = s.resets(t, olga, "ada", true)
	s.letOrganisersReset(root, false)
	use(code).alert(t, http.StatusUnprocessableEntity, "has expired")
	s.letOrganisersReset(root, true)
	use(code).to(t, "/me?said=password_set")
}

// TestOwnerSeesAReset: by whom and when the password was reset, until the owner has seen it.
func TestOwnerSeesAReset(t *testing.T) {
	s := newService(t, withRealPages)
	root := s.withRole("root", account.RoleAdmin)
	ada := s.register("ada")
	code := root.post("/accounts/account-of-ada/password-reset", nil).want(t, http.StatusCreated).text("code")
	ada.get("/me").want(t, http.StatusOK).lacks(t, "password_reset")
	if _, err := s.guard.ResetPassword(t.Context(), code, password+"!", "203.0.113.9"); err != nil {
		t.Fatal(err)
	}
	owner, err := s.guard.CheckLogin(t.Context(), "ada", password+"!", auth.Origin{Address: "203.0.113.9"})
	if err != nil {
		t.Fatal(err)
	}
	ada = s.session(owner)
	told := ada.get("/me").want(t, http.StatusOK)
	if told.text("password_reset", "by") != "root" || told.text("password_reset", "at") == "" {
		t.Errorf("%s", told.raw)
	}
	visiting := s.visitor()
	visiting.post("/login", "login", "ada", "password", password+"!", "next", "/rules").to(t, "/me")
	for _, in := range languages() {
		visiting.get("/me", inLanguage(in)).want(t, http.StatusOK).has(t, "/me/reset-seen").
			says(t, textOf(t, in, "accounts.me.reset", "By", "root"))
	}
	ada.tokenFor("play").send(http.MethodPatch, "/me", `{"password_reset_seen":true}`).
		refused(t, http.StatusForbidden, "session-needed")
	ada.send(http.MethodPatch, "/me", `{"password_reset_seen":false}`).
		refused(t, http.StatusUnprocessableEntity, "invalid")
	visiting.post("/me/reset-seen").to(t, "/me")
	visiting.get("/me").want(t, http.StatusOK).lacks(t, "/me/reset-seen")
	ada.get("/me").want(t, http.StatusOK).lacks(t, "password_reset")
	ada.send(http.MethodPatch, "/me", `{"password_reset_seen":true}`).want(t, http.StatusOK).lacks(t, "password_reset")
	s.visitor().post("/login", "login", "ada", "password", password+"!", "next", "/rules").to(t, "/rules")
}
