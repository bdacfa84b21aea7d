// Package limit is a rate limiter: the generic cell rate algorithm (GCRA), one number a key. Each key has a time at which it
// will have paid for everything it did; as long as that lies no further ahead than a burst is worth, it may go on.
package limit

import (
	"hash/maphash"
	"sync"
	"time"
)

// Rate is how much is allowed.
type Rate struct {
	PerMinute int // in the long run
	Burst     int // at once, after a while of doing nothing
}

// Verdict is whether one more is allowed, and what a client should know about it.
type Verdict struct {
	OK        bool
	Limit     int           // the burst
	Remaining int           // how many more are allowed right now
	Reset     time.Duration // until the whole burst is there again
	RetryIn   time.Duration // until the next one is allowed; 0 if one is allowed now
}

// Limiter applies one rate to many keys. It is safe for concurrent use. The zero Rate allows everything.
type Limiter struct {
	rate   Rate
	now    func() time.Time
	seed   maphash.Seed
	shards [shardCount]shard
}

const (
	shardCount = 64
	// shardRoom is how many keys a shard holds before it drops those that have paid for everything.
	shardRoom = 1024
)

type shard struct {
	mu   sync.Mutex
	paid map[string]int64 // ns since 1970, when the key will have paid for all it did
	room int
}

// New returns a limiter without keys; now tells the time.
func New(rate Rate, now func() time.Time) *Limiter {
	l := &Limiter{rate: rate, now: now, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i] = shard{paid: map[string]int64{}, room: shardRoom}
	}
	return l
}

// Off reports whether the limiter allows everything.
func (l *Limiter) Off() bool { return l.rate.PerMinute <= 0 || l.rate.Burst <= 0 }

// Take counts one more for a key, if it is allowed.
func (l *Limiter) Take(key string) Verdict { return l.TakeAt(key, l.now()) }

// TakeAt is Take at a known time.
func (l *Limiter) TakeAt(key string, at time.Time) Verdict {
	if l.Off() {
		return Verdict{OK: true}
	}
	cost := int64(time.Minute) / int64(l.rate.PerMinute)
	room := cost * int64(l.rate.Burst)
	now := at.UnixNano()
	s := &l.shards[maphash.String(l.seed, key)%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	paid := max(s.paid[key], now)
	if next := paid + cost; next <= now+room {
		if _, known := s.paid[key]; !known && len(s.paid) >= s.room {
			s.sweep(now)
		}
		s.paid[key] = next
		return l.verdict(true, next-now, cost, room)
	}
	return l.verdict(false, paid-now, cost, room)
}

func (l *Limiter) verdict(ok bool, debt, cost, room int64) Verdict {
	return Verdict{
		OK: ok, Limit: l.rate.Burst, Remaining: int((room - debt) / cost), Reset: time.Duration(debt),
		RetryIn: time.Duration(max(0, debt+cost-room)),
	}
}

// Refund takes back one that was counted.
func (l *Limiter) Refund(key string) {
	if l.Off() {
		return
	}
	s := &l.shards[maphash.String(l.seed, key)%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	if paid, ok := s.paid[key]; ok {
		s.paid[key] = paid - int64(time.Minute)/int64(l.rate.PerMinute)
	}
}

// sweep evicts the keys that owe nothing: they are like new ones. Where all owe something, the shard grows instead.
func (s *shard) sweep(now int64) {
	for key, paid := range s.paid {
		if paid <= now {
			delete(s.paid, key)
		}
	}
	s.room = max(shardRoom, 2*len(s.paid))
}

// Keys returns the number of keys held in memory.
func (l *Limiter) Keys() int {
	n := 0
	for i := range l.shards {
		l.shards[i].mu.Lock()
		n += len(l.shards[i].paid)
		l.shards[i].mu.Unlock()
	}
	return n
}
