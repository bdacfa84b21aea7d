//go:build unix

package forward

import (
	"syscall"
	"testing"
	"time"
)

// BenchmarkSend sends acts over a connection to an owner that does nothing, one after the other, and counts the processor time of
// both.
//
//	go test ./api/forward -run '^$' -bench .
func BenchmarkSend(b *testing.B) {
	w := newTown(b, patient)
	w.asked.config.Observe = func(Outcome, time.Duration) {}
	b.ReportAllocs()
	begun, n := usedCPU(b), 0
	for b.Loop() {
		w.clock.Add(1)
		n++
		if _, outcome := w.send(b, w.act(), onGame); outcome != Answered {
			b.Fatal(outcome)
		}
	}
	b.ReportMetric(float64((usedCPU(b)-begun).Microseconds())/float64(n), "CPU-µs/op")
}

// usedCPU returns the processor time of this process.
func usedCPU(b *testing.B) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
