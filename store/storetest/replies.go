package storetest

import (
	"fmt"
	"sync"
	"testing"
)

// The states of a reply; see [ReplyPort].
const (
	fresh int8 = iota
	answered
	other
	pending
)

// Replies tests the replies to requests that may be repeated.
func Replies(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"a request is answered as before", replyAgain},
		{"of many with one key one is fresh", replyRace},
		{"what a restart left pending is fresh", replyAfterRestart},
		{"what came to nothing is fresh", dropReply},
		{"old replies are forgotten", forgetReplies},
	})
}

func begin(t *testing.T, p Ports, owner, key, fingerprint string, now int64, want int8) (int, string, []byte) {
	t.Helper()
	status, header, body, state, err := p.Replies.BeginReply(t.Context(), owner, key, fingerprint, now)
	must(t, err)
	if state != want {
		t.Errorf("key %s of %s is in state %d, want %d", key, owner, state, want)
	}
	return status, header, body
}

func replyAgain(t *testing.T, p Ports) {
	begin(t, p, "ann", "k", "f", 1000, fresh)
	begin(t, p, "ann", "k", "f", 1001, pending)
	begin(t, p, "ann", "k", "another", 1002, other)
	begin(t, p, "bob", "k", "f", 1003, fresh)
	body := []byte{0, 1, 0xff, '{'}
	must(t, p.Replies.FinishReply(t.Context(), "ann", "k", 201, `{"Etag":["1"]}`, body))
	for range 2 {
		status, header, stored := begin(t, p, "ann", "k", "f", 1004, answered)
		equal(t, "status", status, 201)
		equal(t, "header", header, `{"Etag":["1"]}`)
		equal(t, "body", stored, body)
		begin(t, p, "ann", "k", "another", 1005, other)
		p = p.Reopen(t)
	}
}

func replyRace(t *testing.T, p Ports) {
	var mu sync.Mutex
	count := map[int8]int{}
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			_, _, _, state, err := p.Replies.BeginReply(t.Context(), "ann", "k", "f", 1000)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			count[state]++
		})
	}
	group.Wait()
	equal(t, "states", count, map[int8]int{fresh: 1, pending: 15})
}

func replyAfterRestart(t *testing.T, p Ports) {
	begin(t, p, "ann", "k", "f", 1000, fresh)
	p = p.Reopen(t)
	begin(t, p, "ann", "k", "another", 1001, other)
	begin(t, p, "ann", "k", "f", 1002, fresh)
	begin(t, p, "ann", "k", "f", 1003, pending)
	must(t, p.Replies.FinishReply(t.Context(), "ann", "k", 200, "", nil))
	begin(t, p, "ann", "k", "f", 1004, answered)
}

func dropReply(t *testing.T, p Ports) {
	begin(t, p, "ann", "k", "f", 1000, fresh)
	begin(t, p, "bob", "k", "f", 1000, fresh)
	must(t, p.Replies.DropReply(t.Context(), "ann", "k"))
	begin(t, p, "bob", "k", "f", 1001, pending)
	begin(t, p, "ann", "k", "another", 1002, fresh)
	must(t, p.Replies.FinishReply(t.Context(), "ann", "k", 200, "", []byte("kept")))
	must(t, p.Replies.DropReply(t.Context(), "ann", "k")) // too late: it was answered
	_, _, body := begin(t, p, "ann", "k", "another", 1003, answered)
	equal(t, "body", string(body), "kept")
}

func forgetReplies(t *testing.T, p Ports) {
	const many = 1100 // more than are deleted at once
	var group sync.WaitGroup
	for worker := range 10 {
		group.Go(func() {
			for i := range many / 10 {
				at := int64(worker*many/10 + i)
				_, _, _, _, err := p.Replies.BeginReply(t.Context(), "ann", fmt.Sprint(at), "f", at)
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	n, err := p.Replies.ForgetReplies(t.Context(), many-5)
	must(t, err)
	equal(t, "forgotten", n, many-5)
	begin(t, p, "ann", "0", "f", 5000, fresh)
	begin(t, p, "ann", fmt.Sprint(many-5), "f", 5000, pending)
	n, err = p.Replies.ForgetReplies(t.Context(), 0)
	must(t, err)
	equal(t, "forgotten of nothing", n, 0)
}
