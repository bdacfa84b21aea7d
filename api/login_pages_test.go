package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/auth"
)

func TestLogin(t *testing.T) {
	f := newFixture(t, func(c *configuration) { c.auth.Limits = auth.DefaultLimits() })
	f.register("ada")
	for _, test := range []struct {
		login, password, next string
		status                int
		says, to              string
	}{
		{"ada", password, "/games?status=running", 303, "", "/games?status=running"},
		{"ada", password, "https://evil.example/", 303, "", "/"},
		{"ada", password, "//evil.example/", 303, "", "/"},
		{"ada", password, "/%5cevil.example", 303, "", "/%5cevil.example"},
		{"ada", password, `/\evil.example`, 303, "", "/"},
		{"ada", password, "/games\x00", 303, "", "/"},
		{"<i>", "wrong", "", 401, "The login or the password is wrong", ""},
		{"ada\x00", password, "", 400, "", ""}, // an invalid login is not looked up
		{"ada\n", password, "", 400, "", ""},
		{"ada\u202e", password, "", 400, "", ""},
		{"ada\xff", password, "", 400, "", ""},
	} {
		answer := f.post("/login", "", url.Values{
			"login": {test.login}, "password": {test.password}, "next": {test.next},
		}).want(t, test.status).has(t, test.says).lacks(t, "<i>")
		if to := answer.header.Get("Location"); to != test.to {
			t.Errorf("%+v: to %q", test, to)
		}
		if (answer.header.Get("Set-Cookie") != "") != (test.status == 303) {
			t.Errorf("%+v: cookie %q", test, answer.header.Get("Set-Cookie"))
		}
	}
	for attempts := 1; f.post("/login", "", url.Values{"login": {"eve"}, "password": {"guess"}}).status == 401; attempts++ {
		if attempts > 30 {
			t.Fatal("guessing is not limited")
		}
	}
	f.post("/login", "", url.Values{"login": {"eve"}, "password": {"guess"}}).alert(t, 429, "Too many attempts")
	out := f.visits("ada").post("/logout").want(t, http.StatusSeeOther)
	if !strings.Contains(out.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("logging out: %v", out.header)
	}
	f.get("/", "p1").has(t, "Log out")
	f.get("/", "").lacks(t, "Log out")
}
