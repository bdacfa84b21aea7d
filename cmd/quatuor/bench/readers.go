package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
)

// Bars for readers at another instance than the mover's, in calm.
const (
	elsewhereMedian = 25 * time.Millisecond
	elsewhereP99    = 150 * time.Millisecond
)

// healedWithin is the longest wait for a reader after the last move: longer than an instance takes to recover a lost
// notification.
const healedWithin = 20 * time.Second

// instanceReader is a reader of a game, connected to an instance.
type instanceReader struct {
	game   *watchedGame
	at     *client.Client
	joined chan struct{}
	latest atomic.Int64 // line

	seenAt map[int64]time.Time // by line
	// lines that came out of order
	disorder int
	ended    error // why the stream ended before it should
}

// readersRun is games that are watched at every instance.
type readersRun struct {
	games   []*watchedGame
	readers []*instanceReader
	reading sync.WaitGroup
}

func (b *bench) allowReaders(context.Context) error {
	return allowFiles(b.Connections*(len(b.load.instances)+2) + 200)
}

// runReaders measures the delay from a move's answer to the readers at other instances, and demands that they learn of
// every move, in order. A move a second in each game leaves the instances nearly idle.
func (b *bench) runReaders(ctx context.Context) ([]Measurement, error) {
	reading, leave := context.WithCancel(ctx)
	r := &readersRun{}
	defer r.reading.Wait()
	defer leave()
	for i := range b.Connections {
		people := b.load.players
		seats := []harness.Player{people[i%len(people)], people[(i+1)%len(people)]}
		game, err := openWatched(ctx, seats, rand.New(rand.NewPCG(5, uint64(i))))
		if err != nil {
			return nil, err
		}
		r.games = append(r.games, game)
		for _, at := range b.load.instances {
			reader := &instanceReader{game: game, at: at, joined: make(chan struct{}), seenAt: map[int64]time.Time{}}
			r.readers = append(r.readers, reader)
			r.reading.Go(func() { reader.follow(reading) })
		}
	}
	if err := r.join(ctx); err != nil {
		return nil, err
	}
	var moving errgroup.Group
	for i, game := range r.games {
		moving.Go(func() error { // spread over the second
			pause(ctx, time.Duration(i)*watchedAmong/time.Duration(len(r.games)))
			return game.moveFor(ctx, b.Duration, watchedAmong)
		})
	}
	if err := moving.Wait(); err != nil {
		return nil, err
	}
	await(healedWithin, func() bool {
		return !slices.ContainsFunc(r.readers, func(reader *instanceReader) bool {
			return reader.latest.Load() < lastOf(reader.game.moves)
		})
	})
	leave()
	r.reading.Wait()
	return r.results(b), nil
}

// join returns when every reader has its game.
func (r *readersRun) join(ctx context.Context) error {
	const eventTimeout = 30 * time.Second
	ctx, cancel := context.WithTimeoutCause(ctx, eventTimeout, errors.New("a reader got no stream within 30 s"))
	defer cancel()
	for _, reader := range r.readers {
		select {
		case <-reader.joined:
			if reader.ended != nil {
				return fmt.Errorf("a reader at %s could not connect: %w", reader.at.Base, reader.ended)
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// follow reads the stream until ctx ends.
func (r *instanceReader) follow(ctx context.Context) {
	first := true
	err := r.at.Follow(ctx, "/games/"+r.game.id+"/events", func(data []byte) (bool, error) {
		at := time.Now()
		var g harness.FullGame
		if err := json.Unmarshal(data, &g); err != nil {
			return true, err
		}
		for _, e := range g.Events { // none in pings
			r.note(int64(e.N), at)
		}
		if first && g.ID != "" {
			first = false
			close(r.joined)
		}
		return false, nil
	})
	if ctx.Err() != nil {
		return
	}
	r.ended = err
	if err == nil {
		r.ended = errors.New("the stream ended")
	}
	if first {
		close(r.joined)
	}
}

// note takes a line down. The same line may come with several events.
func (r *instanceReader) note(n int64, at time.Time) {
	latest := r.latest.Load()
	if n == latest {
		return
	}
	if n != latest+1 {
		r.disorder++
	}
	if _, known := r.seenAt[n]; !known {
		r.seenAt[n] = at
	}
	r.latest.Store(max(n, latest))
}

// The measurements of readers.
const (
	watchedMoves    = "moves that are watched"
	answerElsewhere = "from the answer to readers elsewhere"
	sentElsewhere   = "from a move sent to readers elsewhere"
	answerHere      = "from the answer to readers at the same"
)

// results sums up the run. A move that a reader missed is an error.
func (r *readersRun) results(b *bench) []Measurement {
	moves, elsewhere, sent, here := &recorder{}, &recorder{}, &recorder{}, &recorder{}
	for _, g := range r.games {
		for _, m := range g.moves {
			moves.took = append(moves.took, m.answered.Sub(m.sent))
		}
	}
	for _, reader := range r.readers {
		b.outOfOrder += reader.disorder
		for _, m := range reader.game.moves {
			answered := elsewhere
			if reader.game.seats[m.seat-1].Base == reader.at.Base {
				answered = here
			}
			at, seen := reader.seenAt[m.version]
			if !seen {
				answered.errors++
				continue
			}
			answered.took = append(answered.took, max(0, at.Sub(m.answered)))
			if answered == elsewhere {
				sent.took = append(sent.took, at.Sub(m.sent))
			}
		}
	}
	return []Measurement{
		b.sum(watchedMoves, b.Duration, moves), b.sum(answerElsewhere, b.Duration, elsewhere),
		b.sum(sentElsewhere, b.Duration, sent), b.sum(answerHere, b.Duration, here),
	}
}

// printReaders reports whether the bars hold.
func (b *bench) printReaders(all []Measurement) {
	b.printRows(all)
	var p50, p99 []float64
	seen, missing := 0, 0
	for _, m := range all {
		switch m.What {
		case answerElsewhere:
			p50, p99 = append(p50, m.Millis["p50"]), append(p99, m.Millis["p99"])
			seen, missing = seen+m.Requests, missing+m.Errors
		case answerHere:
			seen, missing = seen+m.Requests, missing+m.Errors
		}
	}
	fmt.Fprintf(b.Out, "readers at other instances get a move after its answer: median %.1f ms (bar: %d), 99th "+
		"percentile %.1f ms (bar: %d)\n",
		median(p50), elsewhereMedian.Milliseconds(), median(p99), elsewhereP99.Milliseconds())
	fmt.Fprintf(b.Out, "of %d moves sent to a reader %d never came, and %d came out of order (bar: none)\n", seen+missing,
		missing, b.outOfOrder)
}
