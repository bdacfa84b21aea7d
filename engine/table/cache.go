package table

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// cacheSize is how many games are kept in memory between acts; others are loaded from the journal when needed.
const cacheSize = 4096

// live is a game in memory. Its mutex is held while an act is judged and stored; readers take the snapshot without.
type live struct {
	id   string
	mu   sync.Mutex
	snap atomic.Pointer[Snapshot]
	uses int
	last *Arrival      // the end of the queue of those who have come for it; nil for none
	rank *list.Element // place by when it was last used; nil before the first time that somebody gave it back
}

// cache keeps the games lately used.
type cache struct {
	mu    sync.Mutex
	games map[string]*live
	ranks list.List // of *live, the longest unused in front
}

// take gives the game's place in memory, to be given back with release.
func (c *cache) take(id string) *live {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hold(id)
}

func (c *cache) release(g *live) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.letGo(g)
}

// hold is take, and letGo is release. The mutex is held.
func (c *cache) hold(id string) *live {
	g, ok := c.games[id]
	if !ok {
		g = &live{id: id}
		c.games[id] = g
	}
	g.uses++
	return g
}

func (c *cache) letGo(g *live) {
	g.uses--
	if g.uses > 0 {
		return
	}
	switch {
	case g.snap.Load() == nil:
		c.drop(g)
	case g.rank == nil:
		g.rank = c.ranks.PushBack(g)
	default:
		c.ranks.MoveToBack(g.rank)
	}
	for range c.ranks.Len() - cacheSize {
		if oldest := c.ranks.Front().Value.(*live); oldest.uses == 0 {
			c.drop(oldest)
		} else {
			c.ranks.MoveToBack(oldest.rank)
		}
	}
}

// drop takes a game out of memory. The mutex is held.
func (c *cache) drop(g *live) {
	delete(c.games, g.id)
	if g.rank != nil {
		c.ranks.Remove(g.rank)
		g.rank = nil
	}
}

// peek gives a game's snapshot if it is in memory.
func (c *cache) peek(id string) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g, ok := c.games[id]; ok {
		return g.snap.Load()
	}
	return nil
}

// Snapshot gives a game as it stands, without looking at the clocks.
func (t *Tables) Snapshot(ctx context.Context, id string) (*Snapshot, error) {
	if err := t.settle(ctx, id); err != nil && !errors.Is(err, ErrUnavailable) {
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

// mayBeOld reports whether another process may have changed the game since.
func (t *Tables) mayBeOld(s *Snapshot) bool { return t.Shared && !s.Game.Status.Over() }

// load gives the game's snapshot, from the journal where memory has none, or an old one. The game's mutex is held.
func (t *Tables) load(ctx context.Context, g *live) (*Snapshot, error) {
	if s := g.snap.Load(); s != nil {
		if !t.mayBeOld(s) {
			return s, nil
		}
		version, err := t.Journal.Version(ctx, g.id)
		if err != nil || version == s.Game.Version {
			return s, err
		}
	}
	game, lines, err := t.Journal.Load(ctx, g.id)
	if err != nil {
		return nil, err
	}
	s, err := fold(game, lines)
	if err != nil {
		return nil, err
	}
	g.snap.Store(s)
	return s, nil
}
