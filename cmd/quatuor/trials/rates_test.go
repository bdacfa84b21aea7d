//go:build linux

package trials

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
)

// inTime makes moves shortly before their deadline, through an instance that serves alone and then through three, while
// a crowd plays, and counts those that were refused because the flag had fallen.
func (x *trial) inTime() {
	rounds := 1
	if long() {
		rounds = 4
	}
	moves := x.number("MOVES", 100, 2000)
	stages := [2]*stage{x.stage(x.server.Schema(x.T), 1), x.stage(x.server.Schema(x.T), instances)}
	var sent, lost, failed [2]int
	for round := range rounds {
		for k := range stages {
			i := (k + round) % 2 // so that neither always comes second
			s := stages[i]
			s.crowd.Begin(20 * time.Millisecond)
			out, late, broken := s.justInTime(moves / rounds)
			s.crowd.Rest()
			sent[i], lost[i], failed[i] = sent[i]+out, lost[i]+late, failed[i]+broken
			x.Logf("round %d with %d: %d of %d lost", round+1, len(s.Instances), late, out)
		}
	}
	var share [2]float64
	var text [2]string
	for i, s := range stages {
		share[i] = 100 * float64(lost[i]) / float64(max(1, sent[i]))
		text[i] = fmt.Sprintf("%.1f %% with %d (%d of %d, %d without an answer)", share[i], len(s.Instances), lost[i],
			sent[i], failed[i])
	}
	checked := stages[1].finish()
	x.report("in-time moves lost to a flag: %s, %s: %+.1f %%; the crowd of three: %s", text[0], text[1], share[1]-share[0],
		checked)
}

// justInTime sends a number of moves between 60 and 5 ms before their deadline. A move that left too late does not
// count.
func (s *stage) justInTime(moves int) (sent, lost, failed int) {
	const atOnce = 50
	var left, flagged, broken atomic.Int64
	each(atOnce, moves, func(n int) {
		one, two := s.player(n), s.player(n+1)
		g, err := open(s.Context(), one, two, "1", false)
		if err != nil {
			s.Error(err)
			return
		}
		deadline := g.Seats[0].Deadline
		time.Sleep(time.Until(deadline.Add(-5*time.Millisecond - rand.N(55*time.Millisecond))))
		if !time.Now().Before(deadline) {
			return
		}
		left.Add(1)
		err = g.move(s.Context(), one, 1, "a1-a5")
		var refused *client.Problem
		switch {
		case errors.As(err, &refused) && refused.Status == http.StatusConflict:
			flagged.Add(1)
		case err != nil:
			s.Log(err)
			broken.Add(1)
		}
	})
	return int(left.Load()), int(flagged.Load()), int(broken.Load())
}

// timed is a game with its clocks.
type timed struct {
	harness.Game
	Seats []struct {
		Deadline time.Time `json:"deadline"`
	} `json:"seats"`
}

// open opens a game of two and accepts it. It waits while the other player sits in as many games without a move as may
// begin at once.
func open(ctx context.Context, one, two harness.Player, control string, rated bool) (g timed, err error) {
	err = one.Post(ctx, "/games", map[string]any{
		"variant": "quixo/duel", "time_control": control, "rated": rated, "start": "now",
		"seats": []map[string]string{{"player_id": one.ID}, {"player_id": two.ID}},
	}, &g)
	if err == nil && g.Status == "waiting" {
		err = two.Post(ctx, "/games/"+g.ID+"/accept", nil, &g)
	}
	return g, err
}

// move makes a move in a turn of a new game with alternating seats.
func (g timed) move(ctx context.Context, by harness.Player, turn int, token string) error {
	return by.Post(ctx, "/games/"+g.ID+"/moves", map[string]any{"seat": turn, "turn": turn, "move": token}, nil)
}

// each does work for 0 to count-1, some at once.
func each(atOnce, count int, work func(n int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			for n := int(next.Add(1)) - 1; n < count; n = int(next.Add(1)) - 1 {
				work(n)
			}
		})
	}
	group.Wait()
}
