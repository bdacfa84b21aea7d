package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/api/hooks"
	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
	"quatuor/tournament/hook"
)

// sender is an instance that sends to webhooks: its deliveries go into a channel. Once it is dead it notes nothing.
type sender struct {
	hooks.Store
	sent chan<- delivered
	name int
	dead atomic.Bool
}

type delivered struct {
	by         int
	id, player string
}

func (s *sender) adapt(c *hooks.Config) {
	s.Store = c.Store
	c.Store = s
	c.Transport = s
	c.Every = 20 * time.Millisecond
}

// RoundTrip implements http.RoundTripper.
func (s *sender) RoundTrip(r *http.Request) (*http.Response, error) {
	var body struct {
		Data struct{ Entry struct{ Name string } }
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	s.sent <- delivered{s.name, r.Header.Get("Webhook-Id"), body.Data.Entry.Name}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

func (s *sender) RecordAttempt(ctx context.Context, d hook.Delivery, after hook.Hook) error {
	if s.dead.Load() {
		return errors.New("it is dead")
	}
	return s.Store.RecordAttempt(ctx, d, after)
}

// hookTournament makes an open tournament in the hall and a webhook for its entries, and returns how a player is entered.
func hookTournament(t *testing.T, olga harness.Player) (enter func(by harness.Player, name string)) {
	t.Helper()
	var made struct {
		ID string `json:"id"`
	}
	post := func(by harness.Player, path string, body any) {
		t.Helper()
		if err := by.Post(t.Context(), path, body, &made); err != nil {
			t.Fatal(err)
		}
	}
	post(olga, "/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300", "venue": "hall",
	})
	id := made.ID
	post(olga, "/tournaments/"+id+"/open", nil)
	if err := olga.Post(t.Context(), "/webhooks", map[string]any{
		"name": "club site", "url": "https://hooks.example.org/in", "kinds": []string{"entry.changed"}, "tournament_id": id,
	}, nil); err != nil {
		t.Fatal(err)
	}
	return func(by harness.Player, name string) {
		post(by, "/tournaments/"+id+"/entries", map[string]any{"name": name})
	}
}

// TestWebhooksOfInstances: the news of two instances is sent once each, in order. When the sender dies between sending
// and noting it, the other instance goes on and repeats deliveries with the same ids.
func TestWebhooksOfInstances(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PostgreSQL")
	}
	sent := make(chan delivered, 1000)
	dsn := dbtest.Cluster(t, "fsync=off").Schema(t)
	var all []*App
	var stops []func()
	senders := []*sender{{sent: sent, name: 0}, {sent: sent, name: 1}}
	for _, s := range senders {
		a, err := New(t.Context(), Config{
			Storage: Storage{Database: dsn}, Listen: "127.0.0.1:0", Registration: "open", Logger: slog.New(slog.DiscardHandler),
			AdaptAuth: func(c *auth.Config) { c.PasswordCost = cheap }, AdaptHooks: s.adapt,
		})
		if err != nil {
			t.Fatal(err)
		}
		stop := sync.OnceFunc(runs(t, a))
		t.Cleanup(stop)
		all, stops = append(all, a), append(stops, stop)
	}
	know(t, all)
	olga := player(t, all, "olga")
	makeOrganiser(t, all, olga[0].Token)
	enter := hookTournament(t, olga[0])
	owner, other := ownerOf(t, all, hookOwner)

	const entries = 30
	ids := map[string]bool{}
	arrives := func() delivered {
		t.Helper()
		select {
		case d := <-sent:
			return d
		case <-time.After(relayPatience):
			t.Fatal("nothing arrives")
			return delivered{}
		}
	}
	for i := range entries {
		enter(olga[i%2], strconv.Itoa(i))
	}
	for i := range entries {
		if d := arrives(); d.player != strconv.Itoa(i) || d.by != owner || ids[d.id] {
			t.Errorf("%d is %+v, of instance %d", i, d, owner)
		} else {
			ids[d.id] = true
		}
	}
	senders[owner].dead.Store(true)
	enter(olga[other], "last words")
	lost := arrives()
	if lost.by != owner || lost.player != "last words" || ids[lost.id] {
		t.Errorf("%+v", lost)
	}
	enter(olga[other], "after it")
	stops[owner]()
	next := arrives()
	for next.by == owner { // while it was dying it tried again
		if next.id != lost.id {
			t.Errorf("the dead one has sent %+v", next)
		}
		next = arrives()
	}
	if next.id != lost.id {
		t.Errorf("%+v is not %+v", next, lost)
	}
	if last := arrives(); last.player != "after it" || last.by != other {
		t.Errorf("%+v", last)
	}
	if len(sent) != 0 {
		t.Errorf("once more: %+v", <-sent)
	}
}

// refusing answers all that is sent to webhooks with an error.
type refusing struct {
	hooks.Store
	noted chan hook.Hook
}

func (r *refusing) adapt(c *hooks.Config) {
	r.Store = c.Store
	c.Store = r
	c.Transport = r
	c.Every = 20 * time.Millisecond
}

// RoundTrip implements http.RoundTripper.
func (*refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusInternalServerError, Body: io.NopCloser(strings.NewReader("")), Request: r,
	}, nil
}

func (r *refusing) RecordAttempt(ctx context.Context, d hook.Delivery, after hook.Hook) error {
	defer func() { r.noted <- after }()
	return r.Store.RecordAttempt(ctx, d, after)
}

// TestTheOwnerOfADeadWebhookIsSentMail when it has failed for three days, once.
func TestTheOwnerOfADeadWebhookIsSentMail(t *testing.T) {
	r := &refusing{noted: make(chan hook.Hook, 100)}
	var ahead atomic.Int64
	a, box := mailApp(t, func(c *Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		c.AdaptHooks = r.adapt
	})
	all := []*App{a}
	olga := player(t, all, "olga")
	makeOrganiser(t, all, olga[0].Token)
	who, err := a.Guard.Authenticate(bearerRequest(t, olga[0].Token))
	if err != nil {
		t.Fatal(err)
	}
	setAddress(t, a, who.AccountID, "olga@x.example")
	enter := hookTournament(t, olga[0])
	for _, name := range []string{"Ada", "Bob", "Cleo"} {
		enter(olga[0], name)
	}
	for _, pause := range []time.Duration{71 * time.Hour, 2 * time.Hour, 100 * time.Hour} {
		select {
		case h := <-r.noted:
			if disabled := h.DisabledAt != 0; disabled != (pause == 100*time.Hour) {
				t.Errorf("before %v: %+v", pause, h)
			}
		case <-time.After(relayPatience):
			t.Fatal("nothing is tried")
		}
		ahead.Add(int64(pause))
	}
	got := box.next()
	if got.to != "olga@x.example" || !strings.Contains(got.text, "club site") {
		t.Errorf("%+v", got)
	}
	box.waitEmpty(a)
	if len(box.got) != 0 || len(r.noted) != 0 {
		t.Errorf("%d e-mails and %d attempts more", len(box.got), len(r.noted))
	}
}
