package app

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/store"
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
		begin := func(want int8) {
			t.Helper()
			_, _, _, state, err := db.Replies().BeginReply(t.Context(), "ann", "k", "f", time.Now().UnixMilli())
			if err != nil || state != want {
				t.Errorf("state %d, error %v, want %d", state, err, want)
			}
		}
		const fresh, answered = 0, 1
		begin(fresh)
		if err := db.Replies().FinishReply(t.Context(), "ann", "k", 200, "", nil); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			(&App{Store: db, logger: slog.New(slog.DiscardHandler)}).forgetReplies(ctx)
		}()
		time.Sleep(replyRetention - time.Minute)
		synctest.Wait()
		begin(answered)
		time.Sleep(retentionInterval + 2*time.Minute)
		synctest.Wait()
		begin(fresh)
		stop()
		<-ended
	})
}
