// Package ttlcache is a TTL cache in front of the database, for values that every request reads. Entries can be
// invalidated, and a value that was being read during an invalidation is not kept.
package ttlcache

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache holds at most a fixed number of values, each for at most a fixed time; a new value evicts the oldest (FIFO). It
// is safe for concurrent use.
type Cache[K comparable, V any] struct {
	life time.Duration
	now  func() time.Time

	mu     sync.RWMutex
	values *simplelru.LRU[K, entry[V]] // in the order of insertion: reading does not move a value
	epoch  uint64                      // grows with every invalidation
}

type entry[V any] struct {
	value V
	until time.Time
}

// New returns an empty cache of at most size values, each kept for life; now is its clock.
func New[K comparable, V any](size int, life time.Duration, now func() time.Time) *Cache[K, V] {
	values, err := simplelru.NewLRU[K, entry[V]](size, nil)
	if err != nil {
		panic(err) // the size is a constant of ours
	}
	return &Cache[K, V]{life: life, now: now, values: values}
}

// Get returns the value of a key, and whether it is cached and alive.
func (c *Cache[K, V]) Get(key K) (V, bool) { return c.GetAt(key, c.now()) }

// GetAt is Get at a known time.
func (c *Cache[K, V]) GetAt(key K, now time.Time) (V, bool) {
	c.mu.RLock()
	e, ok := c.values.Peek(key)
	c.mu.RUnlock()
	if !ok || !now.Before(e.until) {
		var none V
		return none, false
	}
	return e.value, true
}

// Load returns the value of a key, from memory or from read. Errors are not cached.
func (c *Cache[K, V]) Load(key K, read func() (V, error)) (V, error) {
	return c.LoadAt(key, c.now(), read)
}

// LoadAt is Load at a known time.
func (c *Cache[K, V]) LoadAt(key K, now time.Time, read func() (V, error)) (V, error) {
	if v, ok := c.GetAt(key, now); ok {
		return v, nil
	}
	epoch := c.Epoch()
	v, err := read()
	if err != nil {
		return v, err
	}
	c.Keep(epoch, key, v, c.now().Add(c.life))
	return v, nil
}

// Epoch returns the number of invalidations so far: to be taken before reading a value that is kept afterwards
// ([Cache.Keep]).
func (c *Cache[K, V]) Epoch() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.epoch
}

// Keep holds a value until a time, unless an invalidation since the epoch may have made it stale.
func (c *Cache[K, V]) Keep(epoch uint64, key K, value V, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch != c.epoch {
		return
	}
	c.values.Add(key, entry[V]{value, until})
}

// Forget invalidates the value of a key.
func (c *Cache[K, V]) Forget(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	c.values.Remove(key)
}

// Clear invalidates everything.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	c.values.Purge()
}

// Len returns the number of values held, those out of date included.
func (c *Cache[K, V]) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.values.Len()
}
