package director

import "sync"

// cacheSize is how many values a cache keeps.
const cacheSize = 64

// cache keeps what was computed from tournaments lately. A value is good as long as the tournament's version is.
type cache[T any] struct {
	mu     sync.Mutex
	clock  int64
	values map[cacheKey]*cached[T]
}

type cacheKey struct {
	id    string
	round int
	staff bool // for those who run the tournament
}

type cached[T any] struct {
	version, used int64
	value         T
}

// get gives the value for a version, computing it if it is not kept.
func (c *cache[T]) get(key cacheKey, version int64, compute func() (T, error)) (T, error) {
	if value, ok := c.find(key, version); ok {
		return value, nil
	}
	value, err := compute()
	if err == nil {
		c.put(key, version, value)
	}
	return value, err
}

func (c *cache[T]) find(key cacheKey, version int64) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.values[key]
	if kept == nil || kept.version != version {
		return value, false
	}
	c.clock++
	kept.used = c.clock
	return kept.value, true
}

// put keeps a value, in the place of the one not used for longest if there are enough.
func (c *cache[T]) put(key cacheKey, version int64, value T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil {
		c.values = make(map[cacheKey]*cached[T])
	}
	c.clock++
	c.values[key] = &cached[T]{version: version, used: c.clock, value: value}
	if len(c.values) <= cacheSize {
		return
	}
	oldest := key
	for k, kept := range c.values {
		if kept.used < c.values[oldest].used {
			oldest = k
		}
	}
	delete(c.values, oldest)
}
