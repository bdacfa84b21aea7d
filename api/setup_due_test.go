package api_test

import (
	"html"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/auth"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// TestNoAccountBeforeTheSetUp: however accounts may be opened, an empty database and a database without admins refuse
// them before the set-up, by the API and on the pages; and nothing but the set-up makes an admin.
func TestNoAccountBeforeTheSetUp(t *testing.T) {
	for name, before := range map[string]func(*apitest.Service){
		"empty": func(*apitest.Service) {},
		"without an admin": func(s *apitest.Service) {
			s.Register("ada")
			s.WithRole("otto", account.RoleOrganiser)
			gone := account.Account{ID: "gone", Login: "gone", Role: account.RoleAdmin, DisabledAt: 1000}
			if err := s.Store.People().CreateAccount(s.T.Context(), gone, nil); err != nil {
				s.T.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) { stranger(t, before) })
	}
}

func stranger(t *testing.T, before func(*apitest.Service)) {
	s := apitest.New(t, apitest.WithPages)
	before(s)
	player := club.Player{ID: "p1", Name: "Ada L.", Version: 1}
	var claim string
	claim, player.ClaimHash = auth.NewClaimCode()
	if err := s.Store.People().CreatePlayer(t.Context(), player); err != nil {
		t.Fatal(err)
	}
	accounts := func() int {
		n, err := s.Store.People().CountAccounts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	had := accounts()
	invitation, hash := auth.NewSecret(account.Invitation)
	invited := account.Credential{ID: "i", Kind: account.Invitation, Hash: hash, Role: account.RoleOrganiser, Uses: 5}
	if err := s.Store.People().AddCredential(t.Context(), invited); err != nil {
		t.Fatal(err)
	}
	s.Anonymous().Post("/accounts", map[string]any{"login": "eve", "password": apitest.Password}).
		Refused(t, http.StatusForbidden, "not-set-up")
	s.Anonymous().Post("/accounts",
		map[string]any{"login": "eve", "password": apitest.Password, "invitation": invitation}).
		Refused(t, http.StatusForbidden, "not-set-up")
	for _, language := range apitest.Languages() {
		in, says := apitest.InLanguage(language), apitest.TextOf(t, language, "accounts.fault.not_set_up")
		s.Visitor().Get("/register", in).Want(t, http.StatusOK).Says(t, says).Lacks(t, "<form class=\"sheet\"")
		for _, with := range [][]string{{"name", "Eve"}, {"claim", claim}, {"name", "Eve", "invitation", invitation}} {
			form := append([]string{"login", "eve", "password", apitest.Password}, with...)
			a := s.Visitor().Send(s.FormRequest("/register", form...), []apitest.Header{in}).Want(t, http.StatusForbidden)
			if !strings.Contains(html.UnescapeString(apitest.AlertIn(a.Raw)), says) {
				t.Errorf("%v says %q", with, apitest.AlertIn(a.Raw))
			}
		}
	}
	if n := accounts(); n != had {
		t.Fatalf("%d accounts, there were %d", n, had)
	}
	code, err := s.Guard.SetupCode(t.Context())
	if err != nil || code == "" {
		t.Fatalf("the code of the set-up: %q, %v", code, err)
	}
	s.Visitor().Get("/setup").Want(t, http.StatusOK)
	form := append([]string{"code", code}, apitest.SetupForm...)
	if had > 0 { // existing accounts go on
		s.Visitor().Get("/login").Want(t, http.StatusOK)
		s.LoggedIn("ada").Get("/setup").Want(t, http.StatusOK)
		taken := slices.Clone(form)
		for i := range taken {
			if taken[i] == "Olga" {
				taken[i] = "ada"
			}
		}
		s.Visitor().Post("/setup", taken...).Alert(t, http.StatusConflict, "taken")
	}
	s.Visitor().Post("/setup", form...).RedirectsTo(t, "/admin/address?said=set_up")
	s.Visitor().Get("/setup").Want(t, http.StatusNotFound)
	s.Anonymous().Post("/accounts", map[string]any{"login": "eve", "password": apitest.Password}).
		Want(t, http.StatusCreated)
}
