package director

import lru "github.com/hashicorp/golang-lru/v2"

// cacheSize is the maximum number of values in a cache.
const cacheSize = 64

// cache is an LRU cache of values computed from tournaments. A value is invalid once the tournament's version changes.
type cache[T any] struct {
	values *lru.Cache[cacheKey, cached[T]]
}

type cacheKey struct {
	id    string
	round int
	staff bool // view of the organiser and arbiters
}

type cached[T any] struct {
	version int64
	value   T
}

func newCache[T any]() cache[T] {
	values, _ := lru.New[cacheKey, cached[T]](cacheSize) // fails only for a size below 1
	return cache[T]{values}
}

// get returns the value for a version, and computes it if it is not in the cache.
func (c cache[T]) get(key cacheKey, version int64, compute func() (T, error)) (T, error) {
	if value, ok := c.find(key, version); ok {
		return value, nil
	}
	value, err := compute()
	if err == nil {
		c.values.Add(key, cached[T]{version, value})
	}
	return value, err
}

func (c cache[T]) find(key cacheKey, version int64) (value T, ok bool) {
	kept, ok := c.values.Get(key)
	if !ok || kept.version != version {
		return value, false
	}
	return kept.value, true
}
