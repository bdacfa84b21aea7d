package forward

import (
	"fmt"
	"testing"
	"time"
)

// TestPauses: an instance that fails is left alone for longer each time, then a single act tries it.
func TestPauses(t *testing.T) {
	w := newTown(t, patient)
	last := time.Duration(0)
	for i := range 12 {
		before := time.Now()
		w.asked.failed("owner", 0)
		length := w.asked.backoffs["owner"].until.Sub(before)
		if length < last-time.Second || length < minBackoff || length > maxBackoff+time.Minute {
			t.Errorf("pause %d is %v after %v", i, length, last)
		}
		last = length
		if !w.asked.backingOff("owner") {
			t.Error("it is not left alone")
		}
	}
	w.asked.backoffs["owner"].until = time.Now()
	if w.asked.backingOff("owner") || !w.asked.backingOff("owner") {
		t.Error("not one act alone tries it")
	}
	w.asked.succeeded("owner")
	if w.asked.backingOff("owner") {
		t.Error("it is left alone though it has answered")
	}
	for i := range 2 * maxBackoffs {
		w.asked.failed(fmt.Sprint(i), 0)
	}
	if n := len(w.asked.backoffs); n > maxBackoffs {
		t.Errorf("%d instances are remembered", n)
	}
}
