package accounts_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/auth"
)

func TestLogin(t *testing.T) {
	f := apitest.NewFixture(t, func(c *apitest.Config) { c.Auth.Limits = auth.DefaultLimits() })
	f.Register("ada")
	for _, test := range []struct {
		login, password, next string
		status                int
		says, to              string
	}{
		{"ada", apitest.Password, "/games?status=running", 303, "", "/games?status=running"},
		{"ada", apitest.Password, "https://evil.example/", 303, "", "/"},
		{"ada", apitest.Password, "//evil.example/", 303, "", "/"},
		{"ada", apitest.Password, "/%5cevil.example", 303, "", "/%5cevil.example"},
		{"ada", apitest.Password, `/\evil.example`, 303, "", "/"},
		{"ada", apitest.Password, "/games\x00", 303, "", "/"},
		{"<i>", "wrong", "", 401, "The login or the password is wrong", ""},
		{"ada\x00", apitest.Password, "", 400, "", ""}, // an invalid login is not looked up
		{"ada\n", apitest.Password, "", 400, "", ""},
		{"ada\u202e", apitest.Password, "", 400, "", ""},
		{"ada\xff", apitest.Password, "", 400, "", ""},
	} {
		answer := f.Post("/login", "", url.Values{
			"login": {test.login}, "password": {test.password}, "next": {test.next},
		}).Want(t, test.status).Has(t, test.says).Lacks(t, "<i>")
		if to := answer.Header.Get("Location"); to != test.to {
			t.Errorf("%+v: to %q", test, to)
		}
		if (answer.Header.Get("Set-Cookie") != "") != (test.status == 303) {
			t.Errorf("%+v: cookie %q", test, answer.Header.Get("Set-Cookie"))
		}
	}
	for attempts := 1; f.Post("/login", "", url.Values{"login": {"eve"}, "password": {"guess"}}).
		Status == 401; attempts++ {
		if attempts > 30 {
			t.Fatal("guessing is not limited")
		}
	}
	f.Post("/login", "", url.Values{"login": {"eve"}, "password": {"guess"}}).Alert(t, 429, "Too many attempts")
	out := f.LoggedIn("ada").Post("/logout").Want(t, http.StatusSeeOther)
	if !strings.Contains(out.Header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("logging out: %v", out.Header)
	}
	f.Get("/", "p1").Has(t, "Log out")
	f.Get("/", "").Lacks(t, "Log out")
}
