package app

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/store"
)

// alone is the outbox of an instance that shares it with none.
type alone struct{ waiting int64 }

func (a alone) Waiting(context.Context, string) (int64, error) { return a.waiting, nil }

// following runs consumers in a bubble, with passes of a given duration; passes are their beginnings.
func following(t *testing.T, takes time.Duration, test func(t *testing.T, c *consumers, passes *[]time.Duration)) {
	synctest.Test(t, func(t *testing.T) {
		began, passes := time.Now(), []time.Duration(nil)
		c := newConsumers(slog.New(slog.DiscardHandler), alone{}, 0)
		c.set(consumer{name: "test", consume: func(context.Context, *store.Ended) error {
			passes = append(passes, time.Since(began))
			time.Sleep(takes)
			return nil
		}})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			c.run(ctx)
		}()
		test(t, c, &passes)
		stop()
		<-ended
		if len(passes) == 0 || passes[len(passes)-1] != time.Since(began)-takes {
			t.Errorf("no last pass at the end: %v", passes)
		}
	})
}

// TestGamesThatEndAtOnceAreOnePass wakes the consumers a hundred times within a delay.
func TestGamesThatEndAtOnceAreOnePass(t *testing.T) {
	following(t, 0, func(t *testing.T, c *consumers, passes *[]time.Duration) {
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

// TestFollowDoesNotWaitForMoreGames requests a pass while the consumers wait for more games to end.
func TestFollowDoesNotWaitForMoreGames(t *testing.T) {
	following(t, 0, func(t *testing.T, c *consumers, passes *[]time.Duration) {
		c.Wake()
		time.Sleep(batchDelay / 4)
		c.Follow(t.Context())
		if len(*passes) != 1 || (*passes)[0] != batchDelay/4 {
			t.Errorf("passes at %v, want one at %s", *passes, batchDelay/4)
		}
	})
}

// TestCrowdsAreGathered lets games end in turn beside other instances: alone none waits for another, and under load
// those that end soon after each other share a pass.
func TestCrowdsAreGathered(t *testing.T) {
	following(t, time.Millisecond, func(t *testing.T, c *consumers, passes *[]time.Duration) {
		c.batching = gatherEnds
		follow := func(count int, apart time.Duration) (needed int) {
			var callers sync.WaitGroup
			before := len(*passes)
			for range count {
				callers.Go(func() { c.Follow(t.Context()) })
				synctest.Wait()
				time.Sleep(apart)
			}
			callers.Wait()
			return len(*passes) - before
		}
		const many = 2 * minBatch
		if first, second := follow(1, 0), follow(1, 0); first != 1 || second != 1 || (*passes)[1] != time.Millisecond {
			t.Errorf("passes at %v, want one at once and one after it", *passes)
		}
		if n := follow(many, 0); n != 2 {
			t.Errorf("%d passes, want one for the first and one for those who came while it lasted", n)
		}
		for range 3 {
			if n := follow(many, gatherEnds/many-1); n != 1 {
				t.Errorf("%d passes for games that ended within %s", n, gatherEnds)
			}
		}
	})
}

// TestBacklogIsLogged has games wait for longer than they should.
func TestBacklogIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		box := &alone{waiting: 3}
		c := newConsumers(slog.New(slog.NewTextHandler(&log, nil)), box, 0)
		c.set(consumer{name: "ratings"})
		lines := func() int { return strings.Count(log.String(), "\n") }
		for range int(backlogLogDelay/followInterval) + 3 {
			c.watchBacklog(t.Context())
			time.Sleep(followInterval)
		}
		if lines() != 1 || !strings.Contains(log.String(), "games=3") || c.backlogs["ratings"].waiting.Load() != 3 {
			t.Errorf("the log says %s", log.String())
		}
		box.waiting = 2
		c.watchBacklog(t.Context())
		if lines() != 2 || !strings.Contains(log.String(), "again") {
			t.Errorf("the log says %s", log.String())
		}
		time.Sleep(backlogLogDelay / 2)
		c.watchBacklog(t.Context())
		if lines() != 2 {
			t.Errorf("the log says %s", log.String())
		}
	})
}
