package api_test

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"

	"quatuor/api"
	"quatuor/tournament/account"
)

func key(value string) header { return header{"Idempotency-Key", value} }

func TestARepeatedRequestIsAnsweredAsBefore(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	first := olga.post("/players", `{"name":"Cleo"}`, key("k1")).want(t, http.StatusCreated)
	again := olga.post("/players", `{"name":"Cleo"}`, key("k1")).want(t, http.StatusCreated)
	if !bytes.Equal(first.raw, again.raw) || again.header.Get("ETag") != first.header.Get("ETag") ||
		again.header.Get("Idempotent-Replayed") != "true" || again.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s, %v\nthen %s, %v", first.raw, first.header, again.raw, again.header)
	}
	olga.post("/players", `{"name":"Dora"}`, key("k1")).
		refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
	olga.post("/tournaments", cup, key("k1")).refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
	other := olga.post("/players", `{"name":"Cleo"}`, key("k2")).want(t, http.StatusCreated)
	if other.text("id") == first.text("id") {
		t.Error("another key is another intention")
	}
	otto := s.withRole("otto", account.RoleOrganiser)
	if his := otto.post("/players", `{"name":"Cleo"}`, key("k1")).
		want(t, http.StatusCreated); his.text("id") == first.text("id") {
		t.Error("somebody else's key is not one's own")
	}
	olga.post("/players", `{"name":"Cleo"}`, key("")).want(t, http.StatusBadRequest)
	olga.post("/players", `{"name":"Cleo"}`, key("two words")).refused(t, http.StatusBadRequest, "malformed")
}

func TestARepeatedGameIsOpenedOnce(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	body := map[string]any{
		"variant": "quixo/duel", "time_control": "300+3",
		"seats": []any{map[string]any{"player_id": ada.player}, map[string]any{"player_id": bob.player}},
	}
	first := ada.post("/games", body, key("evening")).want(t, http.StatusCreated)
	// A crash may have come between the game and its answer: then the key is fresh again, and finds the same game.
	if _, err := s.db.Replies().ForgetReplies(t.Context(), s.now().UnixMilli()+1000); err != nil {
		t.Fatal(err)
	}
	again := ada.post("/games", body, key("evening")).want(t, http.StatusCreated)
	if first.text("id") != again.text("id") || again.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("%s\nthen %s", first.raw, again.raw)
	}
	if list := ada.get("/games").want(t, http.StatusOK); len(list.list("items")) != 1 {
		t.Errorf("%s", list.raw)
	}
	id := first.text("id")
	won := ada.post("/games/"+id+"/moves", move(1, 1, "c1-c5"), key("move")).want(t, http.StatusOK)
	bob.post("/games/"+id+"/moves", move(2, 2, "a1-e1")).want(t, http.StatusOK)
	late := ada.post("/games/"+id+"/moves", move(1, 1, "c1-c5"), key("move")).want(t, http.StatusOK)
	if !bytes.Equal(won.raw, late.raw) {
		t.Errorf("%s\nthen %s", won.raw, late.raw)
	}
}

// TestWhatACrashLeftUnansweredIsMadeOnce forgets the answers, as if the crash had come between what was made and its
// answer: the same requests then find what they made.
func TestWhatACrashLeftUnansweredIsMadeOnce(t *testing.T) {
	s := newService(t)
	olga, otto := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	for path, body := range map[string]string{"/players": `{"name":"Cleo"}`, "/tournaments": cup} {
		first := olga.post(path, body, key("k"+path)).want(t, http.StatusCreated)
		if _, err := s.db.Replies().ForgetReplies(t.Context(), s.now().UnixMilli()+1000); err != nil {
			t.Fatal(err)
		}
		again := olga.post(path, body, key("k"+path)).want(t, http.StatusCreated)
		if !bytes.Equal(first.raw, again.raw) || again.header.Get("Idempotent-Replayed") != "" ||
			again.header.Get("ETag") != first.header.Get("ETag") {
			t.Errorf("%s: %s\nthen %s", path, first.raw, again.raw)
		}
		for what, other := range map[string]*answer{
			"another key": olga.post(path, body, key("l"+path)), "nobody's key": olga.post(path, body),
			"another's key": otto.post(path, body, key("k"+path)),
		} {
			if other.want(t, http.StatusCreated).text("id") == first.text("id") {
				t.Errorf("%s: %s gives the same", path, what)
			}
		}
	}
}

func TestWhatFailedMayBeTriedAgainWithTheSameKey(t *testing.T) {
	s := newService(t)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	path := "/tournaments/" + olga.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	enter := func() *answer {
		return ada.post(path+"/entries", map[string]any{"player_id": ada.player}, key("me"))
	}
	enter().refused(t, http.StatusNotFound, "not-found")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	enter().want(t, http.StatusCreated)
	enter().want(t, http.StatusCreated)
	if entries := olga.get(path+"/entries").want(t, http.StatusOK); len(entries.list("items")) != 1 {
		t.Errorf("%s", entries.raw)
	}
}

// slowPeople holds the creation of a player up until it is released.
type slowPeople struct {
	replies
	begun, goOn chan struct{}
}

type replies = api.Replies

func (p slowPeople) FinishReply(ctx context.Context, owner, key string, reply account.Reply) error {
	close(p.begun)
	<-p.goOn
	return p.replies.FinishReply(ctx, owner, key, reply)
}

func TestAKeyThatIsUnderWay(t *testing.T) {
	slow := slowPeople{begun: make(chan struct{}), goOn: make(chan struct{})}
	s := newService(t, func(c *configuration) {
		c.edit = func(d *api.Config) { slow.replies = d.Replies; d.Replies = slow }
	})
	olga := s.withRole("olga", account.RoleOrganiser)
	var first *answer
	var done sync.WaitGroup
	done.Go(func() { first = olga.post("/players", `{"name":"Cleo"}`, key("k")) })
	<-slow.begun
	pending := olga.post("/players", `{"name":"Cleo"}`, key("k")).refused(t, http.StatusConflict, "request-in-progress")
	if pending.header.Get("Retry-After") != "1" {
		t.Errorf("headers %v", pending.header)
	}
	close(slow.goOn)
	done.Wait()
	again := olga.post("/players", `{"name":"Cleo"}`, key("k")).want(t, http.StatusCreated)
	if !bytes.Equal(first.raw, again.raw) {
		t.Errorf("%s\nthen %s", first.raw, again.raw)
	}
}

// seen notes what is kept of answers.
type seen struct {
	replies
	mu   sync.Mutex
	text bytes.Buffer
}

func (k *seen) BeginReply(ctx context.Context, r account.Request) (account.Reply, account.ReplyState, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.text.WriteString(r.Owner + r.Key + r.Fingerprint)
	return k.replies.BeginReply(ctx, r)
}

func (k *seen) FinishReply(ctx context.Context, owner, key string, reply account.Reply) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.text.WriteString(reply.Header + string(reply.Body))
	return k.replies.FinishReply(ctx, owner, key, reply)
}

func TestNoSecretIsKept(t *testing.T) {
	kept := &seen{}
	s := newService(t, func(c *configuration) {
		c.edit = func(d *api.Config) { kept.replies = d.Replies; d.Replies = kept }
	})
	s.withRole("root", account.RoleAdmin)
	olga := s.withRole("olga", account.RoleOrganiser)
	account := `{"login":"ada","password":"correct horse","player_name":"Ada"}`
	first := s.anonymous().post("/accounts", account, key("my-key-1")).want(t, http.StatusCreated)
	if again := s.anonymous().post("/accounts", account, key("my-key-1")).
		want(t, http.StatusCreated); !bytes.Equal(first.raw, again.raw) {
		t.Errorf("%s\nthen %s", first.raw, again.raw)
	}
	secrets := []string{"my-key-1", "my-key-2", "correct horse"}
	player := olga.post("/players", `{"name":"Cleo"}`).want(t, http.StatusCreated).text("id")
	for path, body := range map[string]any{
		"/sessions": `{"login":"ada","password":"correct horse"}`, "/me/tokens": `{"name":"x","scopes":["read"]}`,
		"/invitations": nil, "/players/" + player + "/claim-code": nil,
	} {
		keyed := []header{key("my-key-2" + path)}
		a := olga.post(path, body, keyed...).want(t, http.StatusCreated)
		if again := olga.post(path, body, keyed...).want(t, http.StatusCreated); path != "/sessions" &&
			!bytes.Equal(a.raw, again.raw) {
			t.Errorf("%s\nthen %s", a.raw, again.raw)
		}
		for _, member := range []string{"access_token", "refresh_token", "token", "code"} {
			if secret := a.text(member); secret != "" {
				secrets = append(secrets, secret)
			}
		}
	}
	if len(secrets) < 8 {
		t.Fatalf("only %d secrets were handed out", len(secrets))
	}
	for _, secret := range secrets {
		if bytes.Contains(kept.text.Bytes(), []byte(secret)) {
			t.Errorf("%q is kept", secret)
		}
	}
}
