package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/cmd/quatuor/client"
	"quatuor/cmd/quatuor/terminal"
)

// Bars for readers at another instance than the mover's, in calm.
const (
	elsewhereMedian = 25 * time.Millisecond
	elsewhereP99    = 150 * time.Millisecond
)

// healedWithin is the longest wait for a reader after the last move: longer than an instance takes to recover a lost
// notification.
const healedWithin = 20 * time.Second

// instanceReader is a reader of a game, connected to one instance.
type instanceReader struct {
	game   *watchedGame
	at     *client.Client
	joined chan struct{}
	latest atomic.Int64 // line

	told map[int64]time.Time // by line
	// lines that came before one that belongs before them, or after one that belongs after them
	disorder int
	ended    error // why the stream ended before it should
}

// readersRun is games that are watched at every instance.
type readersRun struct {
	games   []*watchedGame
	readers []*instanceReader
	reading sync.WaitGroup
}

// benchReaders measures how long after a move's answer the readers at other instances know of it, whether they learn of
// every move, and in order. Each game sees a move a second: this is how it is while the instances have little else to
// do.
func (c Config) benchReaders(ctx context.Context, s terminal.Streams, _ target, load *load) error {
	if err := allowFiles(c.Connections*(len(load.instances)+2) + 200); err != nil {
		return err
	}
	var all []Measurement
	disorder := 0
	for run := 1; run <= c.Runs; run++ {
		r, err := c.readEverywhere(ctx, load)
		if err != nil {
			return err
		}
		for _, m := range r.results(c) {
			m.Run = run
			all = append(all, m)
			if err := c.printJSON(s, m); err != nil {
				return err
			}
		}
		disorder += r.disorder()
	}
	if !c.JSON {
		c.printRows(s, all)
		printReaders(s, all, disorder)
	}
	return nil
}

// readEverywhere is one run.
func (c Config) readEverywhere(ctx context.Context, load *load) (*readersRun, error) {
	reading, leave := context.WithCancel(ctx)
	r := &readersRun{}
	defer r.reading.Wait()
	defer leave()
	for i := range c.Connections {
		seats := []client.Player{load.players[i%len(load.players)], load.players[(i+1)%len(load.players)]}
		game, err := openWatched(ctx, seats, rand.New(rand.NewPCG(5, uint64(i))))
		if err != nil {
			return nil, err
		}
		r.games = append(r.games, game)
		for _, at := range load.instances {
			reader := &instanceReader{game: game, at: at, joined: make(chan struct{}), told: map[int64]time.Time{}}
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
			select {
			case <-time.After(time.Duration(i) * watchedAmong / time.Duration(len(r.games))):
			case <-ctx.Done():
			}
			return game.moveFor(ctx, c.Duration, watchedAmong)
		})
	}
	if err := moving.Wait(); err != nil {
		return nil, err
	}
	r.waitForAll()
	leave()
	r.reading.Wait()
	return r, nil
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
		var g client.FullGame
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
	if r.ended = err; err == nil {
		r.ended = errors.New("the stream ended")
	}
	if first {
		close(r.joined)
	}
}

// note takes a line down. The same one may come with several events.
func (r *instanceReader) note(n int64, at time.Time) {
	latest := r.latest.Load()
	if n == latest {
		return
	}
	if n != latest+1 {
		r.disorder++
	}
	if _, known := r.told[n]; !known {
		r.told[n] = at
	}
	r.latest.Store(max(n, latest))
}

// waitForAll returns when every reader knows its game's last move, or when that takes too long.
func (r *readersRun) waitForAll() {
	pace := time.NewTicker(10 * time.Millisecond)
	defer pace.Stop()
	for end := time.Now().Add(healedWithin); time.Now().Before(end); <-pace.C {
		behind := false
		for _, reader := range r.readers {
			moves := reader.game.moves
			behind = behind || len(moves) > 0 && reader.latest.Load() < moves[len(moves)-1].version
		}
		if !behind {
			return
		}
	}
}

// disorder counts what came out of order.
func (r *readersRun) disorder() (n int) {
	for _, reader := range r.readers {
		n += reader.disorder
	}
	return n
}

// The measurements of readers.
const (
	watchedMoves    = "moves that are watched"
	answerElsewhere = "from the answer to readers elsewhere"
	sentElsewhere   = "from a move sent to readers elsewhere"
	answerHere      = "from the answer to readers at the same"
)

// results sums up the run. A move that a reader missed is an error.
func (r *readersRun) results(c Config) []Measurement {
	moves, elsewhere, sent, here := &recorder{}, &recorder{}, &recorder{}, &recorder{}
	for _, g := range r.games {
		for _, m := range g.moves {
			moves.took = append(moves.took, m.answered.Sub(m.sent))
		}
	}
	for _, reader := range r.readers {
		for _, m := range reader.game.moves {
			answered := elsewhere
			if reader.game.seats[m.seat-1].Base == reader.at.Base {
				answered = here
			}
			at, told := reader.told[m.version]
			if !told {
				answered.errors++
				continue
			}
			answered.took = append(answered.took, max(0, at.Sub(m.answered)))
			if answered == elsewhere {
				sent.took = append(sent.took, at.Sub(m.sent))
			}
		}
	}
	var all []Measurement
	for _, of := range []struct {
		what string
		*recorder
	}{{watchedMoves, moves}, {answerElsewhere, elsewhere}, {sentElsewhere, sent}, {answerHere, here}} {
		m := c.signed(summarize([]*recorder{of.recorder}, c.Duration))
		m.What = of.what
		all = append(all, m)
	}
	return all
}

// printReaders reports whether the bars hold.
func printReaders(s terminal.Streams, all []Measurement, disorder int) {
	var p50, p99 []float64
	told, missing := 0, 0
	for _, m := range all {
		switch m.What {
		case answerElsewhere:
			p50, p99 = append(p50, m.Millis["p50"]), append(p99, m.Millis["p99"])
			told, missing = told+m.Requests, missing+m.Errors
		case answerHere:
			told, missing = told+m.Requests, missing+m.Errors
		}
	}
	fmt.Fprintf(s.Out, "readers at other instances get a move after its answer: median %.1f ms (bar: %d), 99th "+
		"percentile %.1f "+
		"ms (bar: %d)\n",
		median(p50), elsewhereMedian.Milliseconds(), median(p99), elsewhereP99.Milliseconds())
	fmt.Fprintf(s.Out, "of %d moves sent to a reader %d never came, and %d came out of order (bar: none)\n", told+missing,
		missing, disorder)
}
