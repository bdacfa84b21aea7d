package api_test

import (
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/auth"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// TestNoAccountBeforeTheSetUp: however accounts may be opened, on an empty database and on one without admins no one
// opens one, by the API or on the pages, before the set-up; and nothing but the set-up makes an admin.
func TestNoAccountBeforeTheSetUp(t *testing.T) {
	for name, before := range map[string]func(*service){
		"empty": func(*service) {},
		"without an admin": func(s *service) {
			s.register("ada")
			s.withRole("otto", account.RoleOrganiser)
			gone := account.Account{ID: "gone", Login: "gone", Role: account.RoleAdmin, DisabledAt: 1000}
			if err := s.db.People().CreateAccount(s.t.Context(), gone, nil); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) { stranger(t, before) })
	}
}

func stranger(t *testing.T, before func(*service)) {
	s := newService(t, withRealPages)
	before(s)
	player := club.Player{ID: "p1", Name: "Ada L.", Version: 1}
	var claim string
	claim, player.ClaimHash = auth.NewClaimCode()
	if err := s.db.People().CreatePlayer(t.Context(), player); err != nil {
		t.Fatal(err)
	}
	accounts := func() int {
		n, err := s.db.People().CountAccounts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	had := accounts()
	invitation, hash := auth.NewSecret(account.Invitation)
	invited := account.Credential{ID: "i", Kind: account.Invitation, Hash: hash, Role: account.RoleOrganiser, Uses: 5}
	if err := s.db.People().AddCredential(t.Context(), invited); err != nil {
		t.Fatal(err)
	}
	s.anonymous().post("/accounts", map[string]any{"login": "eve", "password": password}).
		refused(t, http.StatusForbidden, "not-set-up")
	s.anonymous().post("/accounts", map[string]any{"login": "eve", "password": password, "invitation": invitation}).
		refused(t, http.StatusForbidden, "not-set-up")
	for _, language := range languages() {
		in, says := inLanguage(language), textOf(t, language, "accounts.fault.not_set_up")
		s.visitor().get("/register", in).want(t, http.StatusOK).says(t, says).lacks(t, "<form class=\"sheet\"")
		for _, with := range [][]string{{"name", "Eve"}, {"claim", claim}, {"name", "Eve", "invitation", invitation}} {
			form := append([]string{"login", "eve", "password", password}, with...)
			a := s.visitor().send(s.form("/register", form...), []header{in}).want(t, http.StatusForbidden)
			if !strings.Contains(html.UnescapeString(alertIn(a.raw)), says) {
				t.Errorf("%v says %q", with, alertIn(a.raw))
			}
		}
	}
	if n := accounts(); n != had {
		t.Fatalf("%d accounts, there were %d", n, had)
	}
	code, err := s.guard.SetupCode(t.Context())
	if err != nil || code == "" {
		t.Fatalf("the code of the set-up: %q, %v", code, err)
	}
	s.visitor().get("/setup").want(t, http.StatusOK)
	form := append([]string{"code", code}, setupForm...)
	if had > 0 { // existing accounts go on
		s.visitor().get("/login").want(t, http.StatusOK)
		s.visits("ada").get("/setup").want(t, http.StatusOK)
		taken := slices.Clone(form)
		for i := range taken {
			if taken[i] == "Olga" {
				taken[i] = "ada"
			}
		}
		s.visitor().post("/setup", taken...).alert(t, http.StatusConflict, "taken")
	}
	s.visitor().post("/setup", form...).to(t, "/admin/address?said=set_up")
	s.visitor().get("/setup").want(t, http.StatusNotFound)
	s.anonymous().post("/accounts", map[string]any{"login": "eve", "password": password}).want(t, http.StatusCreated)
}
