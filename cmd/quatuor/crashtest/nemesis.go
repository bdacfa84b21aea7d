// Package crashtest is support for tests, and no part of the program: it kills a server while clients play games and
// tournaments, starts it again, and demands that everything acknowledged is stored, once and in its place. It has the four usual parts: clients make requests, the
// nemesis kills and restarts the server, the history records the acknowledged answers, and the checker compares the
// server with the history.
package crashtest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// Config configures the server to kill, and the number of kills.
type Config struct {
	Command Command
	Kills   int
}

// Run lets clients play games and tournaments, kills the server at random moments, restarts it on the same folder, and
// demands that everything acknowledged is stored. The clients continue, repeating the requests that were in flight. At
// the end all tournaments are finished, and everything stored is recomputed.
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

// PlayedFolder returns a data folder with a finished tournament and casual games under way.
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
	// checkEvery is the number of kills between recomputations of everything stored.
	checkEvery = 10
	// startKill is the interval, in kills, of those that come while the server is starting.
	startKill = 5
	// longestLife bounds the random part of the time between a start of the server and its kill.
	longestLife = 400 * time.Millisecond
)

// nemesis kills the server and starts it again.
type nemesis struct {
	Config
	*crowd
	data string
}

// worker is a client that goes on making requests.
type worker interface {
	// act makes a request, or repeats the request that was in flight when the server died. It fails with errDead if the
	// server does not answer, and with errDone when nothing is left to do.
	act(ctx context.Context) error
}

var (
	errDead = errors.New("the server does not answer")
	errDone = errors.New("there is nothing more to do")
)

// newNemesis makes a data folder with all accounts, and the workers.
func newNemesis(t *testing.T, c Config) *nemesis {
	n := &nemesis{Config: c, crowd: newCrowd(t, uint64(c.Kills)), data: t.TempDir()}
	CreateAdmin(t, c.Command, n.data)
	p := n.start()
	n.enlist(t.Context(), p.Client, []casual{
		{"quixo/duel", 2, "300+3"},
		{"quits/duel", 2, "300+3"},
		{"quivive/duel", 2, "1"},
		{"quits/duel", 2, "none"},
		{"quiwin/duel", 2, "300+3"},
	})
	p.Stop()
	return n
}

// start starts the server and sends all clients there.
func (n *nemesis) start() *Server {
	p := Start(n.t, n.Command, n.data, "--registration", "open", "--rate-limit", "0", "--log-level", "error")
	if n.olga == nil { // they are about to be enlisted
		return p
	}
	for _, c := range n.everyone() {
		c.HTTP.CloseIdleConnections()
		c.Base = p.URL
	}
	return p
}

// live starts the server, checks that everything is stored, lets all workers act, and kills it.
func (n *nemesis) live(kill int) {
	p := n.start()
	if kill%startKill == 0 {
		<-time.After(time.Duration(n.chance.IntN(20)) * time.Millisecond) // a random moment: no event to wait for
		p.Kill()
		return
	}
	ctx := n.t.Context()
	n.history.compare(ctx, n.olga, n.chance)
	dying := time.AfterFunc(20*time.Millisecond+time.Duration(n.chance.Int64N(int64(longestLife))), p.Kill)
	defer dying.Stop()
	n.play(ctx, 0, anyWorker)
	if log := p.Stderr.String(); log != "" {
		n.t.Errorf("the server's log: %s", log)
	}
}

// check computes everything again while no server runs.
func (n *nemesis) check() { checkStored(n.t, n.Command, "--data", n.data) }

// checkStored has the program check the database.
func checkStored(t testing.TB, command Command, where ...string) {
	t.Helper()
	if out, err := command(append([]string{"check"}, where...)...).CombinedOutput(); err != nil {
		t.Errorf("check: %v\n%s", err, out)
	}
}

// verifyRatings has the program compute all ratings again.
func verifyRatings(t testing.TB, command Command, where ...string) {
	t.Helper()
	out, err := command(append([]string{"ratings", "recompute", "--verify"}, where...)...).CombinedOutput()
	verified := strings.TrimSpace(string(out))
	if err != nil || !strings.HasSuffix(verified, "identical") {
		t.Errorf("ratings recompute --verify: %v\n%s", err, verified)
	}
	t.Log(verified)
}

// last lets all tournaments come to an end, without another kill, and checks everything once more.
func (n *nemesis) last() {
	n.closing.Store(true)
	p := n.start()
	ctx := n.t.Context()
	n.history.compare(ctx, n.olga, n.chance)
	n.play(ctx, 0, holder)
	n.history.compareAll(ctx, n.olga)
	p.Stop()
	n.check()
	verifyRatings(n.t, n.Command, "--data", n.data)
}
