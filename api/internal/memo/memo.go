// Package memo remembers values for a short while, so that what every request asks for is not read from the database
// every time. It forgets on demand, and never remembers what was read before it was told to forget.
package memo

import (
	"sync"
	"time"
)

// Memo remembers at most a fixed number of values, each for at most a fixed time. It is safe for concurrent use.
type Memo[K comparable, V any] struct {
	life time.Duration
	most int
	now  func() time.Time

	mu     sync.RWMutex
	values map[K]entry[V]
	epoch  uint64 // grows with every forgetting
}

type entry[V any] struct {
	value V
	until time.Time
}

// New gives an empty memo of at most so many values, each remembered for life; now tells the time.
func New[K comparable, V any](most int, life time.Duration, now func() time.Time) *Memo[K, V] {
	return &Memo[K, V]{life: life, most: most, now: now, values: map[K]entry[V]{}}
}

// Get gives the value remembered for a key.
func (m *Memo[K, V]) Get(key K) (V, bool) { return m.GetAt(key, m.now()) }

// GetAt is Get for those who know what time it is now.
func (m *Memo[K, V]) GetAt(key K, now time.Time) (V, bool) {
	m.mu.RLock()
	e, ok := m.values[key]
	m.mu.RUnlock()
	if !ok || !now.Before(e.until) {
		var none V
		return none, false
	}
	return e.value, true
}

// Load gives the value for a key, from memory or by asking read. Errors are not remembered.
func (m *Memo[K, V]) Load(key K, read func() (V, error)) (V, error) {
	return m.LoadAt(key, m.now(), read)
}

// LoadAt is Load for those who know what time it is now.
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
	if len(m.values) >= m.most {
		m.makeRoom()
	}
	m.values[key] = entry[V]{value, until}
}

// makeRoom drops what is out of date and, if that is not enough, a part of the rest, whichever comes first.
func (m *Memo[K, V]) makeRoom() {
	now := m.now()
	for key, e := range m.values {
		if !now.Before(e.until) {
			delete(m.values, key)
		}
	}
	for key := range m.values {
		if len(m.values) <= m.most*3/4 {
			return
		}
		delete(m.values, key)
	}
}

// Forget drops what is remembered for a key.
func (m *Memo[K, V]) Forget(key K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epoch++
	delete(m.values, key)
}

// Clear drops everything.
func (m *Memo[K, V]) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epoch++
	clear(m.values)
}

// Len counts the values held, those out of date included.
func (m *Memo[K, V]) Len() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.values)
}
