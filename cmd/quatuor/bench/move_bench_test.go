package bench

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/app/apptest"
	"quatuor/cmd/quatuor/harness"
)

// BenchmarkMove measures what a move costs within the program, from the request that has been read to the answer that
// is ready to be sent: random games of every variant without secrets, 64 at a time, stored durably.
func BenchmarkMove(b *testing.B) {
	handler := benchHandler(b)
	l := &load{Client: client.New("http://localhost", inProcess{handler})}
	if err := l.writeScripts(); err != nil {
		b.Fatal(err)
	}
	for i := range clubSize {
		p, err := harness.Register(b.Context(), l.Share(), "player-"+strconv.Itoa(i), password, "Player "+strconv.Itoa(i))
		if err != nil {
			b.Fatal(err)
		}
		l.players = append(l.players, p)
	}
	var workers atomic.Uint64
	b.SetParallelism(32)
	b.ReportAllocs()
	b.ResetTimer()
	before := ownCPU()
	b.RunParallel(func(pb *testing.PB) {
		n := workers.Add(1)
		chance := rand.New(rand.NewPCG(n, n))
		for pb.Next() {
			if err := benchOneGame(b.Context(), pb, handler, l, chance); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64((ownCPU()-before).Microseconds())/float64(b.N), "cpu-µs/op")
}

// benchOneGame plays until the game is over or the measurement is.
func benchOneGame(ctx context.Context, pb *testing.PB, handler http.Handler, l *load, chance *rand.Rand) error {
	g := l.game(chance.IntN(len(l.players)), chance.IntN(len(l.variants)-1))
	if err := g.open(ctx); err != nil {
		return err
	}
	for _, m := range g.script {
		if !pb.Next() {
			return nil
		}
		request := httptest.NewRequest(http.MethodPost, g.address[0].Path, strings.NewReader(m.body))
		request.Header = g.seats[m.seat-1].Header
		answer := &nowhere{header: http.Header{}}
		handler.ServeHTTP(answer, request)
		if answer.status != http.StatusOK {
			return &client.Problem{Status: answer.status}
		}
	}
	return nil
}

func benchHandler(b *testing.B) http.Handler {
	b.Helper()
	return apptest.Run(b, app.Config{
		RateLimit: 10_000_000, Logger: slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}).Handler
}

// inProcess hands requests to a handler without a network.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	p.ServeHTTP(answer, r)
	return answer.Result(), nil
}

// nowhere takes an answer and drops it.
type nowhere struct {
	header http.Header
	status int
}

func (*nowhere) SetReadDeadline(time.Time) error { return nil }

func (w *nowhere) Header() http.Header         { return w.header }
func (w *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (w *nowhere) WriteHeader(status int)      { w.status = status }
