package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
	"quatuor/tournament/account"
)

// stuck is a store of replies that blocks until it is released.
type stuck struct {
	api.Replies
	begun, goOn chan struct{}
}

func (s stuck) FinishReply(ctx context.Context, owner, key string, reply account.Reply) error {
	close(s.begun)
	<-s.goOn
	return s.Replies.FinishReply(ctx, owner, key, reply)
}

// TestAMoveWaitsForNoOtherInstance stalls an instance between a move with an Idempotency-Key and its answer. The same
// request to another instance is answered at once; that answer is kept.
func TestAMoveWaitsForNoOtherInstance(t *testing.T) {
	hold := stuck{begun: make(chan struct{}), goOn: make(chan struct{})}
	all := instances(t, dbtest.Cluster(t, "fsync=off").Schema(t), 2, func(c *Config) {
		c.AdaptAPI = func(served *api.Config) {
			if hold.Replies == nil { // the first
				hold.Replies, served.Replies = served.Replies, &hold
			}
		}
	})
	d := newDuel(t, all, "kept")
	ada := d.players[0][0]
	var own harness.Game
	if err := ada.Get(t.Context(), "/games/"+d.game.ID, &own); err != nil {
		t.Fatal(err)
	}
	send := func(a *App) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/games/"+own.ID+"/moves",
			strings.NewReader(`{"seat":1,"turn":1,"move":"`+own.Legal["1"][0]+`"}`))
		r.Host, r.Header = "localhost", ada.Header.Clone()
		r.Header.Set("Idempotency-Key", "first-move")
		answer := httptest.NewRecorder()
		a.Handler.ServeHTTP(answer, r)
		return answer
	}
	var working sync.WaitGroup
	answered := make(chan *httptest.ResponseRecorder, 1)
	working.Go(func() { answered <- send(all[0]) })
	select {
	case <-hold.begun:
	case a := <-answered:
		t.Fatalf("the move is answered %d %s", a.Code, a.Body)
	}
	if a := send(all[1]); a.Code != http.StatusOK || a.Header().Get("Idempotent-Replayed") != "" {
		t.Errorf("while another instance has the move it is answered %d %s", a.Code, a.Body)
	}
	close(hold.goOn)
	working.Wait()
	for _, a := range all {
		if a := send(a); a.Code != http.StatusOK || a.Header().Get("Idempotent-Replayed") != "true" {
			t.Errorf("afterwards it is answered %d %s", a.Code, a.Body)
		}
	}
}

// TestStreamsEndWithoutTheDatabase cuts an instance, beside another, off from the database. Its streams end, and begin
// again when it is back; those of the other go on, and so do those of an instance that has no others and loses its
// database.
func TestStreamsEndWithoutTheDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("waits some seconds until the database counts as away")
	}
	server := dbtest.Cluster(t, "fsync=off")
	dsn := server.Schema(t)
	between, through := server.Proxy(t, dsn)
	brief := func(c *Config) { c.Outlive = 400 * time.Millisecond }
	all := append(instances(t, dsn, 1, brief), instances(t, through, 1, brief)...)
	know(t, all)
	d := newDuel(t, all, "cut")
	before, itsOwn := server.Proxy(t, server.Schema(t))
	alone := instances(t, itsOwn, 1, brief)
	still := newDuel(t, alone, "alone")
	stays := watch(t, alone[0], still.events(), "")
	stays.next(t)
	safe, cut := watch(t, all[0], d.events(), ""), watch(t, all[1], d.events(), "")
	safe.next(t)
	cut.next(t)
	before.Freeze()
	defer before.Thaw() // before the instance ends
	between.Freeze()
	defer between.Thaw()
	cut.ends(t)
	d.move(t, 0)
	if g := safe.next(t); g.Version != d.game.Version {
		t.Errorf("the other instance tells version %d, want %d", g.Version, d.game.Version)
	}
	before.Thaw()
	between.Thaw()
	untilNotReady(t, alone[0], nil)
	select {
	case err := <-stays.ended:
		t.Errorf("the stream of an instance that has no others ended: %v", err)
	default:
	}
	untilNotReady(t, all[1], nil)
	watch(t, all[1], d.events(), "").upTo(t, d.game.Version)
}
