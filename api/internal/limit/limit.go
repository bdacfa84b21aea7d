// Package limit is a rate limiter: the generic cell rate algorithm (GCRA), a number a key. Each key has a theoretical
// arrival time (TAT); a request is allowed if its TAT is no further ahead than a burst, and moves it by the emission
// interval.
package limit

import (
	"hash/maphash"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Rate is a rate of requests. The zero Rate allows everything.
type Rate struct {
	Interval time.Duration // the emission interval: between two in the long run
	Burst    int           // at once, after a while of doing nothing
}

// Verdict is the decision about a request, with the figures for its headers.
type Verdict struct {
	OK        bool
	Limit     int           // the burst
	Remaining int           // how many more are allowed right now
	Reset     time.Duration // until the whole burst is available again
	RetryIn   time.Duration // until the next request is allowed; 0 if that is now
}

// SetHeaders sets the RateLimit headers of an answer and, if it is a refusal, Retry-After.
func (v Verdict) SetHeaders(header http.Header) {
	// The names are canonical, and the values share an array: this is done for every request.
	values := [...]string{strconv.Itoa(v.Limit), strconv.Itoa(v.Remaining), Seconds(v.Reset)}
	header["Ratelimit-Limit"] = values[0:1:1]
	header["Ratelimit-Remaining"] = values[1:2:2]
	header["Ratelimit-Reset"] = values[2:3:3]
	if !v.OK {
		header.Set("Retry-After", Seconds(v.RetryIn))
	}
}

// Seconds returns a duration in whole seconds, rounded up so that Retry-After is never too short.
func Seconds(d time.Duration) string {
	return strconv.FormatInt(int64((max(d, 0)+time.Second-1)/time.Second), 10)
}

// Limiter applies the same rate to many keys. It is safe for concurrent use. The zero Rate allows everything.
type Limiter struct {
	rate   Rate
	now    func() time.Time
	seed   maphash.Seed
	shards [shardCount]shard
}

const (
	shardCount = 64
	// shardCapacity is the number of keys of a shard before it evicts those with a TAT in the past.
	shardCapacity = 1024
)

type shard struct {
	mu       sync.Mutex
	tat      map[string]int64 // theoretical arrival times by key, ns since 1970
	capacity int

	spent map[string]int // requests allowed since the last Spent; nil where they are not counted
}

// New returns a limiter without keys; now is its clock.
func New(rate Rate, now func() time.Time) *Limiter {
	l := &Limiter{rate: rate, now: now, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i] = shard{tat: map[string]int64{}, capacity: shardCapacity}
	}
	return l
}

// Off reports whether the rate allows everything.
func (r Rate) Off() bool { return r.Interval <= 0 || r.Burst <= 0 }

// Tolerance returns how far ahead a TAT may be: the intervals of a burst.
func (r Rate) Tolerance() time.Duration { return r.Interval * time.Duration(r.Burst) }

// Verdict returns the verdict for a TAT that far ahead, after an attempt that was counted (ok) or refused.
func (r Rate) Verdict(ok bool, ahead time.Duration) Verdict {
	interval, tolerance := r.Interval, r.Tolerance()
	return Verdict{
		OK: ok, Limit: r.Burst, Remaining: int(max(0, tolerance-ahead) / interval), Reset: ahead,
		RetryIn: max(0, ahead+interval-tolerance),
	}
}

// Off reports whether the limiter allows everything.
func (l *Limiter) Off() bool { return l.rate.Off() }

// Rate returns the rate of the limiter.
func (l *Limiter) Rate() Rate { return l.rate }

// Take counts a request for a key, if it is allowed.
func (l *Limiter) Take(key string) Verdict { return l.TakeAt(key, l.now()) }

// TakeAt is Take at a known time.
func (l *Limiter) TakeAt(key string, at time.Time) Verdict {
	if l.Off() {
		return Verdict{OK: true}
	}
	interval, tolerance := int64(l.rate.Interval), int64(l.rate.Tolerance())
	now := at.UnixNano()
	s := &l.shards[maphash.String(l.seed, key)%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	tat, _ := l.tatOf(s, key, now)
	tat = max(tat, now)
	if next := tat + interval; next <= now+tolerance {
		if _, known := s.tat[key]; !known && len(s.tat) >= s.capacity {
			s.sweep(now)
		}
		s.tat[key] = next
		if s.spent != nil {
			s.spent[key]++
		}
		return l.rate.Verdict(true, time.Duration(next-now))
	}
	return l.rate.Verdict(false, time.Duration(tat-now))
}

// clockSetBack is the lead of a TAT over a burst that shows that the clock was set back.
const clockSetBack = time.Minute

// tatOf returns the TAT of a key. A TAT from before the clock was set back is 0: else the key would wait until the
// clock is there again. The shard's mutex is held.
func (l *Limiter) tatOf(s *shard, key string, now int64) (tat int64, known bool) {
	tat, known = s.tat[key]
	if tat > now+int64(l.rate.Tolerance()+clockSetBack) {
		tat = 0
	}
	return tat, known
}

// Share starts counting allowed requests by key, for limiters of other instances. It is called before the first
// Take.
func (l *Limiter) Share() {
	for i := range l.shards {
		l.shards[i].spent = map[string]int{}
	}
}

// Spent returns the number of requests allowed for each key since the last call, for keys with at least that many.
func (l *Limiter) Spent(minimum int) map[string]int {
	busy := map[string]int{}
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		for key, n := range s.spent {
			if n >= minimum {
				busy[key] = n
			}
		}
		clear(s.spent)
		s.mu.Unlock()
	}
	return busy
}

// Charge adds requests that other instances allowed for a key at a time. The TAT may be further ahead than a burst
// then.
func (l *Limiter) Charge(key string, n int, at time.Time) {
	if l.Off() || n <= 0 {
		return
	}
	now := l.now().UnixNano()
	s := &l.shards[maphash.String(l.seed, key)%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	tat, known := l.tatOf(s, key, now)
	tat = max(tat, min(at.UnixNano(), now)) + int64(n)*int64(l.rate.Interval)
	if tat <= now {
		return // as good as unused
	}
	if !known && len(s.tat) >= s.capacity {
		s.sweep(now)
	}
	s.tat[key] = tat
}

// Refund takes back a counted request.
func (l *Limiter) Refund(key string) {
	if l.Off() {
		return
	}
	s := &l.shards[maphash.String(l.seed, key)%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	if tat, ok := s.tat[key]; ok {
		s.tat[key] = tat - int64(l.rate.Interval)
	}
}

// sweep evicts the keys with a TAT in the past: they are like new keys. If none is, the shard grows instead.
func (s *shard) sweep(now int64) {
	for key, tat := range s.tat {
		if tat <= now {
			delete(s.tat, key)
		}
	}
	s.capacity = max(shardCapacity, 2*len(s.tat))
}

// Keys returns the number of keys held in memory.
func (l *Limiter) Keys() int {
	n := 0
	for i := range l.shards {
		l.shards[i].mu.Lock()
		n += len(l.shards[i].tat)
		l.shards[i].mu.Unlock()
	}
	return n
}
