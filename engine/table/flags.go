package table

import (
	"container/heap"
	"context"
	"errors"
	"sync"
	"time"
)

// schedule holds the deadlines of all running games in one heap; one goroutine waits for the earliest. Most deadlines
// are put off by a move long before they come: a game keeps its place in the heap then, and gets a new one when that is due.
type schedule struct {
	mu    sync.Mutex
	items deadlines
	index map[string]*deadline
	wake  chan struct{} // told when the earliest deadline has changed
}

type deadline struct {
	game string
	at   int64 // the deadline, ms UTC
	look int64 // its place in the heap, not after the deadline
	pos  int
}

func newSchedule() *schedule {
	return &schedule{index: map[string]*deadline{}, wake: make(chan struct{}, 1)}
}

// set arms a game's deadline; 0 takes it out.
func (s *schedule) set(game string, at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.first()
	switch d, known := s.index[game]; {
	case at == 0 && known:
		heap.Remove(&s.items, d.pos)
		delete(s.index, game)
	case at == 0:
		return
	case known && at >= d.look:
		d.at = at
		return
	case known:
		d.at, d.look = at, at
		heap.Fix(&s.items, d.pos)
	default:
		d := &deadline{game: game, at: at, look: at}
		s.index[game] = d
		heap.Push(&s.items, d)
	}
	if s.first() != first {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// fill arms the deadlines of many games at once; 0 arms none.
func (s *schedule) fill(games []Armed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.index) == 0 {
		s.index = make(map[string]*deadline, len(games))
		s.items = make(deadlines, 0, len(games))
	}
	entries := make([]deadline, 0, len(games))
	for _, g := range games {
		d := s.index[g.ID]
		switch {
		case g.Deadline == 0:
			continue
		case d == nil:
			entries = append(entries, deadline{game: g.ID, pos: len(s.items)})
			d = &entries[len(entries)-1]
			s.index[g.ID] = d
			s.items = append(s.items, d)
		}
		d.at, d.look = g.Deadline, g.Deadline
	}
	heap.Init(&s.items)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// first is when to look for a deadline, 0 if there is none. The mutex is held.
func (s *schedule) first() int64 {
	if len(s.items) == 0 {
		return 0
	}
	return s.items[0].look
}

// due takes out the games whose deadline is before now and says when to look again, 0 if there is none.
func (s *schedule) due(now int64) (games []string, next int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.items) > 0 && s.items[0].look < now {
		d := s.items[0]
		if d.at >= now {
			d.look = d.at
			heap.Fix(&s.items, 0)
			continue
		}
		heap.Pop(&s.items)
		delete(s.index, d.game)
		games = append(games, d.game)
	}
	return games, s.first()
}

// deadlines is a heap by when they are looked at.
type deadlines []*deadline

func (h deadlines) Len() int           { return len(h) }
func (h deadlines) Less(i, j int) bool { return h[i].look < h[j].look }
func (h deadlines) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].pos, h[j].pos = i, j
}

func (h *deadlines) Push(x any) {
	d := x.(*deadline)
	d.pos = len(*h)
	*h = append(*h, d)
}

func (h *deadlines) Pop() any {
	old := *h
	d := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return d
}

const (
	// fallingAtOnce bounds how many flags are recorded at the same time; they share the journal's commits.
	fallingAtOnce = 256
	// retryFlag is how long a flag that could not be stored waits for the next try.
	retryFlag = 200 * time.Millisecond
	// longWait is when the scheduler looks again without a deadline.
	longWait = time.Hour
)

// watchFlags lets flags fall as their deadlines pass, until ctx ends.
func (t *Tables) watchFlags(ctx context.Context) {
	room := make(chan struct{}, fallingAtOnce)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-t.flags.wake:
		}
		games, next := t.flags.due(t.now())
		for _, game := range games {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return
			}
			t.falling.Go(func() {
				defer func() { <-room }()
				t.fall(ctx, game)
			})
		}
		timer.Reset(t.until(next))
	}
}

// until is how long to wait for the first millisecond after a deadline.
func (t *Tables) until(deadline int64) time.Duration {
	if deadline == 0 {
		return longWait
	}
	return max(0, time.UnixMilli(deadline+1).Sub(time.UnixMilli(t.now())))
}

// fall records the flags of a game that have fallen by now. Whatever stands in its way, the deadline stays armed.
func (t *Tables) fall(ctx context.Context, game string) {
	look := func(*draft, int64) error { return nil }
	s, finished, err := t.judge(context.WithoutCancel(ctx), t.Arrive(game), look)
	switch {
	case errors.Is(err, ErrUnavailable): // told once, when the games came to a stand
		t.flags.set(game, t.now()+retryFlag.Milliseconds())
	case errors.Is(err, errBroken): // trying again would not help
		t.Logger.Error("a flag cannot be recorded", "game", game, "error", err)
	case err != nil:
		t.Logger.Error("a flag could not be recorded; trying again", "game", game, "error", err)
		t.flags.set(game, t.now()+retryFlag.Milliseconds())
	case finished:
		t.Follower.Wake()
	default:
		t.flags.set(game, s.Game.Deadline)
	}
}
