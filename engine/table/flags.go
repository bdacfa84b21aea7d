package table

import (
	"container/heap"
	"context"
	"errors"
	"sync"
	"time"
)

// schedule is a priority queue (a binary heap) of the deadlines of all running games; a single goroutine waits for the
// earliest. Most deadlines are postponed by a move long before they come: updates are lazy, a game keeps its place in
// the heap until that is due, and then gets a new place.
type schedule struct {
	mu    sync.Mutex
	items deadlines
	index map[string]*deadline
	wake  chan struct{} // signalled when the earliest deadline has changed
}

type deadline struct {
	game string
	at   int64 // the deadline, ms UTC
	look int64 // its place in the heap, not after the deadline
	pos  int

	taken bool // armed because its owner may have died
}

func newSchedule() *schedule {
	return &schedule{index: map[string]*deadline{}, wake: make(chan struct{}, 1)}
}

// set arms a game's deadline; 0 removes it.
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
		d.at, d.taken = at, false
		return
	case known:
		d.at = at
		d.look = at
		d.taken = false
		heap.Fix(&s.items, d.pos)
	default:
		d := &deadline{game: game, at: at, look: at}
		s.index[game] = d
		heap.Push(&s.items, d)
	}
	s.wakeUnless(first)
}

// rearm resets the timer, because the time or the earliest deadline has changed.
func (s *schedule) rearm() { signal(s.wake) }

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
	s.rearm()
}

// adopt arms deadlines that were read a moment ago: of a game that is armed, only if that comes earlier, because it may
// have moved since. taken marks those of another process.
func (s *schedule) adopt(games []Armed, taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.first()
	for _, g := range games {
		switch d := s.index[g.ID]; {
		case g.Deadline == 0:
		case d == nil:
			d = &deadline{game: g.ID, at: g.Deadline, look: g.Deadline, taken: taken}
			s.index[g.ID] = d
			heap.Push(&s.items, d)
		case g.Deadline < d.at:
			d.at = g.Deadline
			if d.at < d.look {
				d.look = d.at
				heap.Fix(&s.items, d.pos)
			}
		}
	}
	s.wakeUnless(first)
}

// keep drops the deadlines of all games but some.
func (s *schedule) keep(some func(game string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.items[:0]
	for _, d := range s.items {
		if !some(d.game) {
			delete(s.index, d.game)
			continue
		}
		d.pos = len(kept)
		kept = append(kept, d)
	}
	clear(s.items[len(kept):])
	s.items = kept
	heap.Init(&s.items)
}

// wakeUnless resets the timer unless the earliest deadline is first. The mutex is held.
func (s *schedule) wakeUnless(first int64) {
	if s.first() != first {
		s.rearm()
	}
}

// size returns the number of armed games.
func (s *schedule) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.index)
}

// first returns the earliest time in the heap, 0 if it is empty. The mutex is held.
func (s *schedule) first() int64 {
	if len(s.items) == 0 {
		return 0
	}
	return s.items[0].look
}

// due removes and returns the games with a deadline before now, and returns the earliest deadline left, 0 for none.
func (s *schedule) due(now int64) (games []*deadline, next int64) {
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
		games = append(games, d)
	}
	return games, s.first()
}

// deadlines is a heap.Interface ordered by look.
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
	// maxConcurrentFlags is the maximum number of flags recorded concurrently; they share the journal's commits.
	maxConcurrentFlags = 256
	// retryFlag is the delay before a flag that could not be stored is tried again.
	retryFlag = 200 * time.Millisecond
	// longWait is the timer's duration without a deadline.
	longWait = time.Hour
)

// watchFlags records flags as their deadlines pass, until ctx ends.
func (t *Tables) watchFlags(ctx context.Context) {
	semaphore := make(chan struct{}, maxConcurrentFlags)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-t.flags.wake:
		}
		grace := t.cluster.grace()
		games, next := t.flags.due(t.now() - grace)
		for _, due := range games {
			select {
			case semaphore <- struct{}{}:
			case <-ctx.Done():
				return
			}
			t.falling.Go(func() {
				defer func() { <-semaphore }()
				t.fall(ctx, due.game, due.taken)
			})
		}
		if next != 0 {
			next += grace
		}
		timer.Reset(t.time.until(next))
	}
}

// fall records the flags of a game that have fallen by now. If that fails the deadline stays armed, unless the game is
// broken.
func (t *Tables) fall(ctx context.Context, game string, taken bool) {
	fell := 0
	look := func(d *draft, _ int64) error {
		fell = len(d.news())
		return nil
	}
	s, finished, err := t.judge(context.WithoutCancel(ctx), t.Arrive(game), look)
	if err == nil {
		t.broken.mended(game)
	}
	if err == nil && fell > 0 && taken {
		t.FlagTaken()
	}
	switch {
	case errors.Is(err, ErrUnavailable): // logged once, when the games were suspended
		t.arm(game, t.now()+retryFlag.Milliseconds())
	case errors.Is(err, errBroken): // trying again helps only once the game is mended
		if t.broken.met(game, t.now()) {
			t.Logger.Error("a flag cannot be recorded", "game", game, "error", err)
		}
	case err != nil:
		t.Logger.Error("a flag could not be recorded; trying again", "game", game, "error", err)
		t.arm(game, t.now()+retryFlag.Milliseconds())
	case finished:
		t.Follower.Wake()
	default:
		t.arm(game, s.Game.Deadline)
	}
}

// brokenGames are games with flags that cannot be recorded, because their logs do not replay. They stay overdue, and
// every sweep finds them: each is logged once, and retried with exponential backoff. The zero value is empty.
type brokenGames struct {
	mu    sync.Mutex
	games map[string]brokenGame
}

type brokenGame struct {
	again int64         // next retry, ms UTC
	rest  time.Duration // backoff after that
}

// The backoff of a broken game: the first, doubled each time up to the longest.
const (
	firstBrokenRest   = time.Minute
	longestBrokenRest = time.Hour
)

// met notes that a game is broken now, and reports whether that was not known.
func (b *brokenGames) met(game string, now int64) (news bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g, known := b.games[game]
	if !known {
		g.rest = firstBrokenRest
	}
	if b.games == nil {
		b.games = map[string]brokenGame{}
	}
	b.games[game] = brokenGame{again: now + g.rest.Milliseconds(), rest: min(2*g.rest, longestBrokenRest)}
	return !known
}

// due reports whether a game is to be tried: it is not known to be broken, or has rested.
func (b *brokenGames) due(game string, now int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return now >= b.games[game].again
}

// mended forgets a game.
func (b *brokenGames) mended(game string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.games, game)
}

// count returns the number of broken games.
func (b *brokenGames) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.games)
}

// Broken returns the number of games with flags that cannot be recorded, because their logs do not replay.
func (t *Tables) Broken() int { return t.broken.count() }
