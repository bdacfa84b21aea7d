package api_test

import (
	"net/http"
	"testing"
)

// TestOtherSitesMayReadWhatIsPublic: without credentials, or what a token shows; nothing with a cookie.
func TestOtherSitesMayReadWhatIsPublic(t *testing.T) {
	s := newService(t)
	ada := s.register("ada")
	const allowed = "Access-Control-Allow-Origin"
	for _, path := range []string{"/tournaments", "/players", "/games/nothing"} {
		if got := s.anonymous().get(path).header.Get(allowed); got != "*" {
			t.Errorf("%s without credentials: %q", path, got)
		}
		if got := ada.get(path).header.Get(allowed); got != "*" { // no browser adds a token by itself
			t.Errorf("%s with a token: %q", path, got)
		}
		if got := ada.get(path, header{"Cookie", "quatuor=stale"}).header.Get(allowed); got != "" {
			t.Errorf("%s with a token and a cookie: %q", path, got)
		}
		answer := s.anonymous().get(path, header{"Cookie", "quatuor=stale"})
		if got := answer.header.Get(allowed); got != "" {
			t.Errorf("%s with a cookie: %q", path, got)
		}
		if got := answer.header.Get("Access-Control-Allow-Credentials"); got != "" {
			t.Errorf("%s allows credentials", path)
		}
	}
	if got := s.anonymous().post("/sessions", map[string]any{"login": "ada", "password": "x"}).
		header.Get(allowed); got != "" {
		t.Errorf("a POST: %q", got)
	}
	if answer := s.anonymous().get("/me").want(t,
		http.StatusUnauthorized); answer.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("credentials are allowed")
	}
}
