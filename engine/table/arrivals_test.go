package table

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestForwardedArrival acts before a waiting arrival with a later stamp, and after an arrival that has begun.
func TestForwardedArrival(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.open("quixo/duel", "60").Game.ID
		time.Sleep(10 * time.Second)
		begun, later := e.Arrive(id), e.Arrive(id)
		if err := begun.wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		stamp := e.now() - 200
		there := e.ArriveAt(id, stamp)
		answered := make(chan error, 1)
		go func() {
			_, err := e.Play(t.Context(), later, Move{Act: Act{Game: id, Seat: 1}, Turn: 1, Token: "b1-b5"})
			answered <- err
		}()
		synctest.Wait()
		begun.Done()
		synctest.Wait()
		s, err := e.Play(t.Context(), there, Move{Act: Act{Game: id, Seat: 1}, Turn: 1, Token: "a1-a5"})
		if err != nil || s.Lines[1].At != stamp || s.Lines[1].Elapsed != 9_800 {
			t.Errorf("the move from elsewhere: %v, %+v", err, s)
		}
		if err := <-answered; !errors.Is(err, ErrStaleTurn) {
			t.Errorf("the later one: %v, want %v", err, ErrStaleTurn)
		}
	})
}

// TestForwardedStamp lies neither ahead nor far back.
func TestForwardedStamp(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id, now := e.open("quixo/duel", "60").Game.ID, e.now()
		for shift, want := range map[int64]int64{-3: -3, 50: 0, -60_000: -5_000, 0: 0} {
			a := e.ArriveAt(id, now+shift)
			if a.At != now+want {
				t.Errorf("a stamp %d ms from now became %d", shift, a.At-now)
			}
			a.Done()
		}
	})
}

// TestArrivalOverTime stores nothing for a sender that has given up, not even if the process was frozen after it had
// checked, and conflicts with the acts of others in between.
func TestArrivalOverTime(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.open("quixo/duel", "60").Game.ID
		move := Move{Act: Act{Game: id, Seat: 1}, Turn: 1, Token: "a1-a5"}
		late := e.ArriveAt(id, e.now())
		late.Expires = e.now() + 100
		time.Sleep(101 * time.Millisecond)
		if _, err := e.Play(t.Context(), late, move); !errors.Is(err, ErrUnavailable) {
			t.Errorf("101 ms later: %v, want %v", err, ErrUnavailable)
		}
		frozen := e.ArriveAt(id, e.now())
		frozen.Expires = e.now() + 100
		e.journal.before = func(Step) {
			e.journal.before = nil
			time.Sleep(time.Second)
			other := New(Config{Storage: stored(e.journal), Shared: true, Instance: "other"})
			if _, err := other.Play(t.Context(), other.Arrive(id),
				Move{Act: Act{Game: id, Seat: 1}, Turn: 1, Token: "b1-b5"}); err != nil {
				t.Error(err)
			}
		}
		if _, err := e.Play(t.Context(), frozen, move); !errors.Is(err, ErrUnavailable) {
			t.Errorf("after another one has acted: %v, want %v", err, ErrUnavailable)
		}
		alone := e.ArriveAt(id, e.now())
		alone.Expires = e.now() + 100
		e.journal.before = func(Step) {
			e.journal.before = nil
			time.Sleep(time.Second)
		}
		if _, err := e.Play(t.Context(), alone, Move{Act: Act{Game: id, Seat: 2}, Turn: 2, Token: "d1-d5"}); !errors.Is(err,
			ErrUnavailable) {
			t.Errorf("frozen between judging and writing: %v, want %v", err, ErrUnavailable)
		}
		if s, err := e.play(id, 2, 2, "e1-e5"); err != nil || s.Lines[1].Text != "b1-b5" {
			t.Errorf("%v, %+v", err, s)
		}
		inTime := e.ArriveAt(id, e.now())
		inTime.Expires = e.now()
		if _, err := e.Play(t.Context(), inTime, Move{Act: Act{Game: id, Seat: 1}, Turn: 3, Token: "c1-c5"}); err != nil {
			t.Error(err)
		}
	})
}

// TestArrivalsActInOrder queues local and forwarded arrivals while others act, give up or are done: those that wait act
// in turn, by their stamps, and none is left waiting.
func TestArrivalsActInOrder(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tables := New(Config{Storage: stored(newMemory())})
		var queue []*Arrival // as it must be
		var acting *Arrival
		r.Repeat(map[string]func(*rapid.T){
			"here": func(*rapid.T) { queue = append(queue, tables.Arrive("g")) },
			"elsewhere": func(r *rapid.T) {
				a := tables.ArriveAt("g", tables.now()-rapid.Int64Range(0, 8).Draw(r, "ago"))
				queue = append(queue, a)
				slices.SortStableFunc(queue, func(a, b *Arrival) int {
					switch { // it is the last so far
					case a == acting:
						return -1
					case b == acting:
						return 1
					}
					return cmp.Compare(a.At, b.At)
				})
			},
			"act": func(r *rapid.T) {
				if len(queue) == 0 || acting != nil {
					r.Skip()
				}
				acting = queue[0]
				if err := acting.wait(context.Background()); err != nil {
					r.Fatal(err)
				}
			},
			"done": func(r *rapid.T) {
				if len(queue) == 0 {
					r.Skip()
				}
				i := rapid.IntRange(0, len(queue)-1).Draw(r, "which")
				if queue[i] == acting {
					acting = nil
				}
				queue[i].Done()
				queue = slices.Delete(queue, i, i+1)
			},
			"": func(r *rapid.T) {
				for i, a := range queue {
					want := waits
					if a == acting {
						want = begun
					} else if i == 0 {
						want = free
					}
					if got := a.turn.Load(); got != want {
						r.Fatalf("arrival %d of %d is in state %d, want %d", i, len(queue), got, want)
					}
				}
			},
		})
		var mu sync.Mutex
		var acted []*Arrival
		var all sync.WaitGroup
		for _, a := range queue {
			all.Go(func() {
				if err := a.wait(context.Background()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				acted = append(acted, a)
				mu.Unlock()
				a.Done()
			})
		}
		all.Wait()
		if !slices.Equal(acted, queue) || len(tables.cache.pinned) != 0 {
			r.Fatalf("%d of %d acted in order", len(acted), len(queue))
		}
	})
}

// never is a follower that never comes to an end.
type never struct{}

func (never) Wake()                      {}
func (never) Follow(ctx context.Context) { <-ctx.Done() }

// TestTheEndIsAnsweredInTime ends games that are never rated: the answer waits for them for a while, less if the
// request was forwarded, and a forwarded request is answered while its instance still listens.
func TestTheEndIsAnsweredInTime(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		e.Follower = never{}
		for _, c := range []struct{ ago, expires, want time.Duration }{
			{0, 0, 1400 * time.Millisecond},
			{time.Second, 0, 400 * time.Millisecond},
			{3 * time.Second, 0, 0},
			{0, time.Second, 800 * time.Millisecond},
			{0, 5 * time.Second, 1400 * time.Millisecond},
		} {
			id := e.open("quixo/duel", "60").Game.ID
			time.Sleep(5 * time.Second)
			a, began := e.ArriveAt(id, e.now()-c.ago.Milliseconds()), time.Now()
			if c.expires != 0 {
				a.Expires = e.now() + c.expires.Milliseconds()
			}
			if _, err := e.Resign(t.Context(), a, Act{Game: id, Seat: 1}); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took < c.want || took > c.want+10*time.Millisecond {
				t.Errorf("%+v: answered after %s", c, took)
			}
		}
	})
}
