// Package members keeps the list of living instances of the service, and derives the owner of each key from it.
//
// An instance lives as long as its last heartbeat is no older than [Window] by the database's clock. Every heartbeat of
// this process brings the list of the living, so that all instances have the same list within the interval of the
// heartbeat; an instance that ends in order is taken off it at once.
//
// The owner of a key (the id of a game or of a tournament) is the living instance with the highest weight for it
// (rendezvous hashing: Thaler and Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM Transactions
// on Networking 6(1), 1998). So the instances agree without talking to each other, each owns as much as any other, and
// when an instance comes or goes, only the keys that it gets or had change their owner.
//
// Ownership saves work and is no lock: two lists may differ for a moment, and then two instances take themselves for
// the owner, or none. Whatever is stored is guarded by its version.
package members

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"
)

// Window is the maximum age of a living instance's last heartbeat.
const Window = 2 * time.Second

// Member is an instance of the service.
type Member struct {
	Instance string
	Address  string // base URL for the other instances, "" where it takes no forwarded acts
	Epoch    int64  // when it began, ms UTC by the database's clock, so it grows with each start; 0 before it is known
}

// Beat is the last heartbeat of a living instance.
type Beat struct {
	Member
	SeenAt int64 // ms UTC, by the database's clock
}

// Members is the list of living instances as this process knows it. It is safe for concurrent use.
type Members struct {
	self  Member
	alone bool
	view  atomic.Pointer[view]

	mu        sync.Mutex
	beats     []Beat           // the last list
	suspects  map[string]int64 // instances, with the heartbeat that was known when they did not answer
	left      bool
	observers []func()
}

// view is a list of living instances; immutable.
type view struct {
	all   []Member // by instance
	seeds []uint64 // of their weights
	mine  int      // index of this process in it; -1 for none
}

// New returns an empty list of members. self is this process.
func New(self Member) *Members {
	m := &Members{self: self, suspects: map[string]int64{}}
	m.view.Store(&view{mine: -1})
	return m
}

// Alone returns the only member of a service without other instances.
func Alone(self Member) *Members {
	m := New(self)
	m.alone = true
	m.view.Store(viewOf([]Member{self}, self.Instance))
	return m
}

func viewOf(all []Member, self string) *view {
	v := &view{all: all, seeds: make([]uint64, len(all)), mine: -1}
	slices.SortFunc(all, func(a, b Member) int { return cmp.Compare(a.Instance, b.Instance) })
	for i, one := range all {
		v.seeds[i] = xxhash.Sum64String(one.Instance)
		if one.Instance == self {
			v.mine = i
		}
	}
	return v
}

// owner returns the index of a key's owner in the list; -1 in an empty list.
func (v *view) owner(key string) int {
	if len(v.seeds) < 2 {
		return len(v.seeds) - 1
	}
	best, heaviest, hash := 0, uint64(0), xxhash.Sum64String(key)
	for i, seed := range v.seeds {
		if w := weight(hash, seed); w > heaviest {
			best, heaviest = i, w
		}
	}
	return best
}

// weight mixes the hashes of a key and of an instance. The mixing is the last step of SplitMix64 (Steele, Lea and
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
func weight(key, seed uint64) uint64 {
	w := key ^ seed
	w = (w ^ w>>30) * 0xbf58476d1ce4e5b9
	w = (w ^ w>>27) * 0x94d049bb133111eb
	return w ^ w>>31
}

// Owner returns the living instance that owns a key; false while none is known.
func (m *Members) Owner(key string) (Member, bool) {
	v := m.view.Load()
	i := v.owner(key)
	if i < 0 {
		return Member{}, false
	}
	return v.all[i], true
}

// Mine reports whether this process owns a key, or knows of no other instance.
func (m *Members) Mine(key string) bool {
	v := m.view.Load()
	i := v.owner(key)
	return i < 0 || i == v.mine
}

// Alone reports whether no other instance lives, as far as this process knows.
func (m *Members) Alone() bool {
	v := m.view.Load()
	return len(v.all) == 0 || len(v.all) == 1 && v.mine == 0
}

// All returns the living instances by their names, with this instance unless it is about to end.
func (m *Members) All() []Member {
	v := m.view.Load()
	if len(v.all) == 0 {
		return []Member{m.self}
	}
	return slices.Clone(v.all)
}

// Self returns this process as the others see it.
func (m *Members) Self() Member {
	if v := m.view.Load(); v.mine >= 0 {
		return v.all[v.mine]
	}
	return m.self
}

// Gone reports whether no heartbeat of an instance is recent. A suspected instance may be back with its next heartbeat.
func (m *Members) Gone(instance string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !slices.ContainsFunc(m.beats, func(b Beat) bool { return b.Instance == instance })
}

// Suspect notes that an instance did not answer: it counts as gone here until a later heartbeat of it is seen.
func (m *Members) Suspect(instance string) {
	if instance == m.self.Instance {
		return
	}
	m.mu.Lock()
	for _, b := range m.beats {
		if b.Instance == instance {
			m.suspects[instance] = b.SeenAt
		}
	}
	m.update()
}

// Heard takes over the list of living instances that came with a heartbeat of this process.
func (m *Members) Heard(beats []Beat) {
	m.mu.Lock()
	m.beats = slices.Clone(beats)
	for instance, at := range m.suspects {
		if i := slices.IndexFunc(beats, func(b Beat) bool { return b.Instance == instance }); i < 0 || beats[i].SeenAt > at {
			delete(m.suspects, instance)
		}
	}
	m.update()
}

// Leave notes that this process is about to end: from now on it owns nothing that another instance can own.
func (m *Members) Leave() {
	m.mu.Lock()
	m.left = true
	m.update()
}

// Observe has a function called after every change of the list. It must return quickly.
func (m *Members) Observe(changed func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.observers = append(m.observers, changed)
}

// update rebuilds the view, releases the mutex, which is held, and notifies the observers if it has changed.
func (m *Members) update() {
	var all []Member
	for _, b := range m.beats {
		if _, suspected := m.suspects[b.Instance]; !suspected && !(m.left && b.Instance == m.self.Instance) {
			all = append(all, b.Member)
		}
	}
	next, last := viewOf(all, m.self.Instance), m.view.Load()
	changed := !m.alone && !slices.Equal(next.all, last.all)
	if changed {
		m.view.Store(next)
	}
	observers := m.observers
	m.mu.Unlock()
	if changed {
		for _, notify := range observers {
			notify()
		}
	}
}
