package app

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestAProxyThatIsNotTrusted is a finding for admins, unlike a trusted proxy or a visitor.
func TestAProxyThatIsNotTrusted(t *testing.T) {
	a, err := New(t.Context(), Config{
		Storage: newData(t), Logger: slog.New(slog.DiscardHandler), TrustedProxies: []string{"10.0.0.0/8"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	handler := a.proxy.before(a.trusted, http.NotFoundHandler())
	for _, one := range []struct{ from, client, want string }{
		{"192.0.2.1:5", "", "ok"}, {"10.0.0.1:5", "192.0.2.7", "ok"}, {"[fd00::1]:5", "192.0.2.7", "broken"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = one.from
		if one.client != "" {
			r.Header.Set("X-Forwarded-For", one.client)
		}
		handler.ServeHTTP(httptest.NewRecorder(), r)
		found := a.Findings(t.Context())
		if last := found[len(found)-1]; last.Check != "proxy" || last.Verdict != one.want {
			t.Errorf("after a request from %s: %+v, want %s", one.from, last, one.want)
		}
	}
}
