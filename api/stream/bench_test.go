package stream

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"quatuor/engine"
	"quatuor/engine/table"
)

// sink is a reader with a connection that takes everything at once.
type sink struct {
	header http.Header
	wrote  func()
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}
func (s *sink) Flush()              {}
func (s *sink) Write(b []byte) (int, error) {
	s.wrote()
	return len(b), nil
}

// BenchmarkSpectators publishes a change to the spectators of a single game and waits until the last of them has been
// written to: it measures their cost apart from the network.
func BenchmarkSpectators(b *testing.B) {
	for _, n := range []int{1, 100, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			hub, h := NewHub(), &fair{game: &table.Snapshot{Game: table.Game{ID: "g1", Players: []string{"ada", "bob"}}}}
			feed := hub.GameFeed(h, func(context.Context, *table.Snapshot, engine.Viewer, int64) ([]byte, error) {
				return make([]byte, 1500), nil
			})
			var written, ended sync.WaitGroup
			written.Add(2 * n) // the retry line and the state
			for range n {
				ended.Go(func() { _ = feed.Serve(ctx, &sink{http.Header{}, written.Done}, "g1", Reader{}) })
			}
			written.Wait()
			b.ReportAllocs()
			next := *h.game
			for b.Loop() {
				next.Game.Version++
				s := next
				written.Add(n)
				hub.GameChanged(&s, []table.Line{{N: s.Game.Version, Kind: table.LineMove, Seat: 1}})
				written.Wait()
			}
			cancel()
			ended.Wait()
		})
	}
}
