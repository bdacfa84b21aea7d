package accounts_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/api/auth"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// TestSetUp sets an installation up once: with the code alone, whole or not at all, and of many attempts at the same
// time a single attempt wins.
func TestSetUp(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, apitest.RegistrationByClub)
	code, err := s.Guard.SetupCode(t.Context())
	if err != nil || code == "" {
		t.Fatalf("%q, %v", code, err)
	}
	s.Visitor().Get("/login").RedirectsTo(t, "/setup")
	s.Visitor().Get("/setup?code="+code).Want(t, http.StatusOK).Has(t, code, "Set up", "Europe/Paris")
	with := func(pairs ...string) []string {
		return append(append([]string{"code", code}, apitest.SetupForm...), pairs...)
	}
	replaced := func(name, value string) []string {
		form := with()
		for i := 0; i < len(form); i += 2 {
			if form[i] == name {
				form[i+1] = value
			}
		}
		return form
	}
	for _, tt := range []struct {
		form   []string
		status int
		says   string
	}{
		{replaced("code", "ABCD-ABCD-ABCD-ABCD"), 422, "not the code"},
		{replaced("code", ""), 422, "not the code"},
		{replaced("password", "short"), 422, "8 to 200"},
		{replaced("login", "a b"), 422, "login"},
		{replaced("time_zone", "Moon"), 422, "time zone"},
		{replaced("name", " "), 422, "name"},
		{replaced("registration", "all"), 422, "who may open"},
		{replaced("reach", ""), 422, "who reaches"},
		{replaced("name", strings.Repeat("x", 2000)), 400, ""},
	} {
		a := s.Visitor().Post("/setup", tt.form...).Want(t, tt.status)
		if tt.says != "" && !strings.Contains(strings.ToLower(apitest.AlertIn(a.Raw)), tt.says) {
			t.Errorf("%v says %q", tt.form, apitest.AlertIn(a.Raw))
		}
		if tt.status == 422 {
			a.Has(t, `value="Olga O."`).Lacks(t, apitest.Password)
		}
	}
	forms := make([][]string, 8)
	for i := range forms {
		forms[i] = replaced("login", fmt.Sprint("olga", i))
	}
	olga, won := setUpAtOnce(t, s, forms)
	olga.Get("/admin/address").Want(t, http.StatusOK).Has(t, `class="qr"`, "Tuesday Club").
		Says(t, apitest.TextOf(t, apitest.German(), "administration.poster.title"))
	olga.Get("/admin").Want(t, http.StatusOK).Has(t, fmt.Sprint("olga", won)).
		Says(t, apitest.TextOf(t, apitest.German(), "administration.own"))
	if n, err := s.Store.People().CountAccounts(t.Context()); n != 1 || err != nil {
		t.Errorf("%d accounts, %v", n, err)
	}
	s.Visitor().Get("/setup?code="+code).Want(t, http.StatusNotFound)
	s.Visitor().Post("/setup", with()...).Want(t, http.StatusConflict)
	if again, err := s.Guard.SetupCode(t.Context()); again != "" || err != nil {
		t.Errorf("there is a code still: %q, %v", again, err)
	}
	if strings.Contains(s.Log.String(), code) || strings.Contains(s.Log.String(), apitest.Password) {
		t.Error("the log holds a secret")
	}
}

// setUpAtOnce sends forms of the set-up at the same time, and returns the winner.
func setUpAtOnce(t *testing.T, s *apitest.Service, forms [][]string) (winner *apitest.Visitor, won int) {
	t.Helper()
	answers, visitors := make([]*apitest.Answer, len(forms)), make([]*apitest.Visitor, len(forms))
	var group sync.WaitGroup
	for i, form := range forms {
		visitors[i] = s.Visitor()
		group.Go(func() { answers[i] = visitors[i].Post("/setup", form...) })
	}
	group.Wait()
	won = -1
	for i, a := range answers {
		if a.Status == http.StatusSeeOther {
			if won >= 0 {
				t.Error("two have set it up")
			}
			won = i
		} else if a.Status != http.StatusConflict {
			t.Errorf("a loser is answered %d", a.Status)
		}
	}
	if won < 0 {
		t.Fatal("no one has set it up")
	}
	answers[won].RedirectsTo(t, "/admin/address?said=set_up")
	return visitors[won], won
}

func TestRegister(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, func(c *apitest.Config) { c.Auth.Registration = auth.RegistrationInvite })
	s.WithRole("root", account.RoleAdmin)
	s.WithRole("olga", account.RoleOrganiser)
	root, olga := s.LoggedIn("root"), s.LoggedIn("olga")
	ada := []string{"name", "Ada L.", "login", "ada", "password", apitest.Password}
	s.Visitor().Post("/register", ada...).Alert(t, http.StatusForbidden, "invitation is missing")
	// no enumeration
	s.Visitor().Post("/register", append(ada, "login", "root")...).Alert(t, http.StatusForbidden, "invitation is missing")
	code := olga.Post("/admin/invitations", "uses", "2", "days", "1", "role", "player").Want(t, http.StatusCreated).
		HandedOut(t, "invitation")
	s.Visitor().Get("/register?invitation="+code).Want(t, http.StatusOK).Has(t, code)
	with := func(login string, more ...string) []string {
		return append([]string{"name", "<b>" + login, "login", login, "password", apitest.Password, "invitation", code},
			more...)
	}
	s.Visitor().Post("/register", with("root")...).Alert(t, http.StatusConflict, "taken").Has(t, `value="&lt;b&gt;root"`)
	one := s.Visitor()
	one.Post("/register", with("ada")...).RedirectsTo(t, "/me?said=registered")
	one.Get("/me").Want(t, http.StatusOK).Has(t, "ada", "&lt;b&gt;ada")
	s.Visitor().Post("/register", with("bob")...).RedirectsTo(t, "/me?said=registered")
	s.Visitor().Post("/register", with("cyd")...).Alert(t, http.StatusForbidden, "invitation")
	olga.Post("/admin/invitations", "uses", "1", "days", "1", "role", "organiser").
		Alert(t, http.StatusForbidden, "not allowed to do that")
	olga.Post("/admin/invitations", "uses", "1", "days", "1", "role", "admin").
		Alert(t, http.StatusForbidden, "not allowed to do that")
	root.Post("/admin/invitations", "uses", "1", "days", "1", "role", "admin").
		Alert(t, http.StatusForbidden, "not allowed to do that")
	for _, uses := range []string{"0", "-1", "1001", "x", "99999999999999999999"} {
		olga.Post("/admin/invitations", "uses", uses, "days", "1").
			Alert(t, http.StatusUnprocessableEntity, "1 to 1000 people")
	}
	code = root.Post("/admin/invitations", "uses", "1", "days", "1", "role", "organiser").HandedOut(t, "invitation")
	s.Visitor().Post("/register", with("otto")...).RedirectsTo(t, "/me?said=registered")
	if otto, err := s.Store.People().AccountByLogin(t.Context(), "otto"); err != nil ||
		otto.Role != account.RoleOrganiser {
		t.Errorf("%+v, %v", otto, err)
	}
	one.Post("/admin/invitations", "uses", "1", "days", "1").Want(t, http.StatusForbidden)
	one.Get("/admin").Want(t, http.StatusForbidden)
	s.Visitor().Get("/admin").RedirectsTo(t, "/login?next=/admin")
}

// TestRegisterAProgram: the form opens an account of a bot, with a player of its own.
func TestRegisterAProgram(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, func(c *apitest.Config) { c.Auth.Registration = auth.RegistrationOpen })
	s.WithRole("root", account.RoleAdmin)
	form := []string{"name", "Deep Quixo", "login", "deep", "password", apitest.Password, "bot", "yes"}
	s.Visitor().Post("/register", append(form, "claim", "ABCD")...).
		Alert(t, http.StatusUnprocessableEntity, "A program has a player of its own").Has(t, `value="yes"`, " checked>")
	deep := s.Visitor()
	deep.Post("/register", form...).RedirectsTo(t, "/me?said=registered")
	a, err := s.Store.People().AccountByLogin(t.Context(), "deep")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Anonymous().Get("/players/"+a.PlayerID).Want(t, http.StatusOK); got.At("bot") != true {
		t.Errorf("%s", got.Raw)
	}
	s.Visitor().Post("/register", "name", "Ada L.", "login", "ada", "password", apitest.Password).
		RedirectsTo(t, "/me?said=registered")
	if a, err = s.Store.People().AccountByLogin(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	if got := s.Anonymous().Get("/players/"+a.PlayerID).Want(t, http.StatusOK); got.At("bot") == true {
		t.Errorf("a person: %s", got.Raw)
	}
}

func TestRegisterAsPlayerInTheList(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, func(c *apitest.Config) { c.Auth.Registration = auth.RegistrationInvite })
	s.WithRole("root", account.RoleAdmin)
	s.WithRole("olga", account.RoleOrganiser)
	olga := s.LoggedIn("olga")
	player := club.Player{ID: "p1", Name: "Ada L.", Version: 1}
	if err := s.Store.People().CreatePlayer(t.Context(), player); err != nil {
		t.Fatal(err)
	}
	olga.Get("/admin").Want(t, http.StatusOK).Has(t, "Ada L.")
	first := olga.Post("/admin/players/p1/claim").Want(t, http.StatusCreated).HandedOut(t, "claim")
	code := olga.Post("/admin/players/p1/claim").Want(t, http.StatusCreated).HandedOut(t, "claim")
	form := func(code string) []string {
		return []string{"login", "ada", "password", apitest.Password, "claim", code}
	}
	s.Visitor().Get("/register?claim="+code).Want(t, http.StatusOK).Has(t, code, "already in the club’s list")
	s.Visitor().Post("/register", form(first)...).Alert(t, http.StatusUnprocessableEntity, "No player has this code")
	ada := s.Visitor()
	ada.Post("/register", form(strings.ToLower(code))...).RedirectsTo(t, "/me?said=registered")
	ada.Get("/me").Want(t, http.StatusOK).Has(t, `value="Ada L."`)
	s.Visitor().Post("/register", "login", "eve", "password", apitest.Password, "claim", code).
		Alert(t, http.StatusUnprocessableEntity, "No player has this code")
	olga.Post("/admin/players/p1/claim").Alert(t, http.StatusConflict, "already has an account")
}

func TestPasswordReset(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	s.LetOrganisersReset(s.WithRole("root", account.RoleAdmin), true)
	s.WithRole("olga", account.RoleOrganiser)
	s.WithRole("otto", account.RoleOrganiser)
	s.Register("ada")
	root, olga, ada := s.LoggedIn("root"), s.LoggedIn("olga"), s.LoggedIn("ada")
	reset := func(v *apitest.Visitor, login string) *apitest.Answer {
		return v.Post("/admin/accounts/account-of-" + login + "/reset")
	}
	reset(olga, "root").Alert(t, http.StatusForbidden, "Only an admin")
	reset(olga, "otto").Alert(t, http.StatusForbidden, "Only an admin")
	reset(root, "root").Alert(t, http.StatusConflict, "your own account")
	reset(ada, "root").Want(t, http.StatusForbidden)
	reset(s.Visitor(), "ada").RedirectsTo(t, "/login")
	olga.Get("/admin?q=ada").Want(t, http.StatusOK).Has(t, "account-of-ada/reset")
	olga.Get("/admin").Want(t, http.StatusOK).Lacks(t, "account-of-root", "account-of-otto")

	code := reset(olga, "ada").Want(t, http.StatusCreated).HandedOut(t, "code")
	s.Visitor().Get("/reset?code="+code).Want(t, http.StatusOK).Has(t, `value="ada"`)
	s.Visitor().Get("/reset?code="+code).Want(t, http.StatusOK) // looking uses nothing up
	s.Visitor().Post("/reset", "code", code, "password", "short").Alert(t, http.StatusUnprocessableEntity, "8 to 200").
		Has(t, code)
	wrong := "qp_" + code[4:] + "a"
	s.Visitor().Post("/reset", "code", wrong, "password", "another good one").
		Alert(t, http.StatusUnprocessableEntity, "has expired").Lacks(t, "ada")
	const many = 6
	statuses := make([]int, many)
	var group sync.WaitGroup
	for i := range many {
		group.Go(func() {
			statuses[i] = s.Visitor().Post("/reset", "code", code, "password", fmt.Sprint("another good one ", i)).Status
		})
	}
	group.Wait()
	won := 0
	for _, status := range statuses {
		if status == http.StatusSeeOther {
			won++
		} else if status != http.StatusUnprocessableEntity {
			t.Errorf("a loser is answered %d", status)
		}
	}
	if won != 1 {
		t.Errorf("%d have used the code", won)
	}
	ada.Get("/me").RedirectsTo(t, "/login?next=/me") // the old session has ended
	s.Visitor().Get("/reset?code="+code).Alert(t, http.StatusUnprocessableEntity, "used already")

	code = reset(olga, "ada").HandedOut(t, "code")
	s.Pass(15 * time.Minute)
	s.Visitor().Post("/reset", "code", code, "password", "another good one").
		Alert(t, http.StatusUnprocessableEntity, "has expired")
	code = reset(olga, "ada").HandedOut(t, "code")
	root.Post("/admin/accounts/account-of-ada", "role", "admin", "was", "player 0").
		RedirectsTo(t, "/admin?said=account_changed")
	s.Visitor().Post("/reset", "code", code, "password", "another good one").
		Alert(t, http.StatusUnprocessableEntity, "has expired")
	if strings.Contains(s.Log.String(), "qp_") {
		t.Error("the log holds a code")
	}
}

func TestAdministration(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	s.WithRole("root", account.RoleAdmin)
	s.WithRole("olga", account.RoleOrganiser)
	s.Register("ada")
	root, olga := s.LoggedIn("root"), s.LoggedIn("olga")
	change := func(v *apitest.Visitor, login string, form ...string) *apitest.Answer {
		return v.Post("/admin/accounts/account-of-"+login, form...)
	}
	change(olga, "ada", "role", "admin", "was", "player 0").Alert(t, http.StatusForbidden, "not allowed to do that")
	change(olga, "olga", "role", "admin", "was", "organiser 0").Alert(t, http.StatusForbidden, "not allowed to do that")
	change(root, "root", "role", "player", "was", "admin 0").Alert(t, http.StatusConflict, "your own account")
	change(root, "ada", "role", "king", "was", "player 0").Want(t, http.StatusBadRequest)
	change(root, "ada", "role", "organiser", "was", "organiser 0").
		Alert(t, http.StatusPreconditionFailed, "changed this meanwhile")
	change(root, "nobody", "role", "organiser", "was", "player 0").Want(t, http.StatusNotFound)
	change(root, "ada", "disabled", "true", "was", "player 0").RedirectsTo(t, "/admin?said=account_changed")
	s.Visitor().Post("/login", "login", "ada", "password", apitest.Password).Want(t, http.StatusUnauthorized)
	root.Get("/admin?q=ada").Want(t, http.StatusOK).Has(t, "Enable", "disabled")
	root.Get("/admin?cursor=x").Want(t, http.StatusBadRequest)
	settings := []string{
		"name", "Thursday Club", "language", "fr", "time_zone", "", "registration", "closed", "reach", "local", "version",
		"0",
	}
	olga.Post("/admin/settings", settings...).Want(t, http.StatusForbidden)
	root.Post("/admin/settings", settings...).RedirectsTo(t, "/admin?said=saved")
	french := apitest.Languages()[1]
	root.Post("/admin/settings", settings...).Alert(t, http.StatusPreconditionFailed,
		apitest.TextOf(t, french, "accounts.fault.stale"))
	s.Visitor().Get("/login").Want(t, http.StatusOK).
		Says(t, "Thursday Club", apitest.TextOf(t, french, "accounts.enter.title"))
	s.Visitor().Get("/login", apitest.Header{"Accept-Language", "de"}).Want(t, http.StatusOK).
		Says(t, apitest.TextOf(t, apitest.German(), "accounts.enter.title"))
}

// TestANameFromThePageIsTheAPIs: a name that was changed on a page is in the API's answers at once, also where it was
// just cached.
func TestANameFromThePageIsTheAPIs(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada, bob := s.Register("ada"), s.Register("bob")
	id := ada.Post("/games", apitest.GameOf("quixo/duel", ada.Player, bob.Player)).Want(t, http.StatusCreated).Text("id")
	ada.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"Player ada"`)
	version := strings.Trim(ada.Get("/players/"+ada.Player).Header.Get("ETag"), `"v`)
	ada.PostForm("/me/player", url.Values{"name": {"Augusta"}, "version": {version}}).Want(t, http.StatusSeeOther)
	ada.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"Augusta"`).Lacks(t, `"Player ada"`)
}

func TestOwnAccount(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	s.Register("ada")
	s.WithRole("bob", account.RolePlayer)
	ada, phone := s.LoggedIn("ada"), s.LoggedIn("ada")
	ada.Post("/me/player", "name", "Ada Lovelace", "club", "Byron", "version", "1").RedirectsTo(t, "/me?said=saved")
	phone.Post("/me/player", "name", "Ada B.", "club", "", "version", "1").
		Alert(t, http.StatusPreconditionFailed, "changed this meanwhile").Has(t, "Ada B.")
	ada.Post("/me/player", "name", " ", "club", "", "version", "2").
		Alert(t, http.StatusUnprocessableEntity, "Enter a name")
	s.LoggedIn("bob").Post("/me/player", "name", "x", "version", "1").Want(t, http.StatusNotFound)
	ada.Post("/me/language", "language", "de").RedirectsTo(t, "/me?said=saved")
	ada.Get("/me", apitest.Header{"Accept-Language", "fr"}).Want(t, http.StatusOK).Has(t, "Ihr Konto", `lang="de"`)
	ada.Post("/me/language", "language", "ja").Want(t, http.StatusUnprocessableEntity)
	ada.Post("/me/language", "language", "").RedirectsTo(t, "/me?said=saved")

	made := ada.Post("/me/tokens", "token", "my script", "scopes", "read", "expires", "2099-12-31").
		Want(t, http.StatusCreated)
	secret := regexp.MustCompile(`qt_[a-z2-7]+`).FindString(string(made.Raw))
	if secret == "" || made.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("no token is shown: %s", made.Raw)
	}
	(apitest.Person{Service: s, Token: secret}).Get("/me").Want(t, http.StatusOK)
	ada.Get("/me").Want(t, http.StatusOK).Has(t, "my script").Lacks(t, secret)
	ada.Post("/me/tokens", "token", "x", "scopes", "admin").Alert(t, http.StatusForbidden, "lacks the scope")
	ada.Post("/me/tokens", "token", "x").Alert(t, http.StatusUnprocessableEntity, "what it may be used for")
	ada.Post("/me/tokens", "token", "x", "scopes", "read", "expires", "2001-01-01").
		Alert(t, http.StatusUnprocessableEntity, "future")
	id := regexp.MustCompile(`/me/tokens/([^/]+)/delete`).FindSubmatch(ada.Get("/me").Raw)
	s.LoggedIn("bob").Post("/me/tokens/"+string(id[1])+"/delete").Want(t, http.StatusNotFound)
	ada.Post("/me/tokens/"+string(id[1])+"/delete").RedirectsTo(t, "/me?said=token_deleted")
	(apitest.Person{Service: s, Token: secret}).Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")

	ada.Post("/me/password", "current", "wrong", "password", "a new good one").
		Alert(t, http.StatusUnauthorized, "current password")
	ada.Post("/me/password", "current", apitest.Password, "password", "a new good one").
		RedirectsTo(t, "/me?said=password_set")
	phone.Get("/me").RedirectsTo(t, "/login?next=/me")
	other := s.Visitor()
	other.Post("/login", "login", "ada", "password", "a new good one").Want(t, http.StatusSeeOther)
	found := regexp.MustCompile(`/me/sessions/([0-9a-f-]{36})/end`).FindAllSubmatch(ada.Get("/me").Raw, -1)
	if len(found) < 2 {
		t.Fatalf("%d sessions are listed", len(found))
	}
	s.LoggedIn("bob").Post("/me/sessions/"+string(found[0][1])+"/end").Want(t, http.StatusNotFound)
	ada.Post("/me/sessions/"+string(found[0][1])+"/end").RedirectsTo(t, "/me?said=session_ended") // the latest
	other.Get("/me").RedirectsTo(t, "/login?next=/me")
	ada.Post("/me/sessions/end").RedirectsTo(t, "/login")
	ada.Get("/me").RedirectsTo(t, "/login?next=/me")
}
