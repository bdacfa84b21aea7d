package accounts_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// resets has an organiser try to reset a password, at both doors, and returns the code of the last.
func resets(t *testing.T, s *apitest.Service, olga apitest.Person, login string, may bool) (code string) {
	t.Helper()
	rest := olga.Post("/accounts/account-of-"+login+"/password-reset", nil)
	visiting := s.LoggedIn("olga")
	page := visiting.Post("/admin/accounts/account-of-" + login + "/reset")
	list := visiting.Get("/admin?q="+login).Want(t, http.StatusOK)
	if !may {
		rest.Refused(t, http.StatusForbidden, "forbidden")
		page.Alert(t, http.StatusForbidden, "Only an admin")
		list.Lacks(t, "account-of-"+login+"/reset")
		return ""
	}
	rest.Want(t, http.StatusCreated)
	list.Has(t, "account-of-"+login+"/reset")
	return page.Want(t, http.StatusCreated).HandedOut(t, "code")
}

// TestOrganisersResetPlainPlayersAlone: by default no password, and if the club allows it, none of an account with any
// role; checked when the code is made and when it is used.
func TestOrganisersResetPlainPlayersAlone(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	root, olga := s.WithRole("root", account.RoleAdmin), s.WithRole("olga", account.RoleOrganiser)
	otto := s.WithRole("otto", account.RoleOrganiser)
	for _, login := range []string{"ada", "bob", "cleo"} {
		s.Register(login)
	}
	made := otto.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated)
	arbiter := func(login string) {
		t.Helper()
		path := "/tournaments/" + made.Text("id") + "/arbiters"
		otto.Send(http.MethodPut, path, map[string]any{"logins": []string{login}}, otto.Get(path).IfMatch()).
			Want(t, http.StatusOK)
	}
	arbiter("bob")
	resets(t, s, olga, "ada", false)
	root.Post("/accounts/account-of-ada/password-reset", nil).Want(t, http.StatusCreated)
	s.LetOrganisersReset(root, true)
	resets(t, s, olga, "ada", true)
	for _, login := range []string{"bob", "otto"} { // an arbiter of another organiser's draft, among them
		resets(t, s, olga, login, false)
	}

	use := func(code string) *apitest.Answer {
		return s.Visitor().Post("/reset", "code", code, "password", "a wholly new one")
	}
	code := resets(t, s, olga, "cleo", true)
	arbiter("cleo")
	s.Visitor().Get("/reset?code="+code).Want(t, http.StatusUnprocessableEntity)
	use(code).Alert(t, http.StatusUnprocessableEntity, "has expired")
	code = resets(t, s, olga, "ada", true)
	s.LetOrganisersReset(root, false)
	use(code).Alert(t, http.StatusUnprocessableEntity, "has expired")
	s.LetOrganisersReset(root, true)
	use(code).RedirectsTo(t, "/me?said=password_set")
}

// TestOwnerSeesAReset: the page shows the admin and the time of a password's reset until the owner has seen it.
func TestOwnerSeesAReset(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	root := s.WithRole("root", account.RoleAdmin)
	ada := s.Register("ada")
	code := root.Post("/accounts/account-of-ada/password-reset", nil).Want(t, http.StatusCreated).Text("code")
	ada.Get("/me").Want(t, http.StatusOK).Lacks(t, "password_reset")
	if _, err := s.Guard.ResetPassword(t.Context(), code, apitest.Password+"!", "203.0.113.9"); err != nil {
		t.Fatal(err)
	}
	owner, err := s.Guard.CheckLogin(t.Context(), "ada", apitest.Password+"!", auth.Origin{Address: "203.0.113.9"})
	if err != nil {
		t.Fatal(err)
	}
	ada = s.Session(owner)
	told := ada.Get("/me").Want(t, http.StatusOK)
	if told.Text("password_reset", "by") != "root" || told.Text("password_reset", "at") == "" {
		t.Errorf("%s", told.Raw)
	}
	visiting := s.Visitor()
	visiting.Post("/login", "login", "ada", "password", apitest.Password+"!", "next", "/rules").RedirectsTo(t, "/me")
	for _, in := range apitest.Languages() {
		visiting.Get("/me", apitest.InLanguage(in)).Want(t, http.StatusOK).Has(t, "/me/reset-seen").
			Says(t, apitest.TextOf(t, in, "accounts.me.reset", "By", "root"))
	}
	ada.TokenFor("play").Send(http.MethodPatch, "/me", `{"password_reset_seen":true}`).
		Refused(t, http.StatusForbidden, "session-needed")
	ada.Send(http.MethodPatch, "/me", `{"password_reset_seen":false}`).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
	visiting.Post("/me/reset-seen").RedirectsTo(t, "/me")
	visiting.Get("/me").Want(t, http.StatusOK).Lacks(t, "/me/reset-seen")
	ada.Get("/me").Want(t, http.StatusOK).Lacks(t, "password_reset")
	ada.Send(http.MethodPatch, "/me", `{"password_reset_seen":true}`).Want(t, http.StatusOK).Lacks(t, "password_reset")
	s.Visitor().Post("/login", "login", "ada", "password", apitest.Password+"!", "next", "/rules").RedirectsTo(t, "/rules")
}
