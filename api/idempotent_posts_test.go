package api_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// smallest returns a value that a schema takes: required members alone, the first of its choices, its least numbers.
func smallest(s *openapi3.Schema) any {
	switch {
	case s.Example != nil:
		return s.Example
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.AllOf) > 0:
		return smallest(s.AllOf[0].Value)
	case len(s.OneOf) > 0:
		return smallest(s.OneOf[0].Value)
	case s.Type.Is("object"):
		value := map[string]any{}
		for _, name := range s.Required {
			value[name] = smallest(s.Properties[name].Value)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if len(value) < int(s.MinProps) {
				value[name] = smallest(s.Properties[name].Value)
			}
		}
		return value
	case s.Type.Is("array"):
		value := []any{}
		for range s.MinItems {
			value = append(value, smallest(s.Items.Value))
		}
		return value
	case s.Type.Is("integer"), s.Type.Is("number"):
		if s.Min != nil {
			return *s.Min
		}
		return 1
	case s.Type.Is("boolean"):
		return true
	}
	return strings.Repeat("a", max(1, int(s.MinLength)))
}

// usedKeys reports every key as used for another request.
type usedKeys struct {
	replies
	asked int
}

func (k *usedKeys) BeginReply(context.Context, account.Request) (account.Reply, account.ReplyState, error) {
	k.asked++
	return account.Reply{}, account.ReplyOther, nil
}

// TestEveryPostHonoursItsKey walks the POSTs of the contract: each takes an Idempotency-Key and looks up what was
// answered under it, or has the reason why it takes none. The contract marks answers with a secret.
func TestEveryPostHonoursItsKey(t *testing.T) {
	used := &usedKeys{}
	s := apitest.New(t, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) { used.replies = d.Replies; d.Replies = used }
	})
	root := s.WithRole("root", account.RoleAdmin)
	for path, item := range apitest.Contract().Paths.Map() {
		op := item.Post
		if op == nil {
			continue
		}
		why, _ := op.Extensions["x-no-idempotency-key"].(string)
		declared := false
		for _, p := range op.Parameters {
			declared = declared || p.Ref == "#/components/parameters/IdempotencyKey"
		}
		if secret := op.Extensions["x-answers-secret"] == true; secret != (declared && handsOut(op)) {
			t.Errorf("POST %s: x-answers-secret is %t", path, secret)
		}
		if !declared {
			if len(why) < 20 {
				t.Errorf("POST %s takes no Idempotency-Key and does not say why", path)
			}
			continue
		}
		body, headers := any(nil), []apitest.Header{apitest.Key("my-key")}
		if op.RequestBody != nil {
			if media := op.RequestBody.Value.Content["application/json"]; media != nil {
				body = smallest(media.Schema.Value)
			} else {
				for kind := range op.RequestBody.Value.Content {
					body, headers = "a table", append(headers, apitest.Header{"Content-Type", kind})
				}
			}
		}
		before := used.asked
		root.Post(strings.NewReplacer("{code}", "aaaaaaaaaaaaaaaa", "{mark_id}", "nothing", "{webhook_id}", "nothing",
			"{delivery_id}", "nothing", "{ladder_id}", "none", "{league_id}", "none", "{season}", "1", "{challenge_id}", "none").Replace(address(item, path)),
			body, headers...).
			Refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
		if used.asked != before+1 {
			t.Errorf("POST %s does not look its key up", path)
		}
	}
	if used.asked < 50 {
		t.Errorf("only %d POSTs were sent", used.asked)
	}
}

// handsOut reports whether the answers of an operation have a member that is a secret.
func handsOut(op *openapi3.Operation) bool {
	for status, answer := range op.Responses.Map() {
		media := answer.Value.Content["application/json"]
		if status[0] != '2' || media == nil {
			continue
		}
		members := media.Schema.Value.Properties
		if items := members["items"]; items != nil {
			members = items.Value.Items.Value.Properties
		}
		for _, name := range []string{"token", "code", "codes", "access_token", "secret"} {
			// The code of a private game is shown to its players at any time, and is a part of the game.
			if members[name] != nil && members["variant"] == nil {
				return true
			}
		}
	}
	return false
}

// TestARepeatedPostHasOneEffect repeats requests, from their senders and from others, with other bodies, and all at
// once.
func TestARepeatedPostHasOneEffect(t *testing.T) {
	s := apitest.New(t)
	olga, path, codes := apitest.HallEvent(t, s)
	root, ada := s.WithRole("root", account.RoleAdmin), s.Register("ada")
	player := olga.Post("/players", `{"name":"Cleo"}`).Want(t, http.StatusCreated).Text("id")
	tokens := func(p apitest.Person) int { return len(p.Get("/me/tokens").Want(t, http.StatusOK).List("items")) }
	said := apitest.Report(t, s.Anonymous(), codes[0][0], 1, "1-0")
	for i, c := range []struct {
		who         apitest.Person
		path        string
		body, other string
	}{
		{ada, "/me/tokens", `{"name":"x","scopes":["read"]}`, `{"name":"y","scopes":["read"]}`},
		{olga, "/invitations", `{}`, `{"days":3}`},
		{olga, "/players/" + player + "/claim-code", "", ""},
		{root, "/accounts/" + ada.Account + "/password-reset", "", ""},
		{olga, path + "/rounds/1/codes", `{"board":2,"revoke":false}`, `{"revoke":false}`},
		{s.Anonymous(), "/results/" + codes[0][0], `{"result":"1-0","saw":"` + said["saw"].(string) + `"}`, `{"result":"0-1","saw":"x"}`},
		{s.Anonymous(), "/results/" + codes[0][0] + "/call", `{"word":"my clock"}`, `{"word":"again"}`},
	} {
		body := any(nil)
		if c.body != "" {
			body = c.body
		}
		once := apitest.Key(fmt.Sprint("once-", i))
		first := c.who.Post(c.path, body, once)
		again := c.who.Post(c.path, body, once).Want(t, first.Status)
		if first.Status >= http.StatusBadRequest ||
			!bytes.Equal(first.Raw, again.Raw) || again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s: %d %s\nthen %s", c.path, first.Status, first.Raw, again.Raw)
		}
		if c.other != "" {
			c.who.Post(c.path, c.other, once).Refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
		}
	}
	if calls := olga.Get(path + "/calls").List("items"); len(calls) != 1 {
		t.Errorf("%d calls", len(calls))
	}
	bob := s.Register("bob")
	bob.Post("/me/tokens", `{"name":"x","scopes":["read"]}`, apitest.Key("once-0")).Want(t, http.StatusCreated)
	if tokens(ada) != 1 || tokens(bob) != 1 {
		t.Errorf("%d and %d tokens", tokens(ada), tokens(bob))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			a := bob.Post("/me/tokens", `{"name":"z","scopes":["read"]}`, apitest.Key("at-once"))
			if a.Status != http.StatusCreated && a.Status != http.StatusConflict {
				t.Errorf("answered %d: %s", a.Status, a.Raw)
			}
		})
	}
	all.Wait()
	if tokens(bob) != 2 {
		t.Errorf("%d tokens after eight requests with one key", tokens(bob))
	}
}

// TestATokenDoesNotGetASessionsSecret repeats a session's request with an API token of the same account.
func TestATokenDoesNotGetASessionsSecret(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	body := `{"name":"all","scopes":["read","play"]}`
	made := ada.Post("/me/tokens", body, apitest.Key("k")).Want(t, http.StatusCreated)
	ada.TokenFor("read").Post("/me/tokens", body, apitest.Key("k")).Refused(t, http.StatusForbidden, "session-needed").
		Lacks(t, made.Text("token"))
	ada.Again().Post("/me/tokens", body, apitest.Key("k")).Want(t, http.StatusCreated).
		Has(t, fmt.Sprintf("%q", made.Text("token")))
}
