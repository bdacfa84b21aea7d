package forward

import (
	"fmt"
	"testing"
	"time"
)

// TestPauses: an instance that fails is left alone for longer each time, then one act tries it.
func TestPauses(t *testing.T) {
	w := newTown(t, patient)
	last := time.Duration(0)
	for i := range 12 {
		before := time.Now()
		w.asked.failed("owner", 0)
		length := w.asked.pause["owner"].until.Sub(before)
		if length < last-time.Second || length < shortestPause || length > longestPause+time.Minute {
			t.Errorf("pause %d is %v after %v", i, length, last)
		}
		last = length
		if !w.asked.resting("owner") {
			t.Error("it is not left alone")
		}
	}
	w.asked.pause["owner"].until = time.Now()
	if w.asked.resting("owner") || !w.asked.resting("owner") {
		t.Error("not one act alone tries it")
	}
	w.asked.fine("owner")
	if w.asked.resting("owner") {
		t.Error("it is left alone though it has answered")
	}
	for i := range 2 * maxPauses {
		w.asked.failed(fmt.Sprint(i), 0)
	}
	if n := len(w.asked.pause); n > maxPauses {
		t.Errorf("%d instances are remembered", n)
	}
}
