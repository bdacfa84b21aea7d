package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// visitor is a browser: it keeps cookies.
type visitor struct {
	s       *service
	cookies map[string]string
}

func (s *service) visitor() *visitor { return &visitor{s, map[string]string{}} }

// visits logs in.
func (s *service) visits(login string) *visitor {
	s.t.Helper()
	v := s.visitor()
	v.post("/login", "login", login, "password", password).want(s.t, http.StatusSeeOther)
	return v
}

func (v *visitor) get(path string, headers ...header) *answer {
	v.s.t.Helper()
	return v.send(httptest.NewRequestWithContext(v.s.t.Context(), http.MethodGet, path, nil), headers)
}

// post sends a form of names and values in turn.
func (v *visitor) post(path string, fields ...string) *answer {
	v.s.t.Helper()
	return v.send(v.s.form(path, fields...), nil)
}

// form is the request that sends a form of names and values in turn.
func (s *service) form(path string, fields ...string) *http.Request {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func (v *visitor) send(r *http.Request, headers []header) *answer {
	r.Header.Set("Accept", "text/html")
	for name, value := range v.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for _, h := range headers {
		r.Header.Set(h.name, h.value)
	}
	a := v.s.serve(r)
	for _, c := range (&http.Response{Header: a.header}).Cookies() {
		v.cookies[c.Name] = c.Value
	}
	return a
}

// to demands that a form leads to an address.
func (a *answer) to(t *testing.T, location string) *answer {
	t.Helper()
	if a.status != http.StatusSeeOther || a.header.Get("Location") != location {
		t.Fatalf("%s: %d to %q, want %q\n%s", a.what, a.status, a.header.Get("Location"), location, alertIn(a.raw))
	}
	return a
}

var alerts = regexp.MustCompile(`(?s)role="alert">.*?</p>`)

func alertIn(page []byte) string { return string(alerts.Find(page)) }

// alert demands that a form is refused with a text, in a page.
func (a *answer) alert(t *testing.T, status int, text string) *answer {
	t.Helper()
	if a.want(t, status); !strings.Contains(alertIn(a.raw), text) {
		t.Errorf("%s says %q, want %q", a.what, alertIn(a.raw), text)
	}
	return a
}

// handedOut returns the code in the address that a page shows once.
func (a *answer) handedOut(t testing.TB, name string) string {
	t.Helper()
	found := regexp.MustCompile(name + `=([A-Za-z0-9_-]+)"`).FindSubmatch(a.raw)
	if found == nil || a.header.Get("Cache-Control") != "no-store" || !strings.Contains(string(a.raw), `class="qr"`) {
		t.Fatalf("%s hands out no %s, or a cache keeps it:\n%s", a.what, name, a.raw)
	}
	return string(found[1])
}

var setupForm = []string{
	"name", "Tuesday Club", "language", "de", "time_zone", "Europe/Berlin", "registration", "invite", "reach", "local",
	"login", "Olga", "password", password, "player_name", "Olga O.",
}

// decided leaves the right to open an account to the club, as without a flag.
func decided(c *configuration) { c.auth.Registration = "" }

// TestSetUp sets an installation up once: with the code alone, whole or not at all, and of many at the same time one
// wins.
func TestSetUp(t *testing.T) {
	s := newService(t, withRealPages, decided)
	code, err := s.guard.SetupCode(t.Context())
	if err != nil || code == "" {
		t.Fatalf("%q, %v", code, err)
	}
	s.visitor().get("/login").to(t, "/setup")
	s.visitor().get("/setup?code="+code).want(t, http.StatusOK).has(t, code, "Set up", "Europe/Paris")
	with := func(pairs ...string) []string {
		return append(append([]string{"code", code}, setupForm...), pairs...)
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
		a := s.visitor().post("/setup", tt.form...).want(t, tt.status)
		if tt.says != "" && !strings.Contains(strings.ToLower(alertIn(a.raw)), tt.says) {
			t.Errorf("%v says %q", tt.form, alertIn(a.raw))
		}
		if tt.status == 422 {
			a.has(t, `value="Olga O."`).lacks(t, password)
		}
	}
	forms := make([][]string, 8)
	for i := range forms {
		forms[i] = replaced("login", fmt.Sprint("olga", i))
	}
	olga, won := setUpAtOnce(t, s, forms)
	olga.get("/admin/address").want(t, http.StatusOK).has(t, `class="qr"`, "Tuesday Club").
		says(t, textOf(t, german(), "administration.poster.title"))
	olga.get("/admin").want(t, http.StatusOK).has(t, fmt.Sprint("olga", won)).
		says(t, textOf(t, german(), "administration.own"))
	if n, err := s.db.People().CountAccounts(t.Context()); n != 1 || err != nil {
		t.Errorf("%d accounts, %v", n, err)
	}
	s.visitor().get("/setup?code="+code).want(t, http.StatusNotFound)
	s.visitor().post("/setup", with()...).want(t, http.StatusConflict)
	if again, err := s.guard.SetupCode(t.Context()); again != "" || err != nil {
		t.Errorf("there is a code still: %q, %v", again, err)
	}
	if strings.Contains(s.log.String(), code) || strings.Contains(s.log.String(), password) {
		t.Error("the log holds a secret")
	}
}

// setUpAtOnce sends forms of the set-up at the same time, and returns the one that counted.
func setUpAtOnce(t *testing.T, s *service, forms [][]string) (winner *visitor, won int) {
	t.Helper()
	answers, visitors := make([]*answer, len(forms)), make([]*visitor, len(forms))
	var group sync.WaitGroup
	for i, form := range forms {
		visitors[i] = s.visitor()
		group.Go(func() { answers[i] = visitors[i].post("/setup", form...) })
	}
	group.Wait()
	won = -1
	for i, a := range answers {
		if a.status == http.StatusSeeOther {
			if won >= 0 {
				t.Error("two have set it up")
			}
			won = i
		} else if a.status != http.StatusConflict {
			t.Errorf("a loser is answered %d", a.status)
		}
	}
	if won < 0 {
		t.Fatal("no one has set it up")
	}
	answers[won].to(t, "/admin/address?said=set_up")
	return visitors[won], won
}

func TestRegister(t *testing.T) {
	s := newService(t, withRealPages, func(c *configuration) { c.auth.Registration = auth.RegistrationInvite })
	s.withRole("root", account.RoleAdmin)
	s.withRole("olga", account.RoleOrganiser)
	root, olga := s.visits("root"), s.visits("olga")
	ada := []string{"name", "Ada L.", "login", "ada", "password", password}
	s.visitor().post("/register", ada...).alert(t, http.StatusForbidden, "invitation is missing")
	// no enumeration
	s.visitor().post("/register", append(ada, "login", "root")...).alert(t, http.StatusForbidden, "invitation is missing")
	code := olga.post("/admin/invitations", "uses", "2", "days", "1", "role", "player").want(t, http.StatusCreated).
		handedOut(t, "invitation")
	s.visitor().get("/register?invitation="+code).want(t, http.StatusOK).has(t, code)
	with := func(login string, more ...string) []string {
		return append([]string{"name", "<b>" + login, "login", login, "password", password, "invitation", code}, more...)
	}
	s.visitor().post("/register", with("root")...).alert(t, http.StatusConflict, "taken").has(t, `value="&lt;b&gt;root"`)
	one := s.visitor()
	one.post("/register", with("ada")...).to(t, "/me?said=registered")
	one.get("/me").want(t, http.StatusOK).has(t, "ada", "&lt;b&gt;ada")
	s.visitor().post("/register", with("bob")...).to(t, "/me?said=registered")
	s.visitor().post("/register", with("cyd")...).alert(t, http.StatusForbidden, "invitation")
	olga.post("/admin/invitations", "uses", "1", "days", "1", "role", "organiser").
		alert(t, http.StatusForbidden, "not allowed to do that")
	olga.post("/admin/invitations", "uses", "1", "days", "1", "role", "admin").
		alert(t, http.StatusForbidden, "not allowed to do that")
	root.post("/admin/invitations", "uses", "1", "days", "1", "role", "admin").
		alert(t, http.StatusForbidden, "not allowed to do that")
	for _, uses := range []string{"0", "-1", "1001", "x", "99999999999999999999"} {
		olga.post("/admin/invitations", "uses", uses, "days", "1").alert(t, http.StatusUnprocessableEntity, "1 to 1000 people")
	}
	code = root.post("/admin/invitations", "uses", "1", "days", "1", "role", "organiser").handedOut(t, "invitation")
	s.visitor().post("/register", with("otto")...).to(t, "/me?said=registered")
	if otto, err := s.db.People().AccountByLogin(t.Context(), "otto"); err != nil || otto.Role != account.RoleOrganiser {
		t.Errorf("%+v, %v", otto, err)
	}
	one.post("/admin/invitations", "uses", "1", "days", "1").want(t, http.StatusForbidden)
	one.get("/admin").want(t, http.StatusForbidden)
	s.visitor().get("/admin").to(t, "/login?next=/admin")
}

// TestRegisterAProgram: the form opens an account of a bot, with a player of its own.
func TestRegisterAProgram(t *testing.T) {
	s := newService(t, withRealPages, func(c *configuration) { c.auth.Registration = auth.RegistrationOpen })
	s.withRole("root", account.RoleAdmin)
	form := []string{"name", "Deep Quixo", "login", "deep", "password", password, "bot", "yes"}
	s.visitor().post("/register", append(form, "claim", "ABCD")...).
		alert(t, http.StatusUnprocessableEntity, "A program has a player of its own").has(t, `value="yes"`, " checked>")
	deep := s.visitor()
	deep.post("/register", form...).to(t, "/me?said=registered")
	a, err := s.db.People().AccountByLogin(t.Context(), "deep")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.anonymous().get("/players/"+a.PlayerID).want(t, http.StatusOK); got.at("bot") != true {
		t.Errorf("%s", got.raw)
	}
	s.visitor().post("/register", "name", "Ada L.", "login", "ada", "password", password).to(t, "/me?said=registered")
	if a, err = s.db.People().AccountByLogin(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	if got := s.anonymous().get("/players/"+a.PlayerID).want(t, http.StatusOK); got.at("bot") == true {
		t.Errorf("a person: %s", got.raw)
	}
}

func TestRegisterAsPlayerInTheList(t *testing.T) {
	s := newService(t, withRealPages, func(c *configuration) { c.auth.Registration = auth.RegistrationInvite })
	s.withRole("root", account.RoleAdmin)
	s.withRole("olga", account.RoleOrganiser)
	olga := s.visits("olga")
	player := club.Player{ID: "p1", Name: "Ada L.", Version: 1}
	if err := s.db.People().CreatePlayer(t.Context(), player); err != nil {
		t.Fatal(err)
	}
	olga.get("/admin").want(t, http.StatusOK).has(t, "Ada L.")
	first := olga.post("/admin/players/p1/claim").want(t, http.StatusCreated).handedOut(t, "claim")
	code := olga.post("/admin/players/p1/claim").want(t, http.StatusCreated).handedOut(t, "claim")
	form := func(code string) []string { return []string{"login", "ada", "password", password, "claim", code} }
	s.visitor().get("/register?claim="+code).want(t, http.StatusOK).has(t, code, "already in the club’s list")
	s.visitor().post("/register", form(first)...).alert(t, http.StatusUnprocessableEntity, "No player has this code")
	ada := s.visitor()
	ada.post("/register", form(strings.ToLower(code))...).to(t, "/me?said=registered")
	ada.get("/me").want(t, http.StatusOK).has(t, `value="Ada L."`)
	s.visitor().post("/register", "login", "eve", "password", password, "claim", code).
		alert(t, http.StatusUnprocessableEntity, "No player has this code")
	olga.post("/admin/players/p1/claim").alert(t, http.StatusConflict, "already has an account")
}

func TestPasswordReset(t *testing.T) {
	s := newService(t, withRealPages)
	s.letOrganisersReset(s.withRole("root", account.RoleAdmin), true)
	s.withRole("olga", account.RoleOrganiser)
	s.withRole("otto", account.RoleOrganiser)
	s.register("ada")
	root, olga, ada := s.visits("root"), s.visits("olga"), s.visits("ada")
	reset := func(v *visitor, login string) *answer {
		return v.post("/admin/accounts/account-of-" + login + "/reset")
	}
	reset(olga, "root").alert(t, http.StatusForbidden, "Only an admin")
	reset(olga, "otto").alert(t, http.StatusForbidden, "Only an admin")
	reset(root, "root").alert(t, http.StatusConflict, "your own account")
	reset(ada, "root").want(t, http.StatusForbidden)
	reset(s.visitor(), "ada").to(t, "/login")
	olga.get("/admin?q=ada").want(t, http.StatusOK).has(t, "account-of-ada/reset")
	olga.get("/admin").want(t, http.StatusOK).lacks(t, "account-of-root", "account-of-otto")

	code := reset(olga, "ada").want(t, http.StatusCreated).handedOut(t, "code")
	s.visitor().get("/reset?code="+code).want(t, http.StatusOK).has(t, `value="ada"`)
	s.visitor().get("/reset?code="+code).want(t, http.StatusOK) // looking uses nothing up
	s.visitor().post("/reset", "code", code, "password", "short").alert(t, http.StatusUnprocessableEntity, "8 to 200").
		has(t, code)
	wrong := "qp_" + code[4:] + "a"
	s.visitor().post("/reset", "code", wrong, "password", "another good one").
		alert(t, http.StatusUnprocessableEntity, "has expired").lacks(t, "ada")
	const many = 6
	statuses := make([]int, many)
	var group sync.WaitGroup
	for i := range many {
		group.Go(func() {
			statuses[i] = s.visitor().post("/reset", "code", code, "password", fmt.Sprint("another good one ", i)).status
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
	ada.get("/me").to(t, "/login?next=/me") // the old session has ended
	s.visitor().get("/reset?code="+code).alert(t, http.StatusUnprocessableEntity, "used already")

	code = reset(olga, "ada").handedOut(t, "code")
	s.pass(15 * time.Minute)
	s.visitor().post("/reset", "code", code, "password", "another good one").
		alert(t, http.StatusUnprocessableEntity, "has expired")
	code = reset(olga, "ada").handedOut(t, "code")
	root.post("/admin/accounts/account-of-ada", "role", "admin", "was", "player 0").to(t, "/admin?said=account_changed")
	s.visitor().post("/reset", "code", code, "password", "another good one").
		alert(t, http.StatusUnprocessableEntity, "has expired")
	if strings.Contains(s.log.String(), "qp_") {
		t.Error("the log holds a code")
	}
}

func TestAdministration(t *testing.T) {
	s := newService(t, withRealPages)
	s.withRole("root", account.RoleAdmin)
	s.withRole("olga", account.RoleOrganiser)
	s.register("ada")
	root, olga := s.visits("root"), s.visits("olga")
	change := func(v *visitor, login string, form ...string) *answer {
		return v.post("/admin/accounts/account-of-"+login, form...)
	}
	change(olga, "ada", "role", "admin", "was", "player 0").alert(t, http.StatusForbidden, "not allowed to do that")
	change(olga, "olga", "role", "admin", "was", "organiser 0").alert(t, http.StatusForbidden, "not allowed to do that")
	change(root, "root", "role", "player", "was", "admin 0").alert(t, http.StatusConflict, "your own account")
	change(root, "ada", "role", "king", "was", "player 0").want(t, http.StatusBadRequest)
	change(root, "ada", "role", "organiser", "was", "organiser 0").
		alert(t, http.StatusPreconditionFailed, "changed this meanwhile")
	change(root, "nobody", "role", "organiser", "was", "player 0").want(t, http.StatusNotFound)
	change(root, "ada", "disabled", "true", "was", "player 0").to(t, "/admin?said=account_changed")
	s.visitor().post("/login", "login", "ada", "password", password).want(t, http.StatusUnauthorized)
	root.get("/admin?q=ada").want(t, http.StatusOK).has(t, "Enable", "disabled")
	root.get("/admin?cursor=x").want(t, http.StatusBadRequest)
	settings := []string{
		"name", "Thursday Club", "language", "fr", "time_zone", "", "registration", "closed", "reach", "local", "version",
		"0",
	}
	olga.post("/admin/settings", settings...).want(t, http.StatusForbidden)
	root.post("/admin/settings", settings...).to(t, "/admin?said=saved")
	french := languages()[1]
	root.post("/admin/settings", settings...).alert(t, http.StatusPreconditionFailed,
		textOf(t, french, "accounts.fault.stale"))
	s.visitor().get("/login").want(t, http.StatusOK).says(t, "Thursday Club", textOf(t, french, "accounts.enter.title"))
	s.visitor().get("/login", header{"Accept-Language", "de"}).want(t, http.StatusOK).
		says(t, textOf(t, german(), "accounts.enter.title"))
}

// TestANameFromThePageIsTheAPIs: a name that was changed on a page is in the API's answers at once, also where it was
// just cached.
func TestANameFromThePageIsTheAPIs(t *testing.T) {
	s := newService(t, withRealPages)
	ada, bob := s.register("ada"), s.register("bob")
	id := ada.post("/games", gameOf("quixo/duel", ada.player, bob.player)).want(t, http.StatusCreated).text("id")
	ada.get("/games/"+id).want(t, http.StatusOK).has(t, `"Player ada"`)
	version := strings.Trim(ada.get("/players/"+ada.player).header.Get("ETag"), `"v`)
	ada.form("/me/player", url.Values{"name": {"Augusta"}, "version": {version}}).want(t, http.StatusSeeOther)
	ada.get("/games/"+id).want(t, http.StatusOK).has(t, `"Augusta"`).lacks(t, `"Player ada"`)
}

func TestOwnAccount(t *testing.T) {
	s := newService(t, withRealPages)
	s.register("ada")
	s.withRole("bob", account.RolePlayer)
	ada, phone := s.visits("ada"), s.visits("ada")
	ada.post("/me/player", "name", "Ada Lovelace", "club", "Byron", "version", "1").to(t, "/me?said=saved")
	phone.post("/me/player", "name", "Ada B.", "club", "", "version", "1").
		alert(t, http.StatusPreconditionFailed, "changed this meanwhile").has(t, "Ada B.")
	ada.post("/me/player", "name", " ", "club", "", "version", "2").
		alert(t, http.StatusUnprocessableEntity, "Enter a name")
	s.visits("bob").post("/me/player", "name", "x", "version", "1").want(t, http.StatusNotFound)
	ada.post("/me/language", "language", "de").to(t, "/me?said=saved")
	ada.get("/me", header{"Accept-Language", "fr"}).want(t, http.StatusOK).has(t, "Ihr Konto", `lang="de"`)
	ada.post("/me/language", "language", "ja").want(t, http.StatusUnprocessableEntity)
	ada.post("/me/language", "language", "").to(t, "/me?said=saved")

	made := ada.post("/me/tokens", "token", "my script", "scopes", "read", "expires", "2099-12-31").
		want(t, http.StatusCreated)
	secret := regexp.MustCompile(`qt_[a-z2-7]+`).FindString(string(made.raw))
	if secret == "" || made.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("no token is shown: %s", made.raw)
	}
	(person{s: s, token: secret}).get("/me").want(t, http.StatusOK)
	ada.get("/me").want(t, http.StatusOK).has(t, "my script").lacks(t, secret)
	ada.post("/me/tokens", "token", "x", "scopes", "admin").alert(t, http.StatusForbidden, "lacks the scope")
	ada.post("/me/tokens", "token", "x").alert(t, http.StatusUnprocessableEntity, "what it may be used for")
	ada.post("/me/tokens", "token", "x", "scopes", "read", "expires", "2001-01-01").
		alert(t, http.StatusUnprocessableEntity, "future")
	id := regexp.MustCompile(`/me/tokens/([^/]+)/delete`).FindSubmatch(ada.get("/me").raw)
	s.visits("bob").post("/me/tokens/"+string(id[1])+"/delete").want(t, http.StatusNotFound)
	ada.post("/me/tokens/"+string(id[1])+"/delete").to(t, "/me?said=token_deleted")
	(person{s: s, token: secret}).get("/me").refused(t, http.StatusUnauthorized, "unauthorized")

	ada.post("/me/password", "current", "wrong", "password", "a new good one").
		alert(t, http.StatusUnauthorized, "current password")
	ada.post("/me/password", "current", password, "password", "a new good one").to(t, "/me?said=password_set")
	phone.get("/me").to(t, "/login?next=/me")
	other := s.visitor()
	other.post("/login", "login", "ada", "password", "a new good one").want(t, http.StatusSeeOther)
	found := regexp.MustCompile(`/me/sessions/([0-9a-f-]{36})/end`).FindAllSubmatch(ada.get("/me").raw, -1)
	if len(found) < 2 {
		t.Fatalf("%d sessions are listed", len(found))
	}
	s.visits("bob").post("/me/sessions/"+string(found[0][1])+"/end").want(t, http.StatusNotFound)
	ada.post("/me/sessions/"+string(found[0][1])+"/end").to(t, "/me?said=session_ended") // the latest
	other.get("/me").to(t, "/login?next=/me")
	ada.post("/me/sessions/end").to(t, "/login")
	ada.get("/me").to(t, "/login?next=/me")
}
