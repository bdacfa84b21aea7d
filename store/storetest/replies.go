package storetest

import (
	"fmt"
	"sync"
	"testing"

	"quatuor/tournament/account"
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

func begin(t *testing.T, p Ports, owner, key, fingerprint string, now int64, want account.ReplyState) account.Reply {
	t.Helper()
	reply, state, err := p.Replies.BeginReply(t.Context(), account.Request{
		Owner: owner, Key: key, Fingerprint: fingerprint, At: now,
	})
	must(t, err)
	if state != want {
		t.Errorf("key %s of %s is in state %v, want %v", key, owner, state, want)
	}
	return reply
}

func replyAgain(t *testing.T, p Ports) {
	begin(t, p, "ann", "k", "f", 1000, account.ReplyFresh)
	begin(t, p, "ann", "k", "f", 1001, account.ReplyPending)
	begin(t, p, "ann", "k", "another", 1002, account.ReplyOther)
	begin(t, p, "bob", "k", "f", 1003, account.ReplyFresh)
	body := []byte{0, 1, 0xff, '{'}
	must(t, p.Replies.FinishReply(t.Context(), "ann", "k", account.Reply{
		Status: 201, Header: `{"Etag":["1"]}`, Body: body,
	}))
	for range 2 {
		stored := begin(t, p, "ann", "k", "f", 1004, account.ReplyAnswered)
		equal(t, "status", stored.Status, 201)
		equal(t, "header", stored.Header, `{"Etag":["1"]}`)
		equal(t, "body", stored.Body, body)
		begin(t, p, "ann", "k", "another", 1005, account.ReplyOther)
		p = p.Reopen(t)
	}
}

func replyRace(t *testing.T, p Ports) {
	var mu sync.Mutex
	count := map[account.ReplyState]int{}
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			_, state, err := p.Replies.BeginReply(t.Context(), account.Request{
				Owner: "ann", Key: "k", Fingerprint: "f", At: 1000,
			})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			count[state]++
		})
	}
	group.Wait()
	equal(t, "states", count, map[account.ReplyState]int{account.ReplyFresh: 1, account.ReplyPending: 15})
}

func replyAfterRestart(t *testing.T, p Ports) {
	begin(t, p, "ann", "k", "f", 1000, account.ReplyFresh)
	p = p.Reopen(t)
	begin(t, p, "ann", "k", "another", 1001, account.ReplyOther)
	begin(t, p, "ann", "k", "f", 1002, account.ReplyFresh)
	begin(t, p, "ann", "k", "f", 1003, account.ReplyPending)
	must(t, p.Replies.FinishReply(t.Context(), "ann", "k", account.Reply{Status: 200}))
	begin(t, p, "ann", "k", "f", 1004, account.ReplyAnswered)
}

func dropReply(t *testing.T, p Ports) {
	begin(t, p, "ann", "k", "f", 1000, account.ReplyFresh)
	begin(t, p, "bob", "k", "f", 1000, account.ReplyFresh)
	must(t, p.Replies.DropReply(t.Context(), "ann", "k"))
	begin(t, p, "bob", "k", "f", 1001, account.ReplyPending)
	begin(t, p, "ann", "k", "another", 1002, account.ReplyFresh)
	must(t, p.Replies.FinishReply(t.Context(), "ann", "k", account.Reply{Status: 200, Body: []byte("kept")}))
	must(t, p.Replies.DropReply(t.Context(), "ann", "k")) // too late: it was answered
	kept := begin(t, p, "ann", "k", "another", 1003, account.ReplyAnswered)
	equal(t, "body", string(kept.Body), "kept")
}

func forgetReplies(t *testing.T, p Ports) {
	const many = 1100 // more than are deleted at once
	var group sync.WaitGroup
	for worker := range 10 {
		group.Go(func() {
			for i := range many / 10 {
				at := int64(worker*many/10 + i)
				_, _, err := p.Replies.BeginReply(t.Context(), account.Request{
					Owner: "ann", Key: fmt.Sprint(at), Fingerprint: "f", At: at,
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	must(t, p.Replies.FinishReply(t.Context(), "ann", "0", account.Reply{Status: 200}))
	n, err := p.Replies.ForgetReplies(t.Context(), many-5)
	must(t, err)
	equal(t, "forgotten", n, many-5)
	begin(t, p, "ann", "0", "f", 5000, account.ReplyFresh)
	begin(t, p, "ann", fmt.Sprint(many-5), "f", 5000, account.ReplyPending)
	n, err = p.Replies.ForgetReplies(t.Context(), 0)
	must(t, err)
	equal(t, "forgotten of nothing", n, 0)
}
