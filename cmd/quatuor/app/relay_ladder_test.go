package app

import (
	"bufio"
	"context"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/harness"
)

// laddersElsewhere follows the page of a ladder at an instance while it is joined, renamed and deleted at another.
func laddersElsewhere(t *testing.T, dsn string) {
	ctx, cancel := context.WithTimeout(t.Context(), relayPatience)
	defer cancel()
	all := instances(t, dsn, 2, nil)
	bob := player(t, all, "bob")
	makeOrganiser(t, all, bob[0].Token)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var ladder harness.Game
	must(bob[0].Post(ctx, "/ladders", map[string]any{
		"name": "Club ladder", "variant": "quixo/duel", "time_control": "none", "venue": "hall",
	}, &ladder))
	path := "/ladders/" + ladder.ID
	_, rest, live := strings.Cut(read(t, all[1].URL()+path, bob[1].Token), `data-live="`)
	if !live {
		t.Fatal("the page of a ladder is not live")
	}
	address, _, _ := strings.Cut(rest, `"`)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		all[1].URL()+"/live?0="+url.QueryEscape(html.UnescapeString(address)), nil)
	must(err)
	answer, err := http.DefaultClient.Do(r)
	must(err)
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	until := func(text string) {
		t.Helper()
		for line := ""; !strings.Contains(line, text); {
			if line, err = lines.ReadString('\n'); err != nil {
				t.Fatalf("%q does not come: %v", text, err)
			}
		}
	}
	send := func(method, body string) {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, method, all[0].URL()+"/api/v1"+path, strings.NewReader(body))
		must(err)
		r.Header = http.Header{"Authorization": {"Bearer " + bob[0].Token}, "If-Match": {"*"}, "Content-Type": {"application/json"}}
		answer, err := http.DefaultClient.Do(r)
		must(err)
		must(answer.Body.Close())
		if answer.StatusCode >= http.StatusBadRequest {
			t.Fatal(method, path, answer.Status)
		}
	}
	must(bob[0].Post(ctx, path+"/members", map[string]any{}, nil))
	until("/players/" + bob[0].ID)
	send(http.MethodPatch, `{"name":"Evening ladder"}`)
	until("Evening ladder")
	send(http.MethodDelete, "")
	until("event: end")
}
