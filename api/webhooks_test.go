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
	"quatuor/tournament"
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

// hall starts a tournament in the hall with two boards.
func (s *scene) hall(t *testing.T) string {
	t.Helper()
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.register(login).player)
	}
	id, _ := s.prepare(t, "published", entered)
	return id
}

// TestAReceiverIsDownForAnHour: everything arrives then, once, in its order.
func TestAReceiverIsDownForAnHour(t *testing.T) {
	for name, status := range map[string]int{"no connection": 0, "errors": 500, "redirects": 302} {
		t.Run(name, func(t *testing.T) {
			r := newReceiver(t)
			s := newScene(t, r.hooks)
			id := s.hall(t)
			hookID, _ := s.olga.webhook("down.example.org", id, "result.changed")
			r.answers("down.example.org", status)
			var want []string
			for i := range 12 {
				result := []string{"1-0", "0-1", "1/2-1/2"}[i%3]
				want = append(want, result)
				s.olga.again().send(http.MethodPut, fmt.Sprintf("/tournaments/%s/rounds/1/pairings/%d/result", id, 1+i%2),
					`{"result":"`+result+`"}`, anyTag).want(t, http.StatusOK)
				s.pass(5 * time.Minute)
			}
			waitFor(t, "a failure", func() bool {
				return s.olga.again().get("/webhooks/"+hookID).text("failing_since") != ""
			})
			r.answers("down.example.org", http.StatusOK)
			s.pass(2 * time.Hour)
			var ids []string
			for i := range want {
				got := r.next()
				board := fmt.Sprintf(`"board":%d`, 1+i%2)
				if !bytes.Contains(got.body, []byte(board)) || slices.Contains(ids, got.id) {
					t.Errorf("delivery %d is %s, %s", i, got.id, got.body)
				}
				ids = append(ids, got.id)
			}
			waitFor(t, "the last note", func() bool {
				list := s.olga.again().get("/webhooks/" + hookID + "/deliveries").list("items")
				return len(list) == 12 && !slices.ContainsFunc(list, func(d any) bool { return d.(map[string]any)["state"] != "sent" })
			})
			if len(r.got) != 0 {
				t.Errorf("%d deliveries arrived twice", len(r.got))
			}
		})
	}
}

// waitFor waits until something is so.
func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestDeadWebhooksAreDisabled after three days, while others go on; their owner can enable them again.
func TestDeadWebhooksAreDisabled(t *testing.T) {
	r := newReceiver(t)
	var mu sync.Mutex
	var disabled []string
	s := newScene(t, r.hooks, func(c *configuration) {
		inner := c.hooks
		c.hooks = func(h *hooks.Config) {
			inner(h)
			h.Disabled = func(_ context.Context, one hook.Hook) error {
				mu.Lock()
				defer mu.Unlock()
				disabled = append(disabled, one.Name)
				return nil
			}
		}
	})
	id := s.hall(t)
	dead, _ := s.olga.webhook("dead.example.org", id, "result.changed")
	gone, _ := s.olga.webhook("gone.example.org", id, "result.changed")
	s.olga.webhook("alive.example.org", id, "result.changed")
	r.answers("dead.example.org", 500)
	r.answers("gone.example.org", http.StatusGone)
	for day := range 4 {
		for i := range 4 {
			s.olga.again().send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result",
				`{"result":"`+[]string{"1-0", "0-1"}[i%2]+`"}`, anyTag).want(t, http.StatusOK)
			if got := r.next(); got.host != "alive.example.org" {
				t.Errorf("day %d: %s", day, got.host)
			}
			s.pass(6*time.Hour + time.Minute)
			waitFor(t, "the attempt", func() bool {
				h := s.olga.again().get("/webhooks/" + dead)
				return h.at("disabled") == true || h.text("next_attempt_at") > s.now().UTC().Format(time.RFC3339)
			})
		}
	}
	for _, one := range []string{dead, gone} {
		h := s.olga.again().get("/webhooks/"+one).want(t, http.StatusOK)
		if h.at("disabled") != true || h.text("disabled_because") == "" {
			t.Errorf("%s", h.raw)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if slices.Sort(disabled); !slices.Equal(disabled, []string{"dead.example.org", "gone.example.org"}) {
		t.Errorf("disabled: %v", disabled)
	}
	given := s.olga.again().get("/webhooks/" + dead + "/deliveries")
	if !strings.Contains(string(given.raw), `"state":"failed"`) {
		t.Errorf("nothing was given up after a day: %s", given.raw)
	}
	r.answers("dead.example.org", http.StatusOK)
	s.olga.again().post("/webhooks/"+dead+"/enable", nil).want(t, http.StatusOK).has(t, `"disabled":false`)
	if got := r.next(); got.host != "dead.example.org" {
		t.Errorf("%v", got)
	}
}

// TestASlowReceiverHoldsUpNobody: others get their news meanwhile.
func TestASlowReceiverHoldsUpNobody(t *testing.T) {
	r := newReceiver(t)
	s := newScene(t, r.hooks)
	id := s.hall(t)
	release := make(chan struct{})
	r.block["slow.example.org"] = release
	for range 10 {
		s.olga.webhook("slow.example.org", id, "result.changed")
	}
	s.olga.webhook("quick.example.org", id, "result.changed")
	begun := time.Now()
	s.olga.send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, anyTag).
		want(t, http.StatusOK)
	if got := r.next(); got.host != "quick.example.org" {
		t.Errorf("%v", got)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	close(release)
	for range 10 {
		r.next()
	}
}

// TestManyDeadReceiversHoldUpNobody: one that works gets its news at once, although 200 others have just died.
func TestManyDeadReceiversHoldUpNobody(t *testing.T) {
	r := newReceiver(t)
	s := newScene(t, r.hooks)
	id := s.hall(t)
	release := make(chan struct{})
	defer close(release)
	for i := range 10 {
		boss := s.withRole(fmt.Sprint("boss", i), account.RoleAdmin)
		for j := range hook.Max {
			host := fmt.Sprintf("dead%d-%d.example.org", i, j)
			r.block[host] = release
			boss.webhook(host, id, "result.changed")
		}
	}
	s.olga.webhook("quick.example.org", id, "result.changed")
	s.olga.send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, anyTag).
		want(t, http.StatusOK)
	if got := r.next(); got.host != "quick.example.org" {
		t.Errorf("%v", got)
	}
}

// TestARefusedDeliveryIsPassed: after four attempts those after it are sent, and the webhook works.
func TestARefusedDeliveryIsPassed(t *testing.T) {
	r := newReceiver(t)
	s := newScene(t, r.hooks)
	id := s.hall(t)
	one, _ := s.olga.webhook("strict.example.org", id, "result.changed")
	r.answers("strict.example.org", http.StatusUnprocessableEntity)
	result := func(text string) {
		s.olga.again().send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"`+text+`"}`, anyTag).
			want(t, http.StatusOK)
	}
	result("1-0")
	for n := 1; n <= 4; n++ {
		waitFor(t, "an attempt", func() bool {
			list := s.olga.again().get("/webhooks/" + one + "/deliveries").list("items")
			return len(list) == 1 && list[0].(map[string]any)["attempts"] == float64(n)
		})
		if n < 4 {
			s.pass(3 * time.Hour)
		}
	}
	s.olga.again().get("/webhooks/"+one+"/deliveries").has(t, `"state":"failed"`)
	result("0-1")
	r.answers("strict.example.org", http.StatusOK)
	s.pass(6 * time.Hour)
	if got := r.next(); !bytes.Contains(got.body, []byte(`"0-1"`)) {
		t.Errorf("%s", got.body)
	}
}

// forgetful is a store that loses the note of a delivery that has arrived, as a crash does.
type forgetful struct {
	hooks.Store
	mu   sync.Mutex
	lost int
}

func (f *forgetful) Tried(ctx context.Context, d hook.Delivery, after hook.Hook) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost == 0 {
		f.lost++
		return errors.New("the power is out")
	}
	return f.Store.Tried(ctx, d, after)
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

// BenchmarkBesideDeadWebhooks measures moves, each with a read of its game, and results in a tournament that as many
// webhooks want, each of which has failed.
func BenchmarkBesideDeadWebhooks(b *testing.B) {
	for _, n := range []int{0, 1000} {
		dead := &receiver{got: make(chan received, 1), status: map[string]int{}, block: map[string]chan struct{}{}}
		s := newService(b, dead.hooks)
		olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
		cup := olga.post("/tournaments", map[string]any{
			"name": "Cup", "variant": "quixo/duel", "format": "round_robin", "time_control": "300", "venue": "hall",
		}).want(b, http.StatusCreated).text("id")
		at := "/tournaments/" + cup
		olga.post(at+"/open", nil).want(b, http.StatusOK)
		olga.post(at+"/entries", `{"entries":[{"name":"A"},{"name":"B"}]}`).want(b, http.StatusOK)
		olga.post(at+"/start", nil).want(b, http.StatusOK)
		olga.post(at+"/rounds", `{}`).want(b, http.StatusCreated)
		for i := range n {
			host := fmt.Sprintf("h%d.example.org", i)
			dead.answers(host, 0)
			err := s.db.Hooks().Add(b.Context(), hook.Hook{
				ID: host, AccountID: s.withRole(host[:len(host)-12], account.RoleAdmin).account, Name: host, URL: "https://" + host,
				Kinds: tournament.NewsKinds(), Format: hook.Standard, Secret: []byte{1}, CreatedAt: 1,
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		s.send(b, olga, at, 1)
		for working := n; working > 0; { // until each has failed once
			time.Sleep(10 * time.Millisecond)
			hooks, err := s.db.Hooks().Wanting(b.Context(), []string{cup})
			if err != nil {
				b.Fatal(err)
			}
			working = len(hooks)
		}
		b.Run(fmt.Sprint("move/", n), func(b *testing.B) {
			game, over := "", true
			for range b.N {
				if over {
					game = "/games/" + duel(b, ada, bob, "quixo/duel", "none").text("id")
				}
				over = moveOn(b, game, ada, bob)
			}
		})
		b.Run(fmt.Sprint("result/", n), func(b *testing.B) {
			for i := range b.N {
				s.send(b, olga, at, i)
			}
		})
	}
}

// send enters a result that differs from the one before.
func (s *service) send(b *testing.B, by person, at string, i int) {
	b.Helper()
	by.send(http.MethodPut, at+"/rounds/1/pairings/1/result", `{"result":"`+[]string{"1-0", "0-1"}[i%2]+`"}`, anyTag).
		want(b, http.StatusOK)
}

// moveOn reads a game as the player on turn and makes the first move that is legal; it reports whether that ended it.
func moveOn(b *testing.B, game string, players ...person) (over bool) {
	b.Helper()
	for _, p := range players {
		g := p.get(game)
		seat := int(g.number("awaited", 0))
		moves := g.list("legal", fmt.Sprint(seat))
		if len(moves) == 0 {
			continue
		}
		body := map[string]any{"seat": seat, "turn": g.number("turn"), "move": moves[int(g.number("turn")*7)%len(moves)]}
		return p.post(game+"/moves", body).want(b, http.StatusOK).text("status") != "running"
	}
	b.Fatal("it is nobody's turn")
	return true
}
