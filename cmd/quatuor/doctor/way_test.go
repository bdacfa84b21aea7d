package doctor

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestSecurityContact: a service that people reach by https should publish a contact for reports of weaknesses; in a
// local network it need not.
func TestSecurityContact(t *testing.T) {
	published := true
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/security.txt") && !published {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, `{"status":"ready","version":"v1"}`)
	})
	local, world := httptest.NewServer(service), httptest.NewTLSServer(service)
	defer local.Close()
	defer world.Close()
	for _, tt := range []struct {
		base      string
		published bool
		want      Verdict // "" without a finding
	}{{world.URL, true, OK}, {world.URL, false, Look}, {"", false, ""}} {
		published = tt.published
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
