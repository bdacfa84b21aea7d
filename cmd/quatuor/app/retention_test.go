package app

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/tournament/account"
)

// TestRepliesAreForgottenInTime lets two days pass: until then an answer is given again, after that it is gone.
func TestRepliesAreForgottenInTime(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		db, err := store.Open(context.Background(), store.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		begin := func(want account.ReplyState) {
			t.Helper()
			_, state, err := db.Replies().BeginReply(t.Context(), account.Request{
				Owner: "ann", Key: "k", Fingerprint: "f", At: time.Now().UnixMilli(),
			})
			if err != nil || state != want {
				t.Errorf("state %v, error %v, want %d", state, err, want)
			}
		}
		begin(account.ReplyFresh)
		if err := db.Replies().FinishReply(t.Context(), "ann", "k", account.Reply{Status: 200}); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			tables := table.New(table.Config{Storage: db.Games().Storage()})
			(&App{Store: db, Tables: tables, logger: slog.New(slog.DiscardHandler)}).forgetReplies(ctx)
		}()
		time.Sleep(replyRetention - time.Minute)
		synctest.Wait()
		begin(account.ReplyAnswered)
		time.Sleep(retentionInterval + 2*time.Minute)
		synctest.Wait()
		begin(account.ReplyFresh)
		stop()
		<-ended
	})
}
