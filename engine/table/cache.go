package table

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Idle games are in memory, others are loaded from the journal when needed: of those that are over the last endedSize,
// and of those that are not as many as have runningLines lines together, about 50 MB. A game counts as emptyLines lines
// more than it has.
//
// So ended games do not evict running games; 32,000 that have just begun fit. With 4,096 games of either kind, 2 % of
// the flags among 16,000 games were stored later than 10 ms instead of less than 1 % (quatuor bench --what flags).
const (
	endedSize    = 1024
	runningLines = 1 << 18
	emptyLines   = 8
)

// live is a game in memory. Its mutex is held while an act is judged and stored; readers load the snapshot without it.
type live struct {
	id   string
	mu   sync.Mutex
	snap atomic.Pointer[Snapshot]
	uses int
	last *Arrival // the end of the queue of arrivals that wait for it; nil for none
}

// cache holds games, of idle games the most recently used. Those in use are pinned in a map of their own, and may be
// evicted once released.
type cache struct {
	mu      sync.Mutex
	pinned  map[string]*live
	running *simplelru.LRU[string, *live]
	ended   *simplelru.LRU[string, *live]
	lines   int // of the games in running
}

func newCache() *cache {
	c := &cache{pinned: map[string]*live{}}
	// Creating an LRU fails only for a size below 1.
	c.running, _ = simplelru.NewLRU(runningLines/emptyLines, func(_ string, g *live) { c.lines -= g.lines() })
	c.ended, _ = simplelru.NewLRU[string, *live](endedSize, nil)
	return c
}

// lines returns the weight of a game in lines. It does not change while the game is not pinned.
func (g *live) lines() int { return emptyLines + len(g.snap.Load().Lines) }

// take pins a game; release unpins it.
func (c *cache) take(id string) *live {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pin(id)
}

func (c *cache) release(g *live) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unpin(g)
}

// pin is take, and unpin is release, with the mutex held.
func (c *cache) pin(id string) *live {
	g := c.find(id)
	switch {
	case g == nil:
		g = &live{id: id}
		c.pinned[id] = g
	case g.uses == 0:
		c.running.Remove(id)
		c.ended.Remove(id)
		c.pinned[id] = g
	}
	g.uses++
	return g
}

func (c *cache) unpin(g *live) {
	if g.uses--; g.uses > 0 {
		return
	}
	delete(c.pinned, g.id)
	s := g.snap.Load()
	switch {
	case s == nil:
	case s.Game.Status.Over():
		c.ended.Add(g.id, g)
	default:
		c.addRunning(g)
	}
}

func (c *cache) addRunning(g *live) {
	c.running.Add(g.id, g)
	c.lines += g.lines()
	for c.lines > runningLines {
		c.running.RemoveOldest()
	}
}

// find returns a game that is in memory, or nil. The mutex is held.
func (c *cache) find(id string) *live {
	if g := c.pinned[id]; g != nil {
		return g
	}
	if g, ok := c.running.Peek(id); ok {
		return g
	}
	g, _ := c.ended.Peek(id)
	return g
}

// peek returns a game's snapshot if it is in memory.
func (c *cache) peek(id string) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.find(id); g != nil {
		return g.snap.Load()
	}
	return nil
}

// Snapshot returns the latest stored state of a game. It does not check the clocks.
func (t *Tables) Snapshot(ctx context.Context, id string) (*Snapshot, error) {
	if err := t.outages.creditBeforeRead(ctx, id); err != nil && !errors.Is(err, ErrUnavailable) {
		return nil, err
	}
	if s := t.cache.peek(id); s != nil && !t.mayBeOld(s) {
		return s, nil
	}
	g := t.cache.take(id)
	defer t.cache.release(g)
	g.mu.Lock()
	defer g.mu.Unlock()
	return t.load(ctx, g)
}

// mayBeOld reports whether a newer version may be stored: by another process, or as the correction of a hall game.
func (t *Tables) mayBeOld(s *Snapshot) bool { return s.Game.Hall || t.cluster.mayBeOld(s) }

// load returns the game's snapshot, from the journal if the cached snapshot is missing or stale. The game's mutex is
// held.
func (t *Tables) load(ctx context.Context, g *live) (*Snapshot, error) {
	if s := g.snap.Load(); s != nil {
		if !t.mayBeOld(s) {
			return s, nil
		}
		version, err := t.Journal.Version(ctx, g.id)
		if err != nil || version == s.Game.Version && !s.Game.Hall {
			return s, err
		}
	}
	return t.read(ctx, g)
}

// SnapshotAt is Snapshot for a version that is known to be stored: a cached snapshot of at least that version is
// returned at once.
func (t *Tables) SnapshotAt(ctx context.Context, id string, version int64) (*Snapshot, error) {
	if err := t.outages.creditBeforeRead(ctx, id); err != nil && !errors.Is(err, ErrUnavailable) {
		return nil, err
	}
	if s := t.cache.peek(id); s != nil && s.Game.Version >= version {
		return s, nil
	}
	g := t.cache.take(id)
	defer t.cache.release(g)
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.snap.Load(); s != nil && s.Game.Version >= version {
		return s, nil
	}
	return t.read(ctx, g)
}

// read reads a game from the journal: of a game in memory, only the news. The game's mutex is held.
func (t *Tables) read(ctx context.Context, g *live) (*Snapshot, error) {
	var game Game
	var lines []Line
	var err error
	known := g.snap.Load()
	if known == nil || known.Game.Hall { // the log of a hall game is rewritten
		known = &Snapshot{}
		game, lines, err = t.Journal.Load(ctx, g.id)
	} else {
		game, lines, err = t.Journal.LoadSince(ctx, g.id, known.Game.Version)
	}
	if err != nil {
		return nil, err
	}
	s, err := known.extended(game, lines)
	if err != nil {
		return nil, err
	}
	g.snap.Store(s)
	return s, nil
}
