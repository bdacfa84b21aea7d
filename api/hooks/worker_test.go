package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/tournament/hook"
)

// box is a store of webhooks, with a test that waits for each, and where they lead: receivers of some accounts hang.
type box struct {
	Store
	hangs func(accountID string) bool

	mu      sync.Mutex
	hooks   map[string]hook.Hook
	waiting map[string]hook.Delivery
	order   []string
	arrived []string // webhooks
	hanging int
	errors  map[string]string // of the last attempt, by webhook
}

func newBox(hangs func(accountID string) bool) *box {
	return &box{hangs: hangs, hooks: map[string]hook.Hook{}, waiting: map[string]hook.Delivery{}, errors: map[string]string{}}
}

// add adds a webhook of an account, at a host of its own if host is "".
func (b *box) add(accountID, host string, failures int) hook.Hook {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := hook.Hook{ID: fmt.Sprint("hook-", len(b.hooks)), AccountID: accountID, Failures: failures, Format: hook.Standard}
	if host == "" {
		host = h.ID + ".example.org"
	}
	h.URL = "https://" + host + "/" + h.ID
	b.hooks[h.ID], b.waiting[h.ID] = h, hook.Delivery{ID: h.ID, HookID: h.ID, Kind: hook.Test, Since: time.Now().UnixMilli()}
	b.order = append(b.order, h.ID)
	return h
}

func (b *box) News(context.Context) ([]hook.Event, error) { return nil, nil }

func (b *box) Due(_ context.Context, now int64, _ int) (due []hook.Hook, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range b.order {
		if _, waits := b.waiting[id]; waits && b.hooks[id].NextAt <= now {
			due = append(due, b.hooks[id])
		}
	}
	return due, nil
}

func (b *box) Hook(_ context.Context, id string) (hook.Hook, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hooks[id], nil
}

func (b *box) Next(_ context.Context, id string) (hook.Delivery, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d, waits := b.waiting[id]
	if !waits {
		return d, hook.ErrNotFound
	}
	return d, nil
}

func (b *box) EventsAfter(context.Context, hook.Hook, int) ([]hook.Event, error) { return nil, nil }

func (b *box) SaveCursor(context.Context, hook.Hook) error { return nil }

func (b *box) RecordAttempt(_ context.Context, d hook.Delivery, after hook.Hook) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hooks[after.ID], b.errors[after.ID] = after, d.Error
	if d.State == hook.Sent {
		delete(b.waiting, after.ID)
	}
	return nil
}

// RoundTrip implements http.RoundTripper.
func (b *box) RoundTrip(r *http.Request) (*http.Response, error) {
	id := strings.TrimPrefix(r.URL.Path, "/")
	b.mu.Lock()
	accountID := b.hooks[id].AccountID
	b.hanging++
	b.mu.Unlock()
	if b.hangs(accountID) {
		<-r.Context().Done()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hanging--
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	b.arrived = append(b.arrived, id)
	return &http.Response{StatusCode: http.StatusNoContent, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

// state returns how many receivers hang, and what has arrived.
func (b *box) state() (hanging int, arrived string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hanging, strings.Join(b.arrived, " ")
}

// service returns a service over a box, which ends with the test's bubble.
func (b *box) service(t *testing.T) (*pass, context.Context) {
	ctx, cancel := context.WithCancel(t.Context())
	s := New(Config{
		Store: b, Transport: b, Now: time.Now, Mine: func() bool { return true }, Logger: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(func() {
		cancel()
		s.worker.sending.Wait()
	})
	return &pass{Service: s, tookOver: true, forgotten: time.Now()}, ctx
}

// TestHangingReceiversHoldUpNoOtherAccount: 300 webhooks of an account hang, new, failing, or at the same host as the
// webhooks of others; the news of another account arrives at once.
func TestHangingReceiversHoldUpNoOtherAccount(t *testing.T) {
	for _, c := range []struct {
		name     string
		host     string
		failures int
		hanging  int // receivers of the account that hang at the same time
	}{
		{"new", "", 0, maxPerAccount},
		{"failing", "", 3, maxFailingPerAccount},
		{"at one host", "chat.example.org", 0, maxPerHost},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBox(func(accountID string) bool { return accountID == "slow" })
				s, ctx := b.service(t)
				for range 300 {
					b.add("slow", c.host, c.failures)
				}
				if err := s.run(ctx); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if hanging, _ := b.state(); hanging != c.hanging {
					t.Errorf("%d receivers of one account hang, want %d", hanging, c.hanging)
				}
				quick := b.add("quick", c.host, c.failures)
				if err := s.run(ctx); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if _, arrived := b.state(); arrived != quick.ID {
					t.Errorf("%q has arrived, want %q", arrived, quick.ID)
				}
			})
		})
	}
}

// TestFreeRoomGoesToTheLeastBusyAccount: where hanging receivers of many accounts take all slots, an account without a
// delivery in progress comes first, whatever the others' waiting times.
func TestFreeRoomGoesToTheLeastBusyAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBox(func(accountID string) bool { return accountID != "quick" })
		s, ctx := b.service(t)
		for range 2 * maxPerAccount {
			for i := range 2 * maxConcurrent / maxPerAccount {
				b.add(fmt.Sprint("slow-", i), "", 0)
			}
		}
		if err := s.run(ctx); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if hanging, _ := b.state(); hanging != maxConcurrent {
			t.Errorf("%d receivers hang, want %d", hanging, maxConcurrent)
		}
		quick := b.add("quick", "", 0)
		if err := s.run(ctx); err != nil {
			t.Fatal(err)
		}
		time.Sleep(sendTime) // of the bubble: the receivers have not answered in time
		synctest.Wait()
		if err := s.run(ctx); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, arrived := b.state(); arrived != quick.ID {
			t.Errorf("%q has arrived, want %q", arrived, quick.ID)
		}
	})
}

// TestStoredPorts: an address that was stored with a port that no server has is not connected to.
func TestStoredPorts(t *testing.T) {
	b := newBox(func(string) bool { return false })
	s, ctx := b.service(t)
	for _, port := range []string{"0", "65536", "99999"} {
		_, err := s.send(ctx, hook.Hook{URL: "https://example.org:" + port + "/"}, hook.Delivery{}, nil, "")
		if _, arrived := b.state(); !errors.Is(err, hook.ErrAddress) || !strings.Contains(err.Error(), "from 1 to 65535") || arrived != "" {
			t.Errorf("port %q: %v, %q", port, err, arrived)
		}
	}
}
