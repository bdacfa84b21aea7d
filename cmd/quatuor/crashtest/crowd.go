package crashtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
)

// crowd is the clients, their actions and the answers they got.
type crowd struct {
	t       *testing.T
	history *history
	chance  *rand.Rand
	olga    *client.Client
	people  []harness.Player
	workers []worker
	names   map[string]string // by player
	closing atomic.Bool       // no tournament is begun any more
}

func newCrowd(t *testing.T, seed uint64) *crowd {
	return &crowd{t: t, history: newHistory(t), names: map[string]string{}, chance: rand.New(rand.NewPCG(2026, seed))}
}

// casual configures the casual games that a worker plays in turn.
type casual struct {
	variant string
	seats   int
	control string
}

// enlist opens the accounts, and makes the workers.
func (w *crowd) enlist(ctx context.Context, anonymous func() *client.Client, games []casual) {
	w.register(ctx, anonymous, 8)
	w.employ(games)
}

// register opens the accounts.
func (w *crowd) register(ctx context.Context, anonymous func() *client.Client, people int) {
	w.olga = anonymous()
	if err := w.olga.Login(ctx, organiser, Password); err != nil {
		w.t.Fatal(err)
	}
	for i := range people {
		person, err := harness.Register(ctx, anonymous(), fmt.Sprint("player", i), Password, fmt.Sprint("Player ", i))
		if err != nil {
			w.t.Fatal(err)
		}
		w.people = append(w.people, person)
		w.names[person.ID] = fmt.Sprint("Player ", i)
	}
}

// employ makes the workers.
func (w *crowd) employ(games []casual) {
	for i, g := range games {
		var players []harness.Player
		for seat := range g.seats {
			players = append(players, w.people[(i+seat)%len(w.people)])
		}
		w.workers = append(w.workers, &casualClient{
			gameClient: w.gameClient(players...), variant: g.variant, control: g.control, fast: g.control == "1",
		})
	}
	for i := range 3 {
		w.workers = append(w.workers, &tournamentClient{
			crowd: w, olga: w.olga, name: fmt.Sprint("Cup ", i+1), gameClient: w.gameClient(w.people[i : i+4]...),
		})
	}
	w.workers = append(w.workers, &playerClient{w.gameClient(), w.olga})
}

// everyone lists the clients.
func (w *crowd) everyone() []*client.Client {
	all := []*client.Client{w.olga}
	for _, p := range w.people {
		all = append(all, p.Client)
	}
	return all
}

// gameClient returns a client for these players.
func (w *crowd) gameClient(players ...harness.Player) gameClient {
	return gameClient{history: w.history, players: players, chance: rand.New(rand.NewPCG(w.chance.Uint64(), 1))}
}

// play lets workers act, with a pause after each act, until ctx ends, nothing is left to do, or the server is gone.
// With a patient history they go on when it is back.
func (w *crowd) play(ctx context.Context, pause time.Duration, which func(worker) bool) {
	var acting sync.WaitGroup
	for _, m := range w.workers {
		if which(m) {
			acting.Go(func() { w.goOn(ctx, m, pause) })
		}
	}
	acting.Wait()
}

func (w *crowd) goOn(ctx context.Context, m worker, pause time.Duration) {
	for ctx.Err() == nil {
		err := m.act(context.WithoutCancel(ctx))
		switch {
		case errors.Is(err, errDead) && w.history.patient:
			rest(ctx, 20*time.Millisecond)
		case errors.Is(err, errDead) || errors.Is(err, errDone):
			return
		case err != nil:
			w.t.Error(err)
			return
		case pause > 0:
			rest(ctx, rand.N(2*pause))
		}
	}
}

// rest leaves turns for others.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func anyWorker(worker) bool { return true }

// holder picks the workers that have something to bring to an end.
func holder(m worker) bool {
	_, holds := m.(*tournamentClient)
	return holds
}
