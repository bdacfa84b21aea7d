package store

import (
	"testing"
	"testing/synctest"
	"time"

	"quatuor/store/internal/sqlite"
	"quatuor/tournament/account"
)

// TestReplyThatFailedWithTheDatabase lets the database fail from the moment a request is being answered: neither its
// answer nor its failure can be stored, and still its key must not stay taken.
func TestReplyThatFailedWithTheDatabase(t *testing.T) {
	h := hold(t)
	broken := 0
	h.onCommit(t, func() int { return broken })
	begin := func(want account.ReplyState) {
		t.Helper()
		_, state, err := h.Replies().BeginReply(t.Context(), account.Request{
			Owner: "ann", Key: "k", Fingerprint: "f", At: 1000,
		})
		if err != nil || state != want {
			t.Errorf("state %v, error %v, want state %v", state, err, want)
		}
	}
	begin(account.ReplyFresh)
	broken = 1
	failures := []error{
		h.Replies().FinishReply(t.Context(), "ann", "k", account.Reply{Status: 200}),
		h.Replies().DropReply(t.Context(), "ann", "k"),
	}
	broken = 0
	for _, err := range failures {
		if _, ok := sqlite.Code(err); !ok {
			t.Errorf("a write that cannot be committed is answered with %v", err)
		}
	}
	begin(account.ReplyFresh)
	begin(account.ReplyPending)
	if err := h.Replies().FinishReply(t.Context(), "ann", "k", account.Reply{Status: 200}); err != nil {
		t.Fatal(err)
	}
	begin(account.ReplyAnswered)
}

// TestBeginThatFailedWithTheDatabase fails the commit of the very note that a request has begun.
func TestBeginThatFailedWithTheDatabase(t *testing.T) {
	h := hold(t)
	broken := 1
	h.onCommit(t, func() int { return broken })
	if _, _, err := h.Replies().BeginReply(t.Context(),
		account.Request{Owner: "ann", Key: "k", Fingerprint: "f", At: 1000}); err == nil {
		t.Error("a key that could not be stored was taken")
	}
	broken = 0
	if n := len(h.inFlight.keys); n != 0 {
		t.Errorf("%d requests count as in flight", n)
	}
	_, state, err := h.Replies().BeginReply(t.Context(), account.Request{
		Owner: "ann", Key: "k", Fingerprint: "f", At: 1000,
	})
	if err != nil || state != account.ReplyFresh {
		t.Errorf("state %v, error %v", state, err)
	}
}

// TestWorkEndsBeforeOthersTakeItsKey lets heartbeats end, as where an instance is frozen or cut off from the database.
// The work on a request with a key ends with them, before another instance finds the key fresh.
func TestWorkEndsBeforeOthersTakeItsKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Store{backend: &cluster{}}
		beat := func() {
			now := time.Now()
			s.beaten.Store(&now)
		}
		beat()
		time.Sleep(time.Hour) // the games were suspended
		long, release := s.Replies().Working(t.Context())
		defer release()
		const interval = 500 * time.Millisecond
		for range 20 {
			time.Sleep(interval)
			beat()
		}
		late, done := s.Replies().Working(t.Context())
		time.Sleep(silence - interval)
		synctest.Wait()
		if long.Err() == nil || late.Err() == nil {
			t.Error("the work goes on while another instance takes its key")
		}
		done()
		short, done := s.Replies().Working(t.Context())
		time.Sleep(lease - time.Millisecond)
		synctest.Wait()
		if short.Err() != nil {
			t.Error("the work ended early")
		}
		done()
	})
	alone, release := hold(t).Replies().Working(t.Context())
	defer release()
	if alone != t.Context() {
		t.Error("where there is one instance, the work depends on its heartbeats")
	}
}
