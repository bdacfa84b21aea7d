package api

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestBoundedEndsAsAContextWithTimeout compares it with the context it stands for, waited for and not, with its own end
// and with an earlier one of its parent.
func TestBoundedEndsAsAContextWithTimeout(t *testing.T) {
	type key struct{}
	for _, waits := range []bool{false, true} {
		for _, parentEnds := range []time.Duration{time.Second, time.Hour} {
			synctest.Test(t, func(t *testing.T) {
				parent, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "kept"), parentEnds)
				defer cancel()
				b := within(parent, time.Minute)
				defer b.end()
				want, stop := context.WithTimeout(parent, time.Minute)
				defer stop()
				if waits {
					_ = b.Done()
				}
				child, drop := context.WithCancel(b)
				defer drop()
				ends, _ := b.Deadline()
				if wanted, _ := want.Deadline(); !ends.Equal(wanted) || b.Err() != nil || b.Value(key{}) != "kept" {
					t.Errorf("ends %v, want %v; error %v, value %v", ends, wanted, b.Err(), b.Value(key{}))
				}
				time.Sleep(min(parentEnds, time.Minute))
				synctest.Wait()
				if !errors.Is(b.Err(), want.Err()) || child.Err() == nil {
					t.Errorf("error %v, want %v; of a child %v", b.Err(), want.Err(), child.Err())
				}
				<-b.Done()
			})
		}
	}
}

func TestBoundedIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unused := within(t.Context(), time.Minute)
		unused.end()
		b := within(t.Context(), time.Minute)
		done := b.Done()
		b.end()
		<-done
		if !errors.Is(b.Err(), context.Canceled) {
			t.Errorf("error %v", b.Err())
		}
	})
}

// TestALastingContextEndsByItsDeadlineAlone ends the request's own context and waits for the deadline.
func TestALastingContextEndsByItsDeadlineAlone(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		request, hangUp := context.WithCancelCause(context.WithValue(t.Context(), key{}, "kept"))
		var all deadlines
		l := &lasting{request, all.in(time.Minute)}
		child, drop := context.WithCancel(l)
		defer drop()
		hangUp(errors.New("hung up"))
		synctest.Wait()
		if l.Err() != nil || child.Err() != nil || context.Cause(l) != nil || l.Value(key{}) != "kept" {
			t.Errorf("after hanging up: error %v, of a child %v, cause %v, value %v", l.Err(), child.Err(), context.Cause(l), l.Value(key{}))
		}
		until, ok := l.Deadline()
		if left := time.Until(until); !ok || left < time.Minute || left > time.Minute+time.Second {
			t.Errorf("it ends in %v", left)
		}
		time.Sleep(time.Until(until))
		synctest.Wait()
		<-l.Done()
		if !errors.Is(l.Err(), context.DeadlineExceeded) || child.Err() == nil {
			t.Errorf("at the deadline: error %v, of a child %v", l.Err(), child.Err())
		}
	})
}

func TestRequestsOfOneSecondShareADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all deadlines
		first := all.in(time.Minute)
		time.Sleep(time.Second)
		if all.in(time.Minute) != first {
			t.Error("a second later there is another deadline")
		}
		time.Sleep(time.Nanosecond)
		next := all.in(time.Minute)
		if next == first {
			t.Fatal("a request is given less time than it should have")
		}
		if left := time.Until(next.until); left != time.Minute+time.Second {
			t.Errorf("the next deadline is in %v", left)
		}
		time.Sleep(time.Minute)
		<-first.passed
		select {
		case <-next.passed:
			t.Error("the next deadline passed with the first one")
		default:
		}
	})
}
