package main

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

	"quatuor/engine/catalog"
)

// BenchmarkMove measures what a move costs within the program, from the request that has been read to the answer that
// is ready to be sent: random games of every variant without secrets, 64 at a time, stored durably.
func BenchmarkMove(b *testing.B) {
	handler := benchHandler(b)
	players := make([]seated, clubSize)
	client := client{base: "http://bench", http: &http.Client{Transport: inProcess{handler}}}
	for i := range players {
		c := client
		p, err := register(b.Context(), &c, "player-"+strconv.Itoa(i), "Player "+strconv.Itoa(i))
		if err != nil {
			b.Fatal(err)
		}
		players[i] = p
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
			if err := benchOneGame(b.Context(), pb, handler, players, chance); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64((ownCPU()-before).Microseconds())/float64(b.N), "cpu-µs/op")
}

// benchOneGame plays until the game is over or the measurement is.
func benchOneGame(ctx context.Context, pb *testing.PB, handler http.Handler, players []seated, chance *rand.Rand) error {
	variants := catalog.All()
	g := benchGame{info: variants[chance.IntN(len(variants)-1)].Info(), recorder: &recorder{}, chance: chance}
	first := chance.IntN(len(players))
	for seat := range g.info.Seats[0] {
		g.seats = append(g.seats, players[(first+seat)%len(players)])
	}
	view, err := g.open(ctx)
	if err != nil {
		return err
	}
	match, err := g.match()
	for err == nil && !match.Pending().Over() && pb.Next() {
		e := g.choose(match)
		body := moveBody(int(e.Seat), match.Turn(), e.Text)
		request := httptest.NewRequest(http.MethodPost, "/api/v1/games/"+view.ID+"/moves", strings.NewReader(body))
		request.Header = g.seats[e.Seat-1].header
		answer := &nowhere{header: http.Header{}}
		handler.ServeHTTP(answer, request)
		if answer.status != http.StatusOK {
			return &problem{Status: answer.status}
		}
		match, err = match.After(e)
	}
	return err
}

func benchHandler(b *testing.B) http.Handler {
	b.Helper()
	a, err := newApp(b.Context(), serveSettings{
		storage: storage{Data: b.TempDir()}, Listen: "127.0.0.1:0", Registration: "open", RateLimit: 10_000_000,
	}, slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.run(ctx) }()
	b.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
		a.close()
	})
	return a.server.Handler
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

func (w *nowhere) Header() http.Header         { return w.header }
func (w *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (w *nowhere) WriteHeader(status int)      { w.status = status }
