package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quatuor/api"
	"quatuor/tournament/account"
)

// TestRefusedFormIsExplainedByAPage logs in through a proxy that does not pass Host on: where the server knows its
// public address that works, and else a page explains what to do, in the visitor's language. The API answers in JSON as
// ever.
func TestRefusedFormIsExplainedByAPage(t *testing.T) {
	post := func(s *service, path string, headers ...header) *answer {
		t.Helper()
		form := url.Values{"login": {"ada"}, "password": {password}}.Encode()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(form))
		r.Host = "127.0.0.1:8080"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "https://club.example")
		for _, h := range headers {
			r.Header.Set(h.name, h.value)
		}
		return s.serve(r)
	}
	page := header{"Accept", "text/html,application/xhtml+xml"}

	s := newService(t, withRealPages)
	s.register("ada")
	post(s, "/login", page).want(t, http.StatusForbidden).
		has(t, "<h1>The form was not carried out</h1>", "https://club.example", "127.0.0.1:8080", "--public-url",
			`role="alert"`).
		lacks(t, `"type":"/problems/`)
	post(s, "/login", page, header{"Accept-Language", "de-AT"}).want(t, http.StatusForbidden).
		says(t, textOf(t, german(), "refused.title"))
	post(s, "/login").refused(t, http.StatusForbidden, "cross-origin")
	post(s, "/login", page, header{"Origin", "https://<script>" + strings.Repeat("x", 5000)}).
		want(t, http.StatusForbidden).
		lacks(t, "<script>x", strings.Repeat("x", 200))
	post(s, "/api/v1/sessions", page).refused(t, http.StatusForbidden, "cross-origin")

	s = newService(t, withRealPages, func(c *configuration) {
		real := c.edit
		c.edit = func(d *api.Config) {
			if real != nil {
				real(d)
			}
			d.Rest.Address = "https://club.example"
		}
	})
	s.register("ada")
	if a := post(s, "/login", page).want(t, http.StatusSeeOther); a.header.Get("Set-Cookie") == "" {
		t.Error("logging in behind a proxy sets no cookie")
	}
	post(s, "/login", page, header{"Origin", "https://club.example.evil.example"}).want(t, http.StatusForbidden)
}

// TestFaultsAreInTheOrderOfTheForm: a form that is sent again with the same faults gets the same answer, in the order of
// its fields.
func TestFaultsAreInTheOrderOfTheForm(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	form := url.Values{
		"name": {"Ladder"}, "variant": {"quixo/duel"}, "control": {"300+3"}, "venue": {"hall"},
		"key":   {"0198c5a0-0000-4000-8000-000000000001"},
		"reach": {"wide"}, "accept": {"soon"}, "play": {"later"}, "again": {"never"},
	}
	for range 20 {
		page := olga.form("/ladders/new", form).want(t, http.StatusUnprocessableEntity).page()
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
