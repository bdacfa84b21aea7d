//go:build linux

package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/crashtest"
	"quatuor/cmd/quatuor/harness"
)

// maxUnhealed bounds the delay of a change that a dead instance stored but did not publish.
const maxUnhealed = 15 * time.Second

// readers plays games through all instances, each with a reader at every instance, and measures when each event
// arrives. Then it kills an instance in full play, again and again: stored but unpublished changes must reach the
// readers at the others.
func (x *trial) readers() {
	const games = 6
	calm, kills := time.Duration(x.number("SECONDS", 2, 30))*time.Second, x.number("READERS", 1, 20)
	s := x.bareStage(instances, 4)
	var hall []*watched
	for i := range games {
		hall = append(hall, &watched{stage: s, one: s.player(i), two: s.player(i + 1)})
	}
	play := func(pause time.Duration) (stop func()) {
		ctx, cancel := context.WithCancel(x.Context())
		var playing sync.WaitGroup
		for _, w := range hall {
			playing.Go(func() { w.play(ctx, pause) })
		}
		return func() {
			cancel()
			playing.Wait()
		}
	}
	stop := play(30 * time.Millisecond)
	time.Sleep(calm)
	stop()
	delays, missed := spread(nil), 0
	for _, w := range hall {
		_, missing := w.complete(maxUnhealed)
		missed += missing
		delays = append(delays, w.delays()...)
	}
	var healed spread
	for n := 1; n <= kills && !x.Failed(); n++ {
		stop := play(0)
		between(200*time.Millisecond, 700*time.Millisecond)
		victim := s.someone()
		victim.Kill()
		between(0, 100*time.Millisecond)
		stop()
		for _, w := range hall {
			took, missing := w.complete(maxUnhealed)
			healed, missed = append(healed, took), missed+missing
		}
		victim.Start()
		x.progress(n, kills, healed)
	}
	moves := 0
	for _, w := range hall {
		moves += w.moves
		w.end()
	}
	x.report("%d moves, each to readers at all instances: %d events missing or out of order; at other instances %s "+
		"after the answer; %d kills, complete again after them: %s",
		moves, missed, delays, kills, healed)
}

// watched is a game with a reader at every instance; when it is over, the next game.
type watched struct {
	*stage
	one, two harness.Player
	moves    int
	game     harness.Game

	mu           sync.Mutex
	acknowledged map[int64]time.Time // when clients were answered with a version
	through      map[int64]*crashtest.Instance
	readers      []*reader
	measured     spread
}

// reader follows a game's stream at an instance.
type reader struct {
	at     *crashtest.Instance
	seen   map[int64]time.Time // by version
	lines  int                 // that came, without a gap
	latest int64
	gap    string
	gone   bool // the stream has ended
	cancel context.CancelFunc
	ended  chan struct{}
}

func (w *watched) play(ctx context.Context, pause time.Duration) {
	for ctx.Err() == nil {
		if w.game.ID == "" || w.game.Over() {
			if w.game.ID != "" {
				w.complete(maxUnhealed)
				w.delays()
			}
			w.open()
		}
		w.readAgain()
		if err := w.move(context.WithoutCancel(ctx)); err != nil {
			w.Error(err)
			return
		}
		if pause > 0 {
			time.Sleep(rand.N(2 * pause))
		}
	}
}

// open opens the next game, with its readers.
func (w *watched) open() {
	w.end()
	w.game = harness.Game{}
	w.acknowledged = map[int64]time.Time{}
	w.through = map[int64]*crashtest.Instance{}
	w.again(func(in *crashtest.Instance) error {
		return in.At(w.one.Client).Post(w.Context(), "/games", map[string]any{
			"variant": "quixo/duel", "time_control": "none", "start": "now",
			"seats": []map[string]string{{"player_id": w.one.ID}, {"player_id": w.two.ID}},
		}, &w.game)
	})
}

// readAgain opens the missing streams at all instances.
func (w *watched) readAgain() {
	for _, in := range w.Instances {
		w.mu.Lock()
		has := false
		for _, r := range w.readers {
			has = has || r.at == in && !r.gone
		}
		w.mu.Unlock()
		if !has {
			w.read(in)
		}
	}
}

func (w *watched) read(in *crashtest.Instance) {
	ctx, cancel := context.WithCancel(w.Context())
	r := &reader{at: in, seen: map[int64]time.Time{}, cancel: cancel, ended: make(chan struct{})}
	w.mu.Lock()
	w.readers = append(w.readers, r)
	w.mu.Unlock()
	spectator := client.New(in.URL, &http.Transport{})
	go func() {
		defer close(r.ended)
		_ = spectator.Follow(ctx, "/games/"+w.game.ID+"/events", func(data []byte) (bool, error) {
			if bytes.HasPrefix(bytes.TrimSpace(data), []byte(`{"server_time"`)) {
				return false, nil
			}
			var g harness.FullGame
			err := json.Unmarshal(data, &g)
			w.mu.Lock()
			defer w.mu.Unlock()
			r.receive(g)
			return false, err
		})
		w.mu.Lock()
		defer w.mu.Unlock()
		r.gone = true
		spectator.HTTP.CloseIdleConnections()
	}()
}

// receive notes an event, which carries all lines since the last, in order.
func (r *reader) receive(g harness.FullGame) {
	for _, e := range g.Events {
		switch {
		case e.N == r.lines+1:
			r.lines++
		case e.N > r.lines+1:
			r.gap = fmt.Sprintf("line %d came after line %d", e.N, r.lines)
		}
	}
	for v := r.latest + 1; v <= g.Version; v++ {
		r.seen[v] = time.Now()
	}
	if g.Version < r.latest {
		r.gap = fmt.Sprintf("version %d came after version %d", g.Version, r.latest)
	}
	r.latest = max(r.latest, g.Version)
}

// move makes the next move: each request through any instance, until it is answered.
func (w *watched) move(ctx context.Context) error {
	seat := w.game.Awaited[0]
	by := w.one
	if w.game.SeatOf(by.ID) != seat {
		by = w.two
	}
	var own harness.Game
	w.again(func(in *crashtest.Instance) error {
		own = harness.Game{}
		return in.At(by.Client).Get(ctx, "/games/"+w.game.ID, &own)
	})
	legal := own.Legal[strconv.Itoa(seat)]
	if len(legal) == 0 {
		return fmt.Errorf("game %s at version %d: no legal moves for seat %d: %+v", w.game.ID, own.Version, seat, own)
	}
	move := map[string]any{"seat": seat, "turn": own.Turn, "move": legal[rand.IntN(len(legal))]}
	in := w.again(func(in *crashtest.Instance) error {
		w.game = harness.Game{}
		return in.At(by.Client).Post(ctx, "/games/"+own.ID+"/moves", move, &w.game)
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.moves++
	w.acknowledged[w.game.Version], w.through[w.game.Version] = time.Now(), in
	return nil
}

// again sends a request to any instance until it is answered. A refusal fails the trial, unless it is retryable.
func (w *watched) again(send func(*crashtest.Instance) error) *crashtest.Instance {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		in := w.someone()
		err := send(in)
		if err == nil {
			return in
		}
		var refused *client.Problem
		if errors.As(err, &refused) && refused.Status != http.StatusServiceUnavailable || time.Now().After(deadline) {
			w.Error(err)
			return in
		}
	}
}

// complete waits until every reader with an open stream has all that was acknowledged, and returns the delay of the
// last after the acknowledgement. Events that are late or out of order count as missing.
func (w *watched) complete(within time.Duration) (took time.Duration, missing int) {
	began := time.Now()
	for {
		behind := 0
		w.mu.Lock()
		for _, r := range w.readers {
			if !r.gone && r.latest < w.game.Version {
				behind++
			}
		}
		w.mu.Unlock()
		if behind == 0 || time.Since(began) > within {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.readers {
		if r.gone {
			continue
		}
		if r.gap != "" || r.latest < w.game.Version || r.lines < int(w.game.Version) {
			missing++
			w.Errorf("game %s: a reader has version %d of %d, %d lines; %s", w.game.ID, r.latest, w.game.Version, r.lines, r.gap)
		}
		for v, at := range w.acknowledged {
			if seen, ok := r.seen[v]; ok && r.sinceBefore(at) {
				took = max(took, seen.Sub(at))
			}
		}
	}
	return took, missing
}

// sinceBefore reports whether the reader was there at a time.
func (r *reader) sinceBefore(at time.Time) bool {
	first, ok := r.seen[1]
	return ok && first.Before(at)
}

// delays returns the delays between the moves' answers and their arrival at other instances, and forgets the moves.
func (w *watched) delays() spread {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.readers {
		for v, at := range w.acknowledged {
			if seen, ok := r.seen[v]; ok && w.through[v] != r.at && r.sinceBefore(at) {
				w.measured = append(w.measured, max(0, seen.Sub(at)))
			}
		}
	}
	clear(w.acknowledged)
	return w.measured
}

// end closes the streams.
func (w *watched) end() {
	w.mu.Lock()
	readers := w.readers
	w.readers = nil
	w.mu.Unlock()
	for _, r := range readers {
		r.cancel()
		<-r.ended
	}
}
