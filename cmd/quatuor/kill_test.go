package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"quatuor/cmd/quatuor/client"
	"strings"
	"sync"
	"testing"
	"time"
)

// kills is how often the server is killed; `go test ./cmd/quatuor -run KilledAgain -kills 200 -v` takes some minutes.
var kills = flag.Int("kills", 20, "how often TestKilledAgainAndAgain kills the server")

// TestKilledAgainAndAgain lets clients play games and tournaments, kills the server at moments left to chance, starts
// it again on the same folder, and demands that everything it had acknowledged is there, once and in its place. The
// clients go on where they were, repeating the requests that were under way. In the end all tournaments are played to
// their end, and everything stored is computed again.
func TestKilledAgainAndAgain(t *testing.T) {
	s := newSiege(t)
	for n := 1; n <= *kills; n++ {
		s.live(n)
		if n%checkEvery == 0 {
			s.check() // before the next start mends anything
		}
		if t.Failed() {
			t.Fatalf("after %d kills: %s", n, s.book)
		}
	}
	s.last()
	t.Logf("%d kills: %s", *kills, s.book)
}

const (
	// checkEvery is after how many kills everything stored is computed again.
	checkEvery = 10
	// startKill is which of so many kills comes while the server is starting.
	startKill = 5
	// longestLife bounds how long the server is left alone.
	longestLife = 400 * time.Millisecond
)

// siege is the test as it goes on.
type siege struct {
	t       *testing.T
	data    string
	book    *book
	chance  *rand.Rand
	clients []*client.Client
	members []member
	names   map[string]string // by player
	closing bool
}

// member is somebody who uses the server.
type member interface {
	// act makes a request, or repeats one that was under way when the server died. It fails with errDead when the
	// server does not answer, and with errDone when there is nothing more to do.
	act(ctx context.Context) error
}

var (
	errDead = errors.New("the server does not answer")
	errDone = errors.New("there is nothing more to do")
)

// newSiege makes a data folder with all accounts, and the members.
func newSiege(t *testing.T) *siege {
	s := &siege{
		t: t, data: t.TempDir(), book: newBook(t), names: map[string]string{},
		chance: rand.New(rand.NewPCG(2026, uint64(*kills))),
	}
	adminByCommand(t, s.data)
	s.enlist()
	return s
}

func (s *siege) enlist() {
	p := s.start()
	ctx := s.t.Context()
	olga := p.client()
	if err := olga.Login(ctx, "olga", "correct horse battery"); err != nil {
		s.t.Fatal(err)
	}
	s.clients = append(s.clients, olga)
	var people []client.Player
	for i := range 8 {
		person := p.register(ctx, fmt.Sprint("player", i), fmt.Sprint("Player ", i))
		people, s.clients = append(people, person), append(s.clients, person.Client)
		s.names[person.ID] = fmt.Sprint("Player ", i)
	}
	for i, control := range []string{"300+3", "300+3", "1", "none", "300+3"} {
		variant := []string{"quixo/duel", "quits/duel", "quivive/duel", "quits/duel", "quiwin/duel"}[i]
		s.members = append(s.members, &casual{
			desk: s.desk(people[i], people[i+1]), variant: variant, control: control, fast: control == "1",
		})
	}
	for i := range 3 {
		s.members = append(s.members, &arbiter{
			siege: s, olga: olga, name: fmt.Sprint("Cup ", i+1), desk: s.desk(people[i : i+4]...),
		})
	}
	s.members = append(s.members, &registrar{book: s.book, olga: olga})
	p.stop()
}

func (s *siege) desk(players ...client.Player) desk {
	return desk{book: s.book, players: players, chance: rand.New(rand.NewPCG(s.chance.Uint64(), 1))}
}

// start starts the server and sends everybody there.
func (s *siege) start() *program {
	p := serve(s.t, s.data, "--registration", "open", "--rate-limit", "0", "--log-level", "error")
	for _, c := range s.clients {
		c.HTTP.CloseIdleConnections()
		c.Base = p.url
	}
	return p
}

// live starts the server, looks whether everything is there, lets everybody act, and kills it.
func (s *siege) live(n int) {
	p := s.start()
	if n%startKill == 0 {
		time.Sleep(time.Duration(s.chance.IntN(20)) * time.Millisecond)
		p.kill()
		return
	}
	ctx := s.t.Context()
	s.book.compare(ctx, s.clients[0], s.chance)
	dying := time.AfterFunc(20*time.Millisecond+time.Duration(s.chance.Int64N(int64(longestLife))), p.kill)
	defer dying.Stop()
	var acting sync.WaitGroup
	for _, m := range s.members {
		acting.Go(func() { s.play(ctx, m) })
	}
	acting.Wait()
	if said := p.stderr.String(); said != "" {
		s.t.Errorf("the server's log: %s", said)
	}
}

// play lets a member act until the server is gone or nothing is left to do.
func (s *siege) play(ctx context.Context, m member) {
	for {
		switch err := m.act(ctx); {
		case errors.Is(err, errDead) || errors.Is(err, errDone):
			return
		case err != nil:
			s.t.Error(err)
			return
		}
	}
}

// check computes everything again while no server runs.
func (s *siege) check() {
	if out, ok := quatuor(s.t, "check", "--data", s.data); !ok {
		s.t.Errorf("check:\n%s", out)
	}
}

// last lets everybody come to an end, without another kill, and looks at everything once more.
func (s *siege) last() {
	s.closing = true
	p := s.start()
	ctx := s.t.Context()
	s.book.compare(ctx, s.clients[0], s.chance)
	var acting sync.WaitGroup
	for _, m := range s.members {
		if _, endless := m.(*arbiter); endless {
			acting.Go(func() { s.play(ctx, m) })
		}
	}
	acting.Wait()
	s.book.compareAll(ctx, s.clients[0])
	p.stop()
	s.check()
	verified := mustQuatuor(s.t, "ratings", "recompute", "--verify", "--data", s.data)
	if !strings.HasSuffix(verified, "identical\n") {
		s.t.Error(verified)
	}
	s.t.Log(strings.TrimSpace(verified))
}
