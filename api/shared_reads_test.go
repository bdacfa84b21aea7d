package api_test

import (
	"net/http"
	"testing"

	"quatuor/api/apitest"
)

// TestOtherSitesMayReadWhatIsPublic: without credentials, or what a token shows; nothing with a cookie.
func TestOtherSitesMayReadWhatIsPublic(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	const allowed = "Access-Control-Allow-Origin"
	for _, path := range []string{"/tournaments", "/players", "/games/nothing"} {
		if got := s.Anonymous().Get(path).Header.Get(allowed); got != "*" {
			t.Errorf("%s without credentials: %q", path, got)
		}
		if got := ada.Get(path).Header.Get(allowed); got != "*" { // no browser adds a token by itself
			t.Errorf("%s with a token: %q", path, got)
		}
		if got := ada.Get(path, apitest.Header{"Cookie", "quatuor=stale"}).Header.Get(allowed); got != "" {
			t.Errorf("%s with a token and a cookie: %q", path, got)
		}
		answer := s.Anonymous().Get(path, apitest.Header{"Cookie", "quatuor=stale"})
		if got := answer.Header.Get(allowed); got != "" {
			t.Errorf("%s with a cookie: %q", path, got)
		}
		if got := answer.Header.Get("Access-Control-Allow-Credentials"); got != "" {
			t.Errorf("%s allows credentials", path)
		}
	}
	if got := s.Anonymous().Post("/sessions", map[string]any{"login": "ada", "password": "x"}).
		Header.Get(allowed); got != "" {
		t.Errorf("a POST: %q", got)
	}
	if answer := s.Anonymous().Get("/me").Want(t,
		http.StatusUnauthorized); answer.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("credentials are allowed")
	}
}
