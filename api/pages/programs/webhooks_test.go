package programs_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/api/hooks"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
)

// verify checks a signature as a receiver does (Standard Webhooks).
func verify(t *testing.T, secret string, got apitest.Received) bool {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("a secret is %q: %v", secret, err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", got.ID, got.Timestamp, got.Body)
	return slices.Contains(strings.Fields(got.Signatures), "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// TestWebhooksTellOfATournament plays a tournament and reads what is sent of it, in its order.
func TestWebhooksTellOfATournament(t *testing.T) {
	r := apitest.NewReceiver(t)
	s := apitest.New(t, r.Hooks, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	cup := olga.Post("/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300+3", "venue": "hall",
		"pairing": map[string]any{"initial_colour": "white"},
	}).Want(t, http.StatusCreated).Text("id")
	at := "/tournaments/" + cup
	olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	id, secret := olga.Webhook("hooks.example.org", cup, apitest.AllNews...)
	olga.Webhook("all.example.org", "", "tournament.finished")
	for _, name := range []string{"Ada <b>", "Bob"} {
		olga.Post(at+"/entries", map[string]any{"name": name}).Want(t, http.StatusCreated)
	}
	first := r.Next()
	if first.Kind != "entry.changed" || !verify(t, secret, first) || !bytes.Contains(first.Body, []byte(cup)) {
		t.Errorf("%s %s", first.Body, first.Signatures)
	}
	forged := first
	forged.Body = append(slices.Clone(first.Body), ' ')
	if verify(t, secret, forged) {
		t.Error("the signature is not of the body")
	}
	r.Next()
	olga.Post(at+"/start", nil).Want(t, http.StatusOK)
	olga.Post(at+"/rounds", `{"publish":false}`).Want(t, http.StatusCreated)
	olga.Post(at+"/rounds/1/publish", nil).Want(t, http.StatusOK)
	if round := r.Next(); round.Kind != "round.published" || !bytes.Contains(round.Body, []byte("Ada")) {
		t.Errorf("%s", round.Body)
	}
	code := apitest.CodesOf(t, olga.Get(at+"/rounds/1/codes"))[0][0]
	s.Anonymous().Post("/results/"+code+"/call", `{"word":"he cheats"}`).Want(t, http.StatusNoContent)
	if call := r.Next(); call.Kind != "call.made" || bytes.Contains(call.Body, []byte("cheats")) {
		t.Errorf("%s", call.Body)
	}
	olga.Send(http.MethodPut, at+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	if got := r.Kinds(2); !slices.Equal(got, []string{"result.changed", "standings.changed"}) {
		t.Errorf("after a result: %v", got)
	}
	rotated := olga.Post("/webhooks/"+id+"/secret", nil).Want(t, http.StatusOK).Text("secret")
	olga.Post(at+"/finish", nil).Want(t, http.StatusOK)
	ended := map[string]apitest.Received{}
	for range 2 {
		got := r.Next()
		ended[got.Host] = got
	}
	last := ended["hooks.example.org"]
	if last.Kind != "tournament.finished" || ended["all.example.org"].Kind != "tournament.finished" {
		t.Errorf("%v", ended)
	}
	if !verify(t, rotated, last) || !verify(t, secret, last) {
		t.Errorf("both secrets sign for a day: %s", last.Signatures)
	}
	s.Pass(25 * time.Hour)
	olga = olga.Again()
	olga.Post("/webhooks/"+id+"/test", nil).Want(t, http.StatusAccepted)
	if probe := r.Next(); probe.Kind != "webhook.test" || !verify(t, rotated, probe) || verify(t, secret, probe) {
		t.Errorf("%s %s", probe.Body, probe.Signatures)
	}

	// The secret is never shown again, and the webhook is its owner's alone.
	for _, path := range []string{"/webhooks", "/webhooks/" + id, "/webhooks/" + id + "/deliveries"} {
		olga.Get(path).Want(t, http.StatusOK).Lacks(t, rotated[6:], secret[6:])
	}
	cookie := apitest.Header{"Authorization", "Bearer " + olga.Token}
	for _, path := range []string{"//me/webhooks", "//me/webhooks/" + id, "//me/tokens"} {
		s.Anonymous().Get(path, cookie, apitest.Header{"Accept", "text/html"}).Want(t, http.StatusOK).
			Lacks(t, rotated[6:], secret[6:])
	}
	otto := s.WithRole("otto", account.RoleOrganiser)
	otto.Get("/webhooks/"+id).Refused(t, http.StatusNotFound, "not-found")
	otto.Post("/webhooks", map[string]any{
		"name": "x", "url": "https://x.example.org", "kinds": []string{"call.made"}, "tournament_id": cup,
	}).Refused(t, http.StatusForbidden, "forbidden")

	sent := olga.Get("/webhooks/" + id + "/deliveries").List("items")
	again := olga.Post("/webhooks/"+id+"/deliveries/"+fmt.Sprint(sent[0].(map[string]any)["id"])+"/redeliver", nil).
		Want(t, http.StatusAccepted)
	if got := r.Next(); got.ID != again.Text("webhook_id") {
		t.Errorf("sent again as %s, not %s", got.ID, again.Text("webhook_id"))
	}
	olga.Send(http.MethodDelete, "/webhooks/"+id, nil).Want(t, http.StatusNoContent)
	olga.Get("/webhooks/"+id).Refused(t, http.StatusNotFound, "not-found")
}

// TestAskedDeliveriesAreLimited: tests and repetitions are limited by account and minute, whatever its webhooks and at
// whichever door; requests for foreign deliveries do not count.
func TestAskedDeliveriesAreLimited(t *testing.T) {
	r := apitest.NewReceiver(t)
	s := apitest.New(t, apitest.WithPages, r.Hooks)
	olga, otto := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	first, _ := olga.Webhook("a.example.org", "", "result.changed")
	second, _ := olga.Webhook("b.example.org", "", "result.changed")
	others, _ := otto.Webhook("c.example.org", "", "result.changed")
	for range 10 {
		olga.Post("/webhooks/"+others+"/test", nil).Refused(t, http.StatusNotFound, "not-found")
	}
	test := olga.Post("/webhooks/"+first+"/test", nil).Want(t, http.StatusAccepted).Text("id")
	again := "/webhooks/" + first + "/deliveries/" + test + "/redeliver"
	r.Next()
	waitFor(t, "the note", func() bool {
		return strings.Contains(string(olga.Get("/webhooks/"+first+"/deliveries").Raw), `"state":"sent"`)
	})
	for _, path := range []string{"/webhooks/" + second + "/test", again, "/webhooks/" + first + "/test", again, "/webhooks/" + second + "/test"} {
		olga.Post(path, nil).Want(t, http.StatusAccepted)
	}
	desk := s.LoggedIn("olga")
	for _, a := range []*apitest.Answer{
		olga.Post("/webhooks/"+first+"/test", nil).Refused(t, http.StatusTooManyRequests, "too-many-requests"),
		olga.Post(again, nil).Refused(t, http.StatusTooManyRequests, "too-many-requests"),
		desk.Post("/me/webhooks/"+second+"/test").Want(t, http.StatusTooManyRequests),
		desk.Post("/me"+strings.Replace(again, "/redeliver", "/again", 1)).Want(t, http.StatusTooManyRequests),
	} {
		if wait := a.Header.Get("Retry-After"); wait == "" || wait == "0" {
			t.Errorf("%s: Retry-After is %q", a.Request, wait)
		}
	}
	otto.Post("/webhooks/"+others+"/test", nil).Want(t, http.StatusAccepted)
	s.Pass(10 * time.Second)
	olga.Post("/webhooks/"+first+"/test", nil).Want(t, http.StatusAccepted)
	olga.Post("/webhooks/"+first+"/test", nil).Refused(t, http.StatusTooManyRequests, "too-many-requests")
}

// TestPortsOfWebhooks: an address with a port that no server has is refused at both doors, with the reason.
func TestPortsOfWebhooks(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	desk := s.LoggedIn("olga")
	for _, port := range []string{":0", ":65536", ":99999", ":"} {
		address := "https://hooks.example.org" + port + "/in"
		olga.Post("/webhooks", map[string]any{"name": "x", "url": address, "kinds": []string{"call.made"}}).
			Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "the port must be a number from 1 to 65535")
		desk.Post("/me/webhooks", "name", "x", "url", address, "kinds", "call.made", "format", "standard").
			Want(t, http.StatusUnprocessableEntity).Has(t, "A port in it is from 1 to 65535")
	}
	olga.Post("/webhooks", map[string]any{
		"name": "x", "url": "https://hooks.example.org:65535/",
		"kinds": []string{"call.made"},
	}).
		Want(t, http.StatusCreated)
}

// changing is a store with a hook between the reading of a webhook and that of its news.
type changing struct {
	hooks.Store
	between func()
}

func (c *changing) Next(ctx context.Context, hookID string) (hook.Delivery, error) {
	c.between()
	return c.Store.Next(ctx, hookID)
}

// TestASecretIsChangedWhileItIsSentTo: what is sent after that is signed with both.
func TestASecretIsChangedWhileItIsSentTo(t *testing.T) {
	r := apitest.NewReceiver(t)
	begun, changed := make(chan struct{}), make(chan struct{})
	s := apitest.NewScene(t, r.Hooks, func(c *apitest.Config) {
		inner := c.Hooks
		c.Hooks = func(h *hooks.Config) {
			inner(h)
			h.Store = &changing{Store: h.Store, between: sync.OnceFunc(func() { close(begun); <-changed })}
		}
	})
	id := hall(t, s)
	hookID, secret := s.Olga.Webhook("hooks.example.org", id, "result.changed")
	result := func(score string) {
		s.Olga.Send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"`+score+`"}`,
			apitest.AnyVersion).
			Want(t, http.StatusOK)
	}
	result("1-0")
	<-begun
	rotated := s.Olga.Post("/webhooks/"+hookID+"/secret", nil).Want(t, http.StatusOK).Text("secret")
	close(changed)
	if got := r.Next(); !verify(t, rotated, got) || !verify(t, secret, got) {
		t.Errorf("signed as before it was changed: %s", got.Signatures)
	}
}

// forgetful is a store that loses the note of a delivery that has arrived, as a crash does.
type forgetful struct {
	hooks.Store
	mu   sync.Mutex
	lost int
}

func (f *forgetful) RecordAttempt(ctx context.Context, d hook.Delivery, after hook.Hook) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost == 0 {
		f.lost++
		return errors.New("the power is out")
	}
	return f.Store.RecordAttempt(ctx, d, after)
}

// TestARepetitionHasTheSameID, so that its receiver knows it.
func TestARepetitionHasTheSameID(t *testing.T) {
	r := apitest.NewReceiver(t)
	s := apitest.NewScene(t, r.Hooks, func(c *apitest.Config) {
		inner := c.Hooks
		c.Hooks = func(h *hooks.Config) {
			inner(h)
			h.Store = &forgetful{Store: h.Store}
		}
	})
	id := hall(t, s)
	s.Olga.Webhook("hooks.example.org", id, "result.changed")
	s.Olga.Send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	if one, two := r.Next(), r.Next(); one.ID != two.ID || !bytes.Equal(one.Body, two.Body) {
		t.Errorf("%s and %s", one.ID, two.ID)
	}
}

// TestChatsGetText: names in it are nothing but text.
func TestChatsGetText(t *testing.T) {
	r := apitest.NewReceiver(t)
	s := apitest.NewScene(t, r.Hooks)
	at := "/tournaments/" + s.Olga.Post("/tournaments", map[string]any{
		"name": "Cup & Co", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300",
	}).Want(t, http.StatusCreated).Text("id")
	s.Olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	for _, format := range []string{"slack", "discord", "matrix"} {
		s.Olga.Post("/webhooks", map[string]any{
			"name": "x", "url": "https://" + format + ".example.org", "kinds": []string{"entry.changed"}, "format": format,
		}).Want(t, http.StatusCreated)
	}
	s.Olga.Post(at+"/entries", `{"name":"<!everyone> @here *A*"}`).Want(t, http.StatusCreated)
	for range 3 {
		got := r.Next()
		var document map[string]any
		if err := json.Unmarshal(got.Body, &document); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(document["text"], document["content"])
		want := map[string]string{
			"slack.example.org": "Cup &amp; Co: entry of &lt;!everyone&gt; @here *A*", "matrix.example.org": "Cup & Co: entry of <!everyone>",
			"discord.example.org": `\<!everyone> @here \*A\*`,
		}[got.Host]
		if !strings.Contains(text, want) {
			t.Errorf("%s: %s", got.Host, got.Body)
		}
		if got.Host == "discord.example.org" && !bytes.Contains(got.Body, []byte(`"allowed_mentions":{"parse":[]}`)) {
			t.Errorf("%s", got.Body)
		}
	}
}
