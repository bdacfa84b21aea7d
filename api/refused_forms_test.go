package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestRefusedFormIsExplainedByAPage logs in through a proxy that does not pass Host on: where the server knows its
// public address that works, and else a page explains what to do, in the visitor's language. The API answers in JSON as
// ever.
func TestRefusedFormIsExplainedByAPage(t *testing.T) {
	post := func(s *apitest.Service, path string, headers ...apitest.Header) *apitest.Answer {
		t.Helper()
		form := url.Values{"login": {"ada"}, "password": {apitest.Password}}.Encode()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(form))
		r.Host = "127.0.0.1:8080"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "https://club.example")
		for _, h := range headers {
			r.Header.Set(h[0], h[1])
		}
		return s.Serve(r)
	}
	page := apitest.Header{"Accept", "text/html,application/xhtml+xml"}

	s := apitest.New(t, apitest.WithPages)
	s.Register("ada")
	post(s, "/login", page).Want(t, http.StatusForbidden).
		Has(t, "<h1>The form was not carried out</h1>", "https://club.example", "127.0.0.1:8080", "--public-url",
			`role="alert"`).
		Lacks(t, `"type":"/problems/`)
	post(s, "/login", page, apitest.Header{"Accept-Language", "de-AT"}).Want(t, http.StatusForbidden).
		Says(t, apitest.TextOf(t, apitest.German(), "refused.title"))
	post(s, "/login").Refused(t, http.StatusForbidden, "cross-origin")
	post(s, "/login", page, apitest.Header{"Origin", "https://<script>" + strings.Repeat("x", 5000)}).
		Want(t, http.StatusForbidden).
		Lacks(t, "<script>x", strings.Repeat("x", 200))
	post(s, "/api/v1/sessions", page).Refused(t, http.StatusForbidden, "cross-origin")

	s = apitest.New(t, apitest.WithPages, func(c *apitest.Config) {
		real := c.Edit
		c.Edit = func(d *api.Config) {
			if real != nil {
				real(d)
			}
			d.Rest.Address = "https://club.example"
		}
	})
	s.Register("ada")
	if a := post(s, "/login", page).Want(t, http.StatusSeeOther); a.Header.Get("Set-Cookie") == "" {
		t.Error("logging in behind a proxy sets no cookie")
	}
	post(s, "/login", page, apitest.Header{"Origin", "https://club.example.evil.example"}).Want(t, http.StatusForbidden)
}

// TestFaultsAreInTheOrderOfTheForm: a form that is sent again with the same faults gets the same answer, in the order of
// its fields.
func TestFaultsAreInTheOrderOfTheForm(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	form := url.Values{
		"name": {"Ladder"}, "variant": {"quixo/duel"}, "control": {"300+3"}, "venue": {"hall"},
		"key":   {"0198c5a0-0000-4000-8000-000000000001"},
		"reach": {"wide"}, "accept": {"soon"}, "play": {"later"}, "again": {"never"},
	}
	for range 20 {
		page := olga.PostForm("/ladders/new", form).Want(t, http.StatusUnprocessableEntity).Page()
		_, alert, _ := strings.Cut(page, `role="alert"`)
		at := 0
		for _, word := range []string{"wide", "soon", "later", "never"} {
			next := strings.Index(alert[at:], `"`+word+`" is not a number`)
			if next < 0 {
				t.Fatalf("%q is not after those before it: %s", word, alert[:min(len(alert), 800)])
			}
			at += next
		}
	}
}
