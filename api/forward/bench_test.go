//go:build unix

package forward

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkSeal signs a request and its answer and verifies both: what the secret costs an act, without its way.
//
//	go test ./api/forward -run '^$' -bench .
func BenchmarkSeal(b *testing.B) {
	w := newTown(b, patient)
	answer := []byte(strings.Repeat("x", 2000))
	b.ReportAllocs()
	for b.Loop() {
		w.clock.Add(1) // so that not all is remembered
		r := w.record(b, nil)
		request := httptest.NewRequest(r.method, r.uri, strings.NewReader(r.body))
		request.Header = r.header
		received, verdict := w.owner.Receive(request, []byte(r.body))
		if verdict != Genuine {
			b.Fatal(verdict)
		}
		recorder := httptest.NewRecorder()
		recorder.Header().Set("Content-Type", "application/json")
		w.owner.SignAnswer(received, http.StatusOK, recorder.Header(), answer)
		_, _ = recorder.Write(answer)
		if _, err := w.asked.open(recorder.Result(), received.nonce); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSend sends acts over a connection to an owner that does nothing, and counts the processor time of both.
func BenchmarkSend(b *testing.B) {
	w := newTown(b, patient)
	w.asked.config.Observe = func(Outcome, time.Duration) {}
	b.ReportAllocs()
	begun, n := usedCPU(b), 0
	for b.Loop() {
		w.clock.Add(1)
		n++
		if _, outcome := w.send(b, w.act()); outcome != Answered {
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
