package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/apitest"
)

// TestSecurityContact: security.txt has what RFC 9116 requires, and is believed for less than a year.
func TestSecurityContact(t *testing.T) {
	contact, err := api.NewSecurityContact(
		[]string{"security@club.example", "https://club.example/report", "tel:+49-1-2"}, "https://club.example/policy")
	if err != nil {
		t.Fatal(err)
	}
	s := apitest.New(t, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) { d.Security, d.Rest.Address = contact, "https://club.example" }
	})
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s.Clock = func() time.Time { return noon }
	const want = `Contact: mailto:security@club.example
Contact: https://club.example/report
Contact: tel:+49-1-2
Expires: 2026-08-28T00:00:00Z
Preferred-Languages: en, de, fr
Canonical: https://club.example/.well-known/security.txt
Policy: https://club.example/policy
`
	a := s.Anonymous().Get("//.well-known/security.txt").Want(t, http.StatusOK)
	if string(a.Raw) != want || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain; charset=") {
		t.Errorf("%s\n%s", a.Header.Get("Content-Type"), a.Raw)
	}
	s.Pass(24 * time.Hour)
	s.Anonymous().Get("//.well-known/security.txt").Want(t, http.StatusOK).Has(t, "2026-08-29T00:00:00Z")
}

func TestWithoutASecurityContact(t *testing.T) {
	apitest.New(t).Anonymous().Get("//.well-known/security.txt").Refused(t, http.StatusNotFound, "not-found")
	one := api.SecurityContact{Contacts: []string{"mailto:a@b.example"}}
	apitest.New(t, func(c *apitest.Config) { c.Edit = func(d *api.Config) { d.Security = one } }).
		Anonymous().Get("//.well-known/security.txt").Want(t, http.StatusOK).Lacks(t, "Canonical", "Policy")
}

// TestSecurityContactsAreURIs: what would break the file, or lead nowhere, is refused.
func TestSecurityContactsAreURIs(t *testing.T) {
	for _, bad := range []string{
		"", "club", "http://club.example", "https:", "https:///report", "mailto:", "javascript:alert(1)", "Ada <a@b.example>",
		"mailto:a@b.example\nExpires: 2099-01-01T00:00:00Z", "https://club.example/ü", "a@b.example\n", "ftp://club.example",
	} {
		if got, err := api.NewSecurityContact([]string{bad}, ""); err == nil {
			t.Errorf("%q is taken as %q", bad, got.Contacts)
		}
		if _, err := api.NewSecurityContact(nil, bad); err == nil && bad != "" {
			t.Errorf("%q is taken as a policy", bad)
		}
	}
}
