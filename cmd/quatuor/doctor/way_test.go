package doctor

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestSecurityContact: a service that people reach by https should say where to report weaknesses; in a local network
// nobody asks.
func TestSecurityContact(t *testing.T) {
	said := true
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/security.txt") && !said {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, `{"status":"ready","version":"v1"}`)
	})
	local, world := httptest.NewServer(service), httptest.NewTLSServer(service)
	defer local.Close()
	defer world.Close()
	for _, tt := range []struct {
		base string
		said bool
		want Verdict // "" without a finding
	}{{world.URL, true, OK}, {world.URL, false, Look}, {"", false, ""}} {
		said = tt.said
		way := Way{
			Running: true, Listen: strings.TrimPrefix(local.URL, "http://"), Base: tt.base, Client: world.Client(),
		}
		var got Verdict
		for _, f := range way.Examine(t.Context()) {
			if f.Check == "security" {
				got = f.Verdict
			}
		}
		if got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
