package api_test

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestARepeatedRequestIsAnsweredAsBefore(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	first := olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("k1")).Want(t, http.StatusCreated)
	again := olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("k1")).Want(t, http.StatusCreated)
	if !bytes.Equal(first.Raw, again.Raw) || again.Header.Get("ETag") != first.Header.Get("ETag") ||
		again.Header.Get("Idempotent-Replayed") != "true" || again.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s, %v\nthen %s, %v", first.Raw, first.Header, again.Raw, again.Header)
	}
	olga.Post("/players", `{"name":"Dora"}`, apitest.Key("k1")).
		Refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
	olga.Post("/tournaments", apitest.Cup, apitest.Key("k1")).
		Refused(t, http.StatusUnprocessableEntity, "idempotency-key-reused")
	other := olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("k2")).Want(t, http.StatusCreated)
	if other.Text("id") == first.Text("id") {
		t.Error("another key is another intention")
	}
	otto := s.WithRole("otto", account.RoleOrganiser)
	if his := otto.Post("/players", `{"name":"Cleo"}`, apitest.Key("k1")).
		Want(t, http.StatusCreated); his.Text("id") == first.Text("id") {
		t.Error("somebody else's key is not one's own")
	}
	olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("")).Want(t, http.StatusBadRequest)
	olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("two words")).Refused(t, http.StatusBadRequest, "malformed")
}

func TestARepeatedGameIsOpenedOnce(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	body := map[string]any{
		"variant": "quixo/duel", "time_control": "300+3",
		"seats": []any{map[string]any{"player_id": ada.Player}, map[string]any{"player_id": bob.Player}},
	}
	first := ada.Post("/games", body, apitest.Key("evening")).Want(t, http.StatusCreated)
	// A crash may have come between the game and its answer: then the key is fresh again, and finds the same game.
	if _, err := s.Store.Replies().ForgetReplies(t.Context(), s.Now().UnixMilli()+1000); err != nil {
		t.Fatal(err)
	}
	again := ada.Post("/games", body, apitest.Key("evening")).Want(t, http.StatusCreated)
	if first.Text("id") != again.Text("id") || again.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("%s\nthen %s", first.Raw, again.Raw)
	}
	if list := ada.Get("/games").Want(t, http.StatusOK); len(list.List("items")) != 1 {
		t.Errorf("%s", list.Raw)
	}
	id := first.Text("id")
	won := ada.Post("/games/"+id+"/moves", apitest.Move(1, 1, "c1-c5"), apitest.Key("move")).Want(t, http.StatusOK)
	bob.Post("/games/"+id+"/moves", apitest.Move(2, 2, "a1-e1")).Want(t, http.StatusOK)
	late := ada.Post("/games/"+id+"/moves", apitest.Move(1, 1, "c1-c5"), apitest.Key("move")).Want(t, http.StatusOK)
	if !bytes.Equal(won.Raw, late.Raw) {
		t.Errorf("%s\nthen %s", won.Raw, late.Raw)
	}
}

// TestWhatACrashLeftUnansweredIsMadeOnce forgets the answers, as if the crash had come between what was made and its
// answer: the same requests then find what they made.
func TestWhatACrashLeftUnansweredIsMadeOnce(t *testing.T) {
	s := apitest.New(t)
	olga, otto := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	for path, body := range map[string]string{"/players": `{"name":"Cleo"}`, "/tournaments": apitest.Cup} {
		first := olga.Post(path, body, apitest.Key("k"+path)).Want(t, http.StatusCreated)
		if _, err := s.Store.Replies().ForgetReplies(t.Context(), s.Now().UnixMilli()+1000); err != nil {
			t.Fatal(err)
		}
		again := olga.Post(path, body, apitest.Key("k"+path)).Want(t, http.StatusCreated)
		if !bytes.Equal(first.Raw, again.Raw) || again.Header.Get("Idempotent-Replayed") != "" ||
			again.Header.Get("ETag") != first.Header.Get("ETag") {
			t.Errorf("%s: %s\nthen %s", path, first.Raw, again.Raw)
		}
		for what, other := range map[string]*apitest.Answer{
			"another key": olga.Post(path, body, apitest.Key("l"+path)), "nobody's key": olga.Post(path, body),
			"another's key": otto.Post(path, body, apitest.Key("k"+path)),
		} {
			if other.Want(t, http.StatusCreated).Text("id") == first.Text("id") {
				t.Errorf("%s: %s gives the same", path, what)
			}
		}
	}
}

func TestWhatFailedMayBeTriedAgainWithTheSameKey(t *testing.T) {
	s := apitest.New(t)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	path := "/tournaments/" + olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	enter := func() *apitest.Answer {
		return ada.Post(path+"/entries", map[string]any{"player_id": ada.Player}, apitest.Key("me"))
	}
	enter().Refused(t, http.StatusNotFound, "not-found")
	olga.Post(path+"/open", nil).Want(t, http.StatusOK)
	enter().Want(t, http.StatusCreated)
	enter().Want(t, http.StatusCreated)
	if entries := olga.Get(path+"/entries").Want(t, http.StatusOK); len(entries.List("items")) != 1 {
		t.Errorf("%s", entries.Raw)
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
	s := apitest.New(t, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) { slow.replies = d.Replies; d.Replies = slow }
	})
	olga := s.WithRole("olga", account.RoleOrganiser)
	var first *apitest.Answer
	var done sync.WaitGroup
	done.Go(func() { first = olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("k")) })
	<-slow.begun
	pending := olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("k")).
		Refused(t, http.StatusConflict, "request-in-progress")
	if pending.Header.Get("Retry-After") != "1" {
		t.Errorf("headers %v", pending.Header)
	}
	close(slow.goOn)
	done.Wait()
	again := olga.Post("/players", `{"name":"Cleo"}`, apitest.Key("k")).Want(t, http.StatusCreated)
	if !bytes.Equal(first.Raw, again.Raw) {
		t.Errorf("%s\nthen %s", first.Raw, again.Raw)
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
	s := apitest.New(t, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) { kept.replies = d.Replies; d.Replies = kept }
	})
	s.WithRole("root", account.RoleAdmin)
	olga := s.WithRole("olga", account.RoleOrganiser)
	account := `{"login":"ada","password":"correct horse","player_name":"Ada"}`
	first := s.Anonymous().Post("/accounts", account, apitest.Key("my-key-1")).Want(t, http.StatusCreated)
	if again := s.Anonymous().Post("/accounts", account, apitest.Key("my-key-1")).
		Want(t, http.StatusCreated); !bytes.Equal(first.Raw, again.Raw) {
		t.Errorf("%s\nthen %s", first.Raw, again.Raw)
	}
	secrets := []string{"my-key-1", "my-key-2", "correct horse"}
	player := olga.Post("/players", `{"name":"Cleo"}`).Want(t, http.StatusCreated).Text("id")
	for path, body := range map[string]any{
		"/sessions": `{"login":"ada","password":"correct horse"}`, "/me/tokens": `{"name":"x","scopes":["read"]}`,
		"/invitations": nil, "/players/" + player + "/claim-code": nil,
	} {
		keyed := []apitest.Header{apitest.Key("my-key-2" + path)}
		a := olga.Post(path, body, keyed...).Want(t, http.StatusCreated)
		if again := olga.Post(path, body, keyed...).Want(t, http.StatusCreated); path != "/sessions" &&
			!bytes.Equal(a.Raw, again.Raw) {
			t.Errorf("%s\nthen %s", a.Raw, again.Raw)
		}
		for _, member := range []string{"access_token", "refresh_token", "token", "code"} {
			if secret := a.Text(member); secret != "" {
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
