package api_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api/hooks"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
)

// receiver is where webhooks lead in tests: what arrives there can be read from got.
type receiver struct {
	t   *testing.T
	got chan received

	mu     sync.Mutex
	status map[string]int           // by host; 200 if it is not there, a failing connection for 0
	block  map[string]chan struct{} // by host: answers wait until it is closed
}

type received struct {
	host, id, signatures, timestamp string
	body                            []byte
	kind                            string // of the news
}

func newReceiver(t *testing.T) *receiver {
	return &receiver{t: t, got: make(chan received, 1000), status: map[string]int{}, block: map[string]chan struct{}{}}
}

// hooks is a change of a configuration: webhooks lead to the receiver.
func (r *receiver) hooks(c *configuration) {
	c.hooks = func(h *hooks.Config) { h.Transport, h.Every = r, 5*time.Millisecond }
}

func (r *receiver) answers(host string, status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status[host] = status
}

// RoundTrip implements http.RoundTripper.
func (r *receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	status, known := r.status[request.URL.Hostname()]
	wait := r.block[request.URL.Hostname()]
	r.mu.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}
	if !known {
		status = http.StatusOK
	}
	if status == 0 {
		return nil, errors.New("connection refused")
	}
	if status == http.StatusOK {
		var document struct{ Type string }
		_ = json.Unmarshal(body, &document) // chats get other documents
		h := request.Header
		r.got <- received{
			request.URL.Hostname(), h.Get("Webhook-Id"), h.Get("Webhook-Signature"), h.Get("Webhook-Timestamp"), body, document.Type,
		}
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Location": {"https://elsewhere.example/"}}, Body: io.NopCloser(bytes.NewReader(nil)),
		Request: request,
	}, nil
}

// next returns what arrives next.
func (r *receiver) next() received {
	r.t.Helper()
	select {
	case got := <-r.got:
		return got
	case <-time.After(20 * time.Second):
		r.t.Fatal("nothing arrives at the webhook")
		return received{}
	}
}

// kinds returns the kinds of what arrives next.
func (r *receiver) kinds(n int) (all []string) {
	r.t.Helper()
	for range n {
		all = append(all, r.next().kind)
	}
	return all
}

// verify checks a signature as a receiver does (Standard Webhooks).
func verify(t *testing.T, secret string, got received) bool {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("a secret is %q: %v", secret, err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", got.id, got.timestamp, got.body)
	return slices.Contains(strings.Fields(got.signatures), "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

var allNews = []string{
	"round.published", "result.changed", "game.finished", "standings.changed", "tournament.finished", "entry.changed", "call.made",
}

// webhook makes a webhook and returns its id and secret.
func (p person) webhook(host, tournament string, kinds ...string) (id, secret string) {
	p.s.t.Helper()
	body := map[string]any{"name": host, "url": "https://" + host + "/in", "kinds": kinds}
	if tournament != "" {
		body["tournament_id"] = tournament
	}
	made := p.post("/webhooks", body).want(p.s.t, http.StatusCreated)
	return made.text("webhook", "id"), made.text("secret")
}

// TestWebhooksTellOfATournament plays a tournament and reads what is sent of it, in its order.
func TestWebhooksTellOfATournament(t *testing.T) {
	r := newReceiver(t)
	s := newService(t, r.hooks, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	cup := olga.post("/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300+3", "venue": "hall",
		"pairing": map[string]any{"initial_colour": "white"},
	}).want(t, http.StatusCreated).text("id")
	at := "/tournaments/" + cup
	olga.post(at+"/open", nil).want(t, http.StatusOK)
	id, secret := olga.webhook("hooks.example.org", cup, allNews...)
	olga.webhook("all.example.org", "", "tournament.finished")
	for _, name := range []string{"Ada <b>", "Bob"} {
		olga.post(at+"/entries", map[string]any{"name": name}).want(t, http.StatusCreated)
	}
	first := r.next()
	if first.kind != "entry.changed" || !verify(t, secret, first) || !bytes.Contains(first.body, []byte(cup)) {
		t.Errorf("%s %s", first.body, first.signatures)
	}
	forged := first
	forged.body = append(slices.Clone(first.body), ' ')
	if verify(t, secret, forged) {
		t.Error("the signature is not of the body")
	}
	r.next()
	olga.post(at+"/start", nil).want(t, http.StatusOK)
	olga.post(at+"/rounds", `{"publish":false}`).want(t, http.StatusCreated)
	olga.post(at+"/rounds/1/publish", nil).want(t, http.StatusOK)
	if round := r.next(); round.kind != "round.published" || !bytes.Contains(round.body, []byte("Ada")) {
		t.Errorf("%s", round.body)
	}
	code := codesOf(t, olga.get(at+"/rounds/1/codes"))[0][0]
	s.anonymous().post("/results/"+code+"/call", `{"word":"he cheats"}`).want(t, http.StatusNoContent)
	if call := r.next(); call.kind != "call.made" || bytes.Contains(call.body, []byte("cheats")) {
		t.Errorf("%s", call.body)
	}
	olga.send(http.MethodPut, at+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, anyTag).want(t, http.StatusOK)
	if got := r.kinds(2); !slices.Equal(got, []string{"result.changed", "standings.changed"}) {
		t.Errorf("after a result: %v", got)
	}
	rotated := olga.post("/webhooks/"+id+"/secret", nil).want(t, http.StatusOK).text("secret")
	olga.post(at+"/finish", nil).want(t, http.StatusOK)
	ended := map[string]received{}
	for range 2 {
		got := r.next()
		ended[got.host] = got
	}
	last := ended["hooks.example.org"]
	if last.kind != "tournament.finished" || ended["all.example.org"].kind != "tournament.finished" {
		t.Errorf("%v", ended)
	}
	if !verify(t, rotated, last) || !verify(t, secret, last) {
		t.Errorf("both secrets sign for a day: %s", last.signatures)
	}
	s.pass(25 * time.Hour)
	olga = olga.again()
	olga.post("/webhooks/"+id+"/test", nil).want(t, http.StatusAccepted)
	if probe := r.next(); probe.kind != "webhook.test" || !verify(t, rotated, probe) || verify(t, secret, probe) {
		t.Errorf("%s %s", probe.body, probe.signatures)
	}

	// Nobody reads a secret again, and nobody else the webhook.
	for _, path := range []string{"/webhooks", "/webhooks/" + id, "/webhooks/" + id + "/deliveries"} {
		olga.get(path).want(t, http.StatusOK).lacks(t, rotated[6:], secret[6:])
	}
	cookie := header{"Authorization", "Bearer " + olga.token}
	for _, path := range []string{"//me/webhooks", "//me/webhooks/" + id, "//me/tokens"} {
		s.anonymous().get(path, cookie, header{"Accept", "text/html"}).want(t, http.StatusOK).lacks(t, rotated[6:], secret[6:])
	}
	otto := s.withRole("otto", account.RoleOrganiser)
	otto.get("/webhooks/"+id).refused(t, http.StatusNotFound, "not-found")
	otto.post("/webhooks", map[string]any{
		"name": "x", "url": "https://x.example.org", "kinds": []string{"call.made"}, "tournament_id": cup,
	}).refused(t, http.StatusForbidden, "forbidden")

	sent := olga.get("/webhooks/" + id + "/deliveries").list("items")
	again := olga.post("/webhooks/"+id+"/deliveries/"+fmt.Sprint(sent[0].(map[string]any)["id"])+"/redeliver", nil).
		want(t, http.StatusAccepted)
	if got := r.next(); got.id != again.text("webhook_id") {
		t.Errorf("sent again as %s, not %s", got.id, again.text("webhook_id"))
	}
	olga.send(http.MethodDelete, "/webhooks/"+id, nil).want(t, http.StatusNoContent)
	olga.get("/webhooks/"+id).refused(t, http.StatusNotFound, "not-found")
}

// TestAskedDeliveriesAreLimited: an account asks for so many tests and repetitions in a minute, whatever its webhooks and
// at whichever door; what is not its own does not count.
func TestAskedDeliveriesAreLimited(t *testing.T) {
	r := newReceiver(t)
	s := newService(t, withRealPages, r.hooks)
	olga, otto := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	first, _ := olga.webhook("a.example.org", "", "result.changed")
	second, _ := olga.webhook("b.example.org", "", "result.changed")
	others, _ := otto.webhook("c.example.org", "", "result.changed")
	for range 10 {
		olga.post("/webhooks/"+others+"/test", nil).refused(t, http.StatusNotFound, "not-found")
	}
	test := olga.post("/webhooks/"+first+"/test", nil).want(t, http.StatusAccepted).text("id")
	again := "/webhooks/" + first + "/deliveries/" + test + "/redeliver"
	r.next()
	waitFor(t, "the note", func() bool {
		return strings.Contains(string(olga.get("/webhooks/"+first+"/deliveries").raw), `"state":"sent"`)
	})
	for _, path := range []string{"/webhooks/" + second + "/test", again, "/webhooks/" + first + "/test", again, "/webhooks/" + second + "/test"} {
		olga.post(path, nil).want(t, http.StatusAccepted)
	}
	desk := s.visits("olga")
	for _, a := range []*answer{
		olga.post("/webhooks/"+first+"/test", nil).refused(t, http.StatusTooManyRequests, "too-many-requests"),
		olga.post(again, nil).refused(t, http.StatusTooManyRequests, "too-many-requests"),
		desk.post("/me/webhooks/"+second+"/test").want(t, http.StatusTooManyRequests),
		desk.post("/me"+strings.Replace(again, "/redeliver", "/again", 1)).want(t, http.StatusTooManyRequests),
	} {
		if wait := a.header.Get("Retry-After"); wait == "" || wait == "0" {
			t.Errorf("%s: Retry-After is %q", a.what, wait)
		}
	}
	otto.post("/webhooks/"+others+"/test", nil).want(t, http.StatusAccepted)
	s.pass(10 * time.Second)
	olga.post("/webhooks/"+first+"/test", nil).want(t, http.StatusAccepted)
	olga.post("/webhooks/"+first+"/test", nil).refused(t, http.StatusTooManyRequests, "too-many-requests")
}

// TestPortsOfWebhooks: an address with a port that no server has is refused at both doors, with the reason.
func TestPortsOfWebhooks(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	desk := s.visits("olga")
	for _, port := range []string{":0", ":65536", ":99999", ":"} {
		address := "https://hooks.example.org" + port + "/in"
		olga.post("/webhooks", map[string]any{"name": "x", "url": address, "kinds": []string{"call.made"}}).
			refused(t, http.StatusUnprocessableEntity, "invalid").has(t, "the port must be a number from 1 to 65535")
		desk.post("/me/webhooks", "name", "x", "url", address, "kinds", "call.made", "format", "standard").
			want(t, http.StatusUnprocessableEntity).has(t, "A port in it is from 1 to 65535")
	}
	olga.post("/webhooks", map[string]any{"name": "x", "url": "https://hooks.example.org:65535/", "kinds": []string{"call.made"}}).
		want(t, http.StatusCreated)
}

// changing is a store in which something happens between the reading of a webhook and that of its news.
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
	r := newReceiver(t)
	begun, changed := make(chan struct{}), make(chan struct{})
	s := newScene(t, r.hooks, func(c *configuration) {
		inner := c.hooks
		c.hooks = func(h *hooks.Config) {
			inner(h)
			h.Store = &changing{Store: h.Store, between: sync.OnceFunc(func() { close(begun); <-changed })}
		}
	})
	id := s.hall(t)
	hookID, secret := s.olga.webhook("hooks.example.org", id, "result.changed")
	result := func(score string) {
		s.olga.send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"`+score+`"}`, anyTag).
			want(t, http.StatusOK)
	}
	result("1-0")
	<-begun
	rotated := s.olga.post("/webhooks/"+hookID+"/secret", nil).want(t, http.StatusOK).text("secret")
	close(changed)
	if got := r.next(); !verify(t, rotated, got) || !verify(t, secret, got) {
		t.Errorf("signed as before it was changed: %s", got.signatures)
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
	r := newReceiver(t)
	s := newScene(t, r.hooks, func(c *configuration) {
		inner := c.hooks
		c.hooks = func(h *hooks.Config) {
			inner(h)
			h.Store = &forgetful{Store: h.Store}
		}
	})
	id := s.hall(t)
	s.olga.webhook("hooks.example.org", id, "result.changed")
	s.olga.send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, anyTag).
		want(t, http.StatusOK)
	if one, two := r.next(), r.next(); one.id != two.id || !bytes.Equal(one.body, two.body) {
		t.Errorf("%s and %s", one.id, two.id)
	}
}

// TestChatsGetText: names in it are nothing but text.
func TestChatsGetText(t *testing.T) {
	r := newReceiver(t)
	s := newScene(t, r.hooks)
	at := "/tournaments/" + s.olga.post("/tournaments", map[string]any{
		"name": "Cup & Co", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300",
	}).want(t, http.StatusCreated).text("id")
	s.olga.post(at+"/open", nil).want(t, http.StatusOK)
	for _, format := range []string{"slack", "discord", "matrix"} {
		s.olga.post("/webhooks", map[string]any{
			"name": "x", "url": "https://" + format + ".example.org", "kinds": []string{"entry.changed"}, "format": format,
		}).want(t, http.StatusCreated)
	}
	s.olga.post(at+"/entries", `{"name":"<!everyone> @here *A*"}`).want(t, http.StatusCreated)
	for range 3 {
		got := r.next()
		var document map[string]any
		if err := json.Unmarshal(got.body, &document); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(document["text"], document["content"])
		want := map[string]string{
			"slack.example.org": "Cup &amp; Co: entry of &lt;!everyone&gt; @here *A*", "matrix.example.org": "Cup & Co: entry of <!everyone>",
			"discord.example.org": `\<!everyone> @here \*A\*`,
		}[got.host]
		if !strings.Contains(text, want) {
			t.Errorf("%s: %s", got.host, got.body)
		}
		if got.host == "discord.example.org" && !bytes.Contains(got.body, []byte(`"allowed_mentions":{"parse":[]}`)) {
			t.Errorf("%s", got.body)
		}
	}
}
