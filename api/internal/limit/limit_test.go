package limit_test

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quatuor/api/internal/limit"
)

func TestABurstAndThenTheRate(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	l := limit.New(limit.Rate{Interval: time.Second, Burst: 3}, func() time.Time { return now })
	for want := 2; want >= 0; want-- {
		if v := l.Take("a"); !v.OK || v.Remaining != want || v.Limit != 3 {
			t.Fatalf("%+v, want one allowed and %d remaining", v, want)
		}
	}
	v := l.Take("a")
	if v.OK || v.RetryIn != time.Second || v.Reset != 3*time.Second {
		t.Errorf("%+v, want a refusal for a second", v)
	}
	if v := l.Take("b"); !v.OK {
		t.Errorf("another key is refused too: %+v", v)
	}
	now = now.Add(time.Second)
	if v := l.Take("a"); !v.OK || v.Remaining != 0 {
		t.Errorf("%+v a second later", v)
	}
	l.Refund("a")
	if v := l.Take("a"); !v.OK {
		t.Errorf("%+v after a refund", v)
	}
}

// TestTheClockIsSetBack: what was counted by a clock that was ahead does not make a key wait until the clock is there again.
func TestTheClockIsSetBack(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	l := limit.New(limit.Rate{Interval: time.Second, Burst: 3}, func() time.Time { return now })
	spend := func() {
		for range 4 {
			l.Take("a")
		}
	}
	spend()
	now = now.Add(-7 * 24 * time.Hour)
	if v := l.Take("a"); !v.OK || v.Remaining != 2 {
		t.Errorf("a week back: %+v, want the first of a burst", v)
	}
	spend()
	now = now.Add(-2 * time.Second)
	if v := l.Take("a"); v.OK {
		t.Errorf("two seconds back a burst is allowed anew: %+v", v)
	}
}

func TestTheZeroRateAllowsEverything(t *testing.T) {
	l := limit.New(limit.Rate{}, time.Now)
	for range 1000 {
		if !l.Take("a").OK {
			t.Fatal("refused")
		}
	}
}

// TestNeverMoreThanRateAndBurst holds the limiter against the promise: in any span of time no more than the burst and
// what the rate allows in it; and a key that waits for its Retry-After is let through.
func TestNeverMoreThanRateAndBurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := limit.Rate{
			Interval: time.Duration(rapid.IntRange(100, 60_000).Draw(t, "ms")) * time.Millisecond, Burst: rapid.IntRange(1, 20).Draw(t, "burst"),
		}
		now := time.Unix(1_700_000_000, 0)
		l := limit.New(rate, func() time.Time { return now })
		start, passed := now, 0
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "ms")) * time.Millisecond)
			v := l.Take("a")
			if v.OK {
				passed++
			} else {
				now = now.Add(v.RetryIn)
				if !l.Take("a").OK {
					t.Fatalf("refused after waiting %v as told", v.RetryIn)
				}
				passed++
			}
			if most := float64(rate.Burst) + float64(now.Sub(start))/float64(rate.Interval) + 0.001; float64(passed) > most {
				t.Fatalf("%d let through in %v; at most %f", passed, now.Sub(start), most)
			}
		}
	})
}

func TestKeysThatOweNothingAreDropped(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	l := limit.New(limit.Rate{Interval: time.Second, Burst: 3}, func() time.Time { return now })
	for i := range 300_000 {
		l.Take(strconv.Itoa(i))
		now = now.Add(time.Millisecond)
	}
	if n := l.Keys(); n > 150_000 {
		t.Errorf("%d keys are held", n)
	}
}
