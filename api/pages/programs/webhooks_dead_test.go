package programs_test

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

	"quatuor/api/apitest"
	"quatuor/api/hooks"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
)

// hall starts a tournament in the hall with two boards.
func hall(t *testing.T, s *apitest.Scene) string {
	t.Helper()
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.Register(login).Player)
	}
	id, _ := s.Prepare(t, "published", entered)
	return id
}

// TestAReceiverIsDownForAnHour: everything arrives then, once, in its order.
func TestAReceiverIsDownForAnHour(t *testing.T) {
	for name, status := range map[string]int{"no connection": 0, "errors": 500, "redirects": 302} {
		t.Run(name, func(t *testing.T) {
			r := apitest.NewReceiver(t)
			s := apitest.NewScene(t, r.Hooks)
			id := hall(t, s)
			hookID, _ := s.Olga.Webhook("down.example.org", id, "result.changed")
			r.Answers("down.example.org", status)
			var want []string
			for i := range 12 {
				result := []string{"1-0", "0-1", "1/2-1/2"}[i%3]
				want = append(want, result)
				s.Olga.Again().Send(http.MethodPut, fmt.Sprintf("/tournaments/%s/rounds/1/pairings/%d/result", id, 1+i%2),
					`{"result":"`+result+`"}`, apitest.AnyVersion).Want(t, http.StatusOK)
				s.Pass(5 * time.Minute)
			}
			waitFor(t, "a failure", func() bool {
				return s.Olga.Again().Get("/webhooks/"+hookID).Text("failing_since") != ""
			})
			r.Answers("down.example.org", http.StatusOK)
			s.Pass(2 * time.Hour)
			var ids []string
			for i := range want {
				got := r.Next()
				board := fmt.Sprintf(`"board":%d`, 1+i%2)
				if !bytes.Contains(got.Body, []byte(board)) || slices.Contains(ids, got.ID) {
					t.Errorf("delivery %d is %s, %s", i, got.ID, got.Body)
				}
				ids = append(ids, got.ID)
			}
			waitFor(t, "the last note", func() bool {
				list := s.Olga.Again().Get("/webhooks/" + hookID + "/deliveries").List("items")
				return len(list) == 12 && !slices.ContainsFunc(list,
					func(d any) bool { return d.(map[string]any)["state"] != "sent" })
			})
			if len(r.Got) != 0 {
				t.Errorf("%d deliveries arrived twice", len(r.Got))
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
	r := apitest.NewReceiver(t)
	var mu sync.Mutex
	var disabled []string
	s := apitest.NewScene(t, r.Hooks, func(c *apitest.Config) {
		inner := c.Hooks
		c.Hooks = func(h *hooks.Config) {
			inner(h)
			h.Disabled = func(_ context.Context, one hook.Hook) error {
				mu.Lock()
				defer mu.Unlock()
				disabled = append(disabled, one.Name)
				return nil
			}
		}
	})
	id := hall(t, s)
	dead, _ := s.Olga.Webhook("dead.example.org", id, "result.changed")
	gone, _ := s.Olga.Webhook("gone.example.org", id, "result.changed")
	s.Olga.Webhook("alive.example.org", id, "result.changed")
	r.Answers("dead.example.org", 500)
	r.Answers("gone.example.org", http.StatusGone)
	for day := range 4 {
		for i := range 4 {
			s.Olga.Again().Send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result",
				`{"result":"`+[]string{"1-0", "0-1"}[i%2]+`"}`, apitest.AnyVersion).Want(t, http.StatusOK)
			if got := r.Next(); got.Host != "alive.example.org" {
				t.Errorf("day %d: %s", day, got.Host)
			}
			s.Pass(6*time.Hour + time.Minute)
			waitFor(t, "the attempt", func() bool {
				h := s.Olga.Again().Get("/webhooks/" + dead)
				return h.At("disabled") == true || h.Text("next_attempt_at") > s.Now().UTC().Format(time.RFC3339)
			})
		}
	}
	for _, one := range []string{dead, gone} {
		h := s.Olga.Again().Get("/webhooks/"+one).Want(t, http.StatusOK)
		if h.At("disabled") != true || h.Text("disabled_because") == "" {
			t.Errorf("%s", h.Raw)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if slices.Sort(disabled); !slices.Equal(disabled, []string{"dead.example.org", "gone.example.org"}) {
		t.Errorf("disabled: %v", disabled)
	}
	given := s.Olga.Again().Get("/webhooks/" + dead + "/deliveries")
	if !strings.Contains(string(given.Raw), `"state":"failed"`) {
		t.Errorf("nothing was given up after a day: %s", given.Raw)
	}
	r.Answers("dead.example.org", http.StatusOK)
	s.Olga.Again().Post("/webhooks/"+dead+"/enable", nil).Want(t, http.StatusOK).Has(t, `"disabled":false`)
	if got := r.Next(); got.Host != "dead.example.org" {
		t.Errorf("%v", got)
	}
}

// TestASlowReceiverHoldsUpNobody: others get their news while it is slow.
func TestASlowReceiverHoldsUpNobody(t *testing.T) {
	r := apitest.NewReceiver(t)
	s := apitest.NewScene(t, r.Hooks)
	id := hall(t, s)
	release := make(chan struct{})
	r.Block["slow.example.org"] = release
	for range 10 {
		s.Olga.Webhook("slow.example.org", id, "result.changed")
	}
	s.Olga.Webhook("quick.example.org", id, "result.changed")
	begun := time.Now()
	s.Olga.Send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	if got := r.Next(); got.Host != "quick.example.org" {
		t.Errorf("%v", got)
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	close(release)
	for range 10 {
		r.Next()
	}
}

// TestManyDeadReceiversHoldUpNobody: a working receiver gets its news at once, although 200 others have just died.
func TestManyDeadReceiversHoldUpNobody(t *testing.T) {
	r := apitest.NewReceiver(t)
	s := apitest.NewScene(t, r.Hooks)
	id := hall(t, s)
	release := make(chan struct{})
	defer close(release)
	for i := range 10 {
		boss := s.WithRole(fmt.Sprint("boss", i), account.RoleAdmin)
		for j := range hook.Max {
			host := fmt.Sprintf("dead%d-%d.example.org", i, j)
			r.Block[host] = release
			boss.Webhook(host, id, "result.changed")
		}
	}
	s.Olga.Webhook("quick.example.org", id, "result.changed")
	s.Olga.Send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	if got := r.Next(); got.Host != "quick.example.org" {
		t.Errorf("%v", got)
	}
}

// TestARefusedDeliveryIsPassed: after four attempts those after it are sent, and the webhook works.
func TestARefusedDeliveryIsPassed(t *testing.T) {
	r := apitest.NewReceiver(t)
	s := apitest.NewScene(t, r.Hooks)
	id := hall(t, s)
	one, _ := s.Olga.Webhook("strict.example.org", id, "result.changed")
	r.Answers("strict.example.org", http.StatusUnprocessableEntity)
	result := func(text string) {
		s.Olga.Again().Send(http.MethodPut, "/tournaments/"+id+"/rounds/1/pairings/1/result", `{"result":"`+text+`"}`,
			apitest.AnyVersion).
			Want(t, http.StatusOK)
	}
	result("1-0")
	for n := 1; n <= 4; n++ {
		waitFor(t, "an attempt", func() bool {
			list := s.Olga.Again().Get("/webhooks/" + one + "/deliveries").List("items")
			return len(list) == 1 && list[0].(map[string]any)["attempts"] == float64(n)
		})
		if n < 4 {
			s.Pass(3 * time.Hour)
		}
	}
	s.Olga.Again().Get("/webhooks/"+one+"/deliveries").Has(t, `"state":"failed"`)
	result("0-1")
	r.Answers("strict.example.org", http.StatusOK)
	s.Pass(6 * time.Hour)
	if got := r.Next(); !bytes.Contains(got.Body, []byte(`"0-1"`)) {
		t.Errorf("%s", got.Body)
	}
}
