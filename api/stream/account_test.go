package stream

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"quatuor/engine/table"
	"quatuor/tournament"
)

// only is an account whose player has a single game and nothing else.
type only struct{ game string }

func (o only) Games(context.Context, string, int64) ([]string, error) { return []string{o.game}, nil }
func (only) Tournaments(context.Context, string) ([]string, error)    { return nil, nil }
func (only) Answered(context.Context, *tournament.Tournament, int, int, int) (Answer, error) {
	return Answer{}, nil
}

// accountStreams opens streams of ada, with a single game, in real time. move makes her opponent's move and returns
// after all streams have been sent my_turn; renderings counts the renderings.
func accountStreams(t testing.TB, n int) (move func(), renderings *atomic.Int64) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	hub := NewHub()
	h := &fair{game: &table.Snapshot{Game: table.Game{
		ID: "g1", Players: []string{"ada", "bob"}, Status: table.Running, Awaited: []int8{1}, Turn: 1,
	}}}
	renderings = &atomic.Int64{}
	feed := hub.AccountFeed(h, nil, only{"g1"}, func(context.Context, AccountEvent) ([]byte, error) {
		renderings.Add(1)
		return make([]byte, 1500), nil
	})
	var written, ended sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		ended.Wait()
	})
	written.Add(3 * n) // the retry line, the state and the turn
	for range n {
		ended.Go(func() { _ = feed.Serve(ctx, &sink{http.Header{}, written.Done}, Reader{Player: "ada"}) })
	}
	written.Wait()
	next := *h.game
	return func() {
		next.Game.Version++
		line := table.Line{N: next.Game.Version, Kind: table.LineMove, Seat: 2, Turn: next.Game.Turn}
		next.Game.Turn++
		next.Lines = append(slices.Clip(next.Lines), line)
		if len(next.Lines) > 40 {
			next.Lines = next.Lines[1:]
		}
		s := next
		written.Add(n)
		hub.GameChanged(&s, []table.Line{line})
		written.Wait()
	}, renderings
}

// TestStreamsOfAnAccountShareRenderings: what a move brings is rendered once for all streams of a player.
func TestStreamsOfAnAccountShareRenderings(t *testing.T) {
	move, renderings := accountStreams(t, 50)
	before := renderings.Load()
	for range 3 {
		move()
	}
	if made := renderings.Load() - before; made != 3 {
		t.Errorf("%d renderings of 3 moves for 50 streams", made)
	}
}

// BenchmarkAccountStreams makes a move until the last of a player's streams has been written to: what they cost beside
// rendering and the network.
func BenchmarkAccountStreams(b *testing.B) {
	for _, n := range []int{1, 250} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			move, _ := accountStreams(b, n)
			b.ReportAllocs()
			for b.Loop() {
				move()
			}
		})
	}
}
