// Package memo is a TTL cache: what every request asks for is not read from the database every time. It forgets on
// demand, and never remembers what was read before it was told to forget.
package memo

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Memo remembers at most a fixed number of values, each for at most a fixed time; the one kept longest makes room for
// a new one. It is safe for concurrent use.
type Memo[K comparable, V any] struct {
	life time.Duration
	now  func() time.Time

	mu     sync.RWMutex
	values *simplelru.LRU[K, entry[V]] // in the order in which they were kept: reading one does not move it
	epoch  uint64                      // grows with every forgetting
}

type entry[V any] struct {
	value V
	until time.Time
}

// New returns an empty memo of at most so many values, each remembered for life; now tells the time.
func New[K comparable, V any](size int, life time.Duration, now func() time.Time) *Memo[K, V] {
	values, err := simplelru.NewLRU[K, entry[V]](size, nil)
	if err != nil {
		panic(err) // the size is a constant of ours
	}
	return &Memo[K, V]{life: life, now: now, values: values}
}

// Get returns the value remembered for a key.
func (m *Memo[K, V]) Get(key K) (V, bool) { return m.GetAt(key, m.now()) }

// GetAt is Get at a known time.
func (m *Memo[K, V]) GetAt(key K, now time.Time) (V, bool) {
	m.mu.RLock()
	e, ok := m.values.Peek(key)
	m.mu.RUnlock()
	if !ok || !now.Before(e.until) {
		var none V
		return none, false
	}
	return e.value, true
}

// Load returns the value for a key, from memory or by asking read. Errors are not remembered.
func (m *Memo[K, V]) Load(key K, read func() (V, error)) (V, error) {
	return m.LoadAt(key, m.now(), read)
}

// LoadAt is Load at a known time.
func (m *Memo[K, V]) LoadAt(key K, now time.Time, read func() (V, error)) (V, error) {
	if v, ok := m.GetAt(key, now); ok {
		return v, nil
	}
	epoch := m.Epoch()
	v, err := read()
	if err != nil {
		return v, err
	}
	m.Keep(epoch, key, v, m.now().Add(m.life))
	return v, nil
}

// Epoch is to be taken before a value is read that Keep is given afterwards.
func (m *Memo[K, V]) Epoch() uint64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.epoch
}

// Keep remembers a value until a time, unless something was forgotten since the epoch: then it may be out of date.
func (m *Memo[K, V]) Keep(epoch uint64, key K, value V, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if epoch != m.epoch {
		return
	}
	m.values.Add(key, entry[V]{value, until})
}

// Forget drops what is remembered for a key.
func (m *Memo[K, V]) Forget(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epoch++
	m.values.Remove(key)
}

// Clear drops everything.
func (m *Memo[K, V]) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epoch++
	m.values.Purge()
}

// Len counts the values held, those out of date included.
func (m *Memo[K, V]) Len() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.values.Len()
}
