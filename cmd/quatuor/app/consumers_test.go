package app

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// following runs consumers in a bubble; passes are what they have done, and when.
func following(t *testing.T, test func(t *testing.T, c *consumers, passes *[]time.Duration)) {
	synctest.Test(t, func(t *testing.T) {
		began, passes := time.Now(), []time.Duration(nil)
		c := newConsumers(slog.New(slog.DiscardHandler))
		c.all = []consumer{{"test", func(context.Context) (int, error) {
			passes = append(passes, time.Since(began))
			return 0, nil
		}}}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			c.run(ctx)
		}()
		test(t, c, &passes)
		stop()
		<-ended
		if len(passes) == 0 || passes[len(passes)-1] != time.Since(began) {
			t.Errorf("no last pass at the end: %v", passes)
		}
	})
}

// TestGamesThatEndAtOnceAreOnePass wakes the consumers a hundred times within one delay.
func TestGamesThatEndAtOnceAreOnePass(t *testing.T) {
	following(t, func(t *testing.T, c *consumers, passes *[]time.Duration) {
		for range 100 {
			c.Wake()
			time.Sleep(batchDelay / 200)
		}
		time.Sleep(batchDelay)
		synctest.Wait()
		if len(*passes) != 1 || (*passes)[0] != batchDelay {
			t.Errorf("passes at %v, want one at %s", *passes, batchDelay)
		}
	})
}

// TestFollowDoesNotWaitForMoreGames asks for a pass while the consumers wait for more games to end.
func TestFollowDoesNotWaitForMoreGames(t *testing.T) {
	following(t, func(t *testing.T, c *consumers, passes *[]time.Duration) {
		c.Wake()
		time.Sleep(batchDelay / 4)
		c.Follow(t.Context())
		if len(*passes) != 1 || (*passes)[0] != batchDelay/4 {
			t.Errorf("passes at %v, want one at %s", *passes, batchDelay/4)
		}
	})
}
