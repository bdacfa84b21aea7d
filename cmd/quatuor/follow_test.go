package main

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// following runs a follower in a bubble; passes are what it has done, and when.
func following(t *testing.T, test func(t *testing.T, f *follower, passes *[]time.Duration)) {
	synctest.Test(t, func(t *testing.T) {
		began, passes := time.Now(), []time.Duration(nil)
		f := newFollower(slog.New(slog.DiscardHandler))
		f.consumers = []consumer{{"test", func(context.Context) (int, error) {
			passes = append(passes, time.Since(began))
			return 0, nil
		}}}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f.run(ctx)
		}()
		test(t, f, &passes)
		stop()
		<-ended
		if len(passes) == 0 || passes[len(passes)-1] != time.Since(began) {
			t.Errorf("no last pass at the end: %v", passes)
		}
	})
}

// TestGamesThatEndAtOnceAreFollowedTogether wakes the follower a hundred times within one breath.
func TestGamesThatEndAtOnceAreFollowedTogether(t *testing.T) {
	following(t, func(t *testing.T, f *follower, passes *[]time.Duration) {
		for range 100 {
			f.Wake()
			time.Sleep(breath / 200)
		}
		time.Sleep(breath)
		synctest.Wait()
		if len(*passes) != 1 || (*passes)[0] != breath {
			t.Errorf("passes at %v, want one at %s", *passes, breath)
		}
	})
}

// TestWhoWaitsIsFollowedAtOnce asks for a pass while the follower waits for more games to end.
func TestWhoWaitsIsFollowedAtOnce(t *testing.T) {
	following(t, func(t *testing.T, f *follower, passes *[]time.Duration) {
		f.Wake()
		time.Sleep(breath / 4)
		f.Follow(t.Context())
		if len(*passes) != 1 || (*passes)[0] != breath/4 {
			t.Errorf("passes at %v, want one at %s", *passes, breath/4)
		}
	})
}
