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
