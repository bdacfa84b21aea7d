// Package crashtest kills a server while clients play games and tournaments, starts it again, and demands that whatever
// it had acknowledged is there, once and in its place. It has four parts, as such tests usually have: clients make
// requests, the nemesis kills and restarts the server, the history is what the clients were told, and the checker
// compares the server with the history.
package crashtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/cmd/quatuor/client"
)

// Config says what is killed, and how often.
type Config struct {
	Command Command
	Kills   int
}

// Run lets clients play games and tournaments, kills the server at moments left to chance, starts it again on the same
// folder, and demands that everything it had acknowledged is there. The clients go on where they were, repeating the
// requests that were in flight. In the end all tournaments are played to their end, and everything stored is computed
// again.
func Run(t *testing.T, c Config) {
	n := newNemesis(t, c)
	for kill := 1; kill <= c.Kills; kill++ {
		n.live(kill)
		if kill%checkEvery == 0 {
			n.check() // before the next start repairs anything
		}
		if t.Failed() {
			t.Fatalf("after %d kills: %s", kill, n.history)
		}
	}
	n.last()
	t.Logf("%d kills: %s", c.Kills, n.history)
}

// PlayedFolder returns a data folder in which a tournament was held and casual games were begun.
func PlayedFolder(t *testing.T, command Command) string {
	t.Helper()
	n := newNemesis(t, Config{Command: command})
	server := n.start()
	for _, w := range n.workers {
		switch w := w.(type) {
		case *tournamentClient:
			for w.held == 0 || w.cup != "" || w.pending != nil {
				if err := w.act(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		case *casualClient:
			for range 12 {
				if err := w.act(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	server.Stop()
	return n.data
}

const (
	// checkEvery is after how many kills everything stored is computed again.
	checkEvery = 10
	// startKill is which of so many kills comes while the server is starting.
	startKill = 5
	// longestLife bounds how long the server is left alone.
	longestLife = 400 * time.Millisecond
)

// nemesis kills the server and starts it again.
type nemesis struct {
	Config
	t       *testing.T
	data    string
	history *history
	chance  *rand.Rand
	clients []*client.Client
	workers []worker
	names   map[string]string // by player
	closing bool
}

// worker is a client that goes on making requests.
type worker interface {
	// act makes a request, or repeats one that was in flight when the server died. It fails with errDead when the
	// server does not answer, and with errDone when there is nothing more to do.
	act(ctx context.Context) error
}

var (
	errDead = errors.New("the server does not answer")
	errDone = errors.New("there is nothing more to do")
)

// newNemesis makes a data folder with all accounts, and the workers.
func newNemesis(t *testing.T, c Config) *nemesis {
	n := &nemesis{
		Config: c, t: t, data: t.TempDir(), history: newHistory(t), names: map[string]string{},
		chance: rand.New(rand.NewPCG(2026, uint64(c.Kills))),
	}
	CreateAdmin(t, c.Command, n.data)
	n.enlist()
	return n
}

// enlist opens the accounts, and makes the workers.
func (n *nemesis) enlist() {
	p := n.start()
	ctx := n.t.Context()
	olga := p.Client()
	if err := olga.Login(ctx, organiser, Password); err != nil {
		n.t.Fatal(err)
	}
	n.clients = append(n.clients, olga)
	var people []client.Player
	for i := range 8 {
		person := p.Register(ctx, fmt.Sprint("player", i), fmt.Sprint("Player ", i))
		people, n.clients = append(people, person), append(n.clients, person.Client)
		n.names[person.ID] = fmt.Sprint("Player ", i)
	}
	for i, control := range []string{"300+3", "300+3", "1", "none", "300+3"} {
		variant := []string{"quixo/duel", "quits/duel", "quivive/duel", "quits/duel", "quiwin/duel"}[i]
		n.workers = append(n.workers, &casualClient{
			gameClient: n.gameClient(people[i], people[i+1]), variant: variant, control: control, fast: control == "1",
		})
	}
	for i := range 3 {
		n.workers = append(n.workers, &tournamentClient{
			nemesis: n, olga: olga, name: fmt.Sprint("Cup ", i+1), gameClient: n.gameClient(people[i : i+4]...),
		})
	}
	n.workers = append(n.workers, &playerClient{history: n.history, olga: olga})
	p.Stop()
}

// gameClient returns a client for these players.
func (n *nemesis) gameClient(players ...client.Player) gameClient {
	return gameClient{history: n.history, players: players, chance: rand.New(rand.NewPCG(n.chance.Uint64(), 1))}
}

// start starts the server and sends all clients there.
func (n *nemesis) start() *Server {
	p := Start(n.t, n.Command, n.data, "--registration", "open", "--rate-limit", "0", "--log-level", "error")
	for _, c := range n.clients {
		c.HTTP.CloseIdleConnections()
		c.Base = p.URL
	}
	return p
}

// live starts the server, looks whether everything is there, lets all workers act, and kills it.
func (n *nemesis) live(kill int) {
	p := n.start()
	if kill%startKill == 0 {
		<-time.After(time.Duration(n.chance.IntN(20)) * time.Millisecond) // a moment left to chance: there is no event to wait for
		p.Kill()
		return
	}
	ctx := n.t.Context()
	n.history.compare(ctx, n.clients[0], n.chance)
	dying := time.AfterFunc(20*time.Millisecond+time.Duration(n.chance.Int64N(int64(longestLife))), p.Kill)
	defer dying.Stop()
	var acting sync.WaitGroup
	for _, m := range n.workers {
		acting.Go(func() { n.play(ctx, m) })
	}
	acting.Wait()
	if said := p.Stderr.String(); said != "" {
		n.t.Errorf("the server's log: %s", said)
	}
}

// play lets a worker act until the server is gone or nothing is left to do.
func (n *nemesis) play(ctx context.Context, m worker) {
	for {
		switch err := m.act(ctx); {
		case errors.Is(err, errDead) || errors.Is(err, errDone):
			return
		case err != nil:
			n.t.Error(err)
			return
		}
	}
}

// check computes everything again while no server runs.
func (n *nemesis) check() {
	if out, err := n.Command("check", "--data", n.data).CombinedOutput(); err != nil {
		n.t.Errorf("check: %v\n%s", err, out)
	}
}

// last lets all tournaments come to an end, without another kill, and checks everything once more.
func (n *nemesis) last() {
	n.closing = true
	p := n.start()
	ctx := n.t.Context()
	n.history.compare(ctx, n.clients[0], n.chance)
	var acting sync.WaitGroup
	for _, m := range n.workers {
		if _, endless := m.(*tournamentClient); endless {
			acting.Go(func() { n.play(ctx, m) })
		}
	}
	acting.Wait()
	n.history.compareAll(ctx, n.clients[0])
	p.Stop()
	n.check()
	out, err := n.Command("ratings", "recompute", "--verify", "--data", n.data).CombinedOutput()
	verified := strings.TrimSpace(string(out))
	if err != nil || !strings.HasSuffix(verified, "identical") {
		n.t.Errorf("ratings recompute --verify: %v\n%s", err, verified)
	}
	n.t.Log(verified)
}
