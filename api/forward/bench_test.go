//go:build unix

package forward

import (
	"syscall"
	"testing"
	"time"
)

// BenchmarkSend sends acts over a connection to an owner that does nothing, each after the answer to the last, and
// counts the processor time of both.
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

// BenchmarkCarryOut carries out acts that need as deep a stack as the service does, each called from a goroutine of its
// own, by workers and without.
func BenchmarkCarryOut(b *testing.B) {
	w := newWorkers()
	defer w.end()
	deep := func(act *Act) (Answer, error) { return Answer{Status: descend(20_000)}, nil }
	for name, carryOut := range map[string]func() (Answer, error){
		"workers":   func() (Answer, error) { return w.carryOut(nil, deep) },
		"goroutine": func() (Answer, error) { return deep(nil) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				done := make(chan struct{})
				go func() {
					_, _ = carryOut()
					close(done)
				}()
				<-done
			}
		})
	}
}

// descend uses some bytes of the stack.
func descend(bytes int) int {
	var frame [200]byte
	if bytes <= 0 {
		return int(frame[0])
	}
	return descend(bytes-len(frame)) + int(frame[bytes%len(frame)])
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
