package api_test

import (
	"bytes"
	"context"
	"fmt"
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
