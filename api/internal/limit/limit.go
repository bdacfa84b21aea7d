// Package limit is a rate limiter: the generic cell rate algorithm (GCRA), one number a key. Each key has a time at
// which it will have paid for everything it did; as long as that lies no further ahead than a burst is worth, it may go
// on.
package limit

import (
	"hash/maphash"
	"math"
	"net/http"
	"strconv"
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
	Reset     time.Duration // until the whole burst is available again
	RetryIn   time.Duration // until the next one is allowed; 0 if one is allowed now
}

// SetHeaders sets the RateLimit headers of an answer and, if it is a refusal, Retry-After.
func (v Verdict) SetHeaders(header http.Header) {
	header.Set("Ratelimit-Limit", strconv.Itoa(v.Limit))
	header.Set("Ratelimit-Remaining", strconv.Itoa(v.Remaining))
	header.Set("Ratelimit-Reset", Seconds(v.Reset))
	if !v.OK {
		header.Set("Retry-After", Seconds(v.RetryIn))
	}
}

// Seconds returns a duration in whole seconds, rounded up so that Retry-After is never too short.
func Seconds(d time.Duration) string { return strconv.FormatInt(int64(math.Ceil(d.Seconds())), 10) }

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

	spent map[string]int // requests allowed since the last Spent; nil where they are not counted
}

// New returns a limiter without keys; now is its clock.
func New(rate Rate, now func() time.Time) *Limiter {
	l := &Limiter{rate: rate, now: now, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i] = shard{paid: map[string]int64{}, room: shardRoom}
	}
	return l
}

// Off reports whether the rate allows everything.
func (r Rate) Off() bool { return r.PerMinute <= 0 || r.Burst <= 0 }

// Cost returns how long one is owed for, and Room how much may be owed. The rate must not be Off.
func (r Rate) Cost() time.Duration { return time.Minute / time.Duration(r.PerMinute) }

// Room returns how much may be owed.
func (r Rate) Room() time.Duration { return r.Cost() * time.Duration(r.Burst) }

// Verdict returns what a client should know that owes so much after an attempt that was counted, or refused.
func (r Rate) Verdict(ok bool, owed time.Duration) Verdict {
	cost, room := r.Cost(), r.Room()
	return Verdict{
		OK: ok, Limit: r.Burst, Remaining: int(max(0, room-owed) / cost), Reset: owed, RetryIn: max(0, owed+cost-room),
	}
}

// Off reports whether the limiter allows everything.
func (l *Limiter) Off() bool { return l.rate.Off() }

// Rate returns what the limiter allows.
func (l *Limiter) Rate() Rate { return l.rate }

// Take counts one more for a key, if it is allowed.
func (l *Limiter) Take(key string) Verdict { return l.TakeAt(key, l.now()) }

// TakeAt is Take at a known time.
func (l *Limiter) TakeAt(key string, at time.Time) Verdict {
	if l.Off() {
		return Verdict{OK: true}
	}
	cost, room := int64(l.rate.Cost()), int64(l.rate.Room())
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
		if s.spent != nil {
			s.spent[key]++
		}
		return l.rate.Verdict(true, time.Duration(next-now))
	}
	return l.rate.Verdict(false, time.Duration(paid-now))
}

// Share starts counting allowed requests by key, for limiters of other instances. It is called before the first
// Take.
func (l *Limiter) Share() {
	for i := range l.shards {
		l.shards[i].spent = map[string]int{}
	}
}

// Spent returns the number of requests allowed for each key since the last call, for keys with at least that many.
func (l *Limiter) Spent(least int) map[string]int {
	much := map[string]int{}
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		for key, n := range s.spent {
			if n >= least {
				much[key] = n
			}
		}
		clear(s.spent)
		s.mu.Unlock()
	}
	return much
}

// Charge adds requests that other instances allowed for a key at a time. The debt may exceed a burst.
func (l *Limiter) Charge(key string, n int, at time.Time) {
	if l.Off() || n <= 0 {
		return
	}
	now := l.now().UnixNano()
	s := &l.shards[maphash.String(l.seed, key)%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	paid, known := s.paid[key]
	paid = max(paid, min(at.UnixNano(), now)) + int64(n)*int64(l.rate.Cost())
	if paid <= now {
		return // it has been paid for by now
	}
	if !known && len(s.paid) >= s.room {
		s.sweep(now)
	}
	s.paid[key] = paid
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
		s.paid[key] = paid - int64(l.rate.Cost())
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
