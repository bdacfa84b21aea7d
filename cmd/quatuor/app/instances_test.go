package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/api/client"
	"quatuor/api/stream"
	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
	"quatuor/store/hints"
)

// instances runs instances on a database until the test ends.
func instances(t testing.TB, dsn string, count int, change func(*Config)) []*App {
	t.Helper()
	all := make([]*App, count)
	for i := range all {
		c := Config{
			Storage: Storage{Database: dsn}, Listen: "127.0.0.1:0", Registration: "open", Logger: slog.New(slog.DiscardHandler),
			HealEvery: time.Hour,
			AdaptAuth: func(c *auth.Config) { c.PasswordCost = cheap },
		}
		if change != nil {
			change(&c)
		}
		a, err := New(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(runs(t, a))
		all[i] = a
	}
	for _, from := range all {
		for _, to := range all {
			if from != to {
				meetBy(t, from, to)
			}
		}
	}
	return all
}

// runs serves until what it returns is called, which closes the instance too.
func runs(t testing.TB, a *App) (stop func()) {
	t.Helper()
	if err := a.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		a.Close()
	}
}

// meetBy returns when a hint of an instance has reached another.
func meetBy(t testing.TB, from, to *App) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	renders := make(chan struct{}, 1)
	var serving sync.WaitGroup
	topic := stream.OfPlayer("meet-" + from.relay.link.Instance)
	serving.Go(func() {
		_ = to.hub.ServeTopics(ctx, httptest.NewRecorder(), []string{topic}, 0, func(context.Context) (stream.Update, error) {
			renders <- struct{}{}
			return stream.Update{}, nil
		})
	})
	defer serving.Wait()
	defer cancel()
	<-renders
	from.relay.link.Publish(hints.Hint{Topic: topic})
	select {
	case <-renders:
	case <-time.After(relayPatience):
		t.Error("an instance does not hear another one")
	}
}

// cheap is the cost of passwords in tests: hashing is meant to be slow, and few tests are about it.
var cheap = auth.PasswordCost{Memory: 8, Passes: 1, Lanes: 1}

// newData returns a data folder of the test with a migrated database.
func newData(t testing.TB) Storage {
	t.Helper()
	return Storage{Data: dbtest.Folder(t, func(dir string) error {
		db, err := Storage{Data: dir}.OpenStore(context.Background())
		if err != nil {
			return err
		}
		return db.Close()
	})}
}

// setUp makes the first admin, so that others can open accounts.
func setUp(t testing.TB, a *App) {
	t.Helper()
	due, err := a.Guard.NeedsSetup(t.Context())
	if err == nil && due {
		err = CreateAdmin(t.Context(), a.Store, "root", "a long pass phrase of the club")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// player opens an account on an instance, and returns clients for it on all of them.
func player(t testing.TB, all []*App, login string) []harness.Player {
	t.Helper()
	setUp(t, all[0])
	transport := &http.Transport{MaxIdleConnsPerHost: 10}
	t.Cleanup(transport.CloseIdleConnections)
	first, err := harness.Register(t.Context(), client.New(all[0].URL(), transport), login,
		"a long pass phrase of the club", login)
	if err != nil {
		t.Fatal(err)
	}
	clients := make([]harness.Player, len(all))
	for i, a := range all {
		c := client.New(a.URL(), transport)
		c.Token = first.Token
		clients[i] = harness.Player{Client: c, ID: first.ID, Header: first.Header}
	}
	return clients
}

// watching is a reader of a game's stream.
type watching struct {
	events chan harness.FullGame
	ended  chan error
}

// watch opens a stream with a token, "" for a spectator, and returns when it has begun.
func watch(t testing.TB, a *App, path, token string) *watching {
	t.Helper()
	w := &watching{events: make(chan harness.FullGame, 10_000), ended: make(chan error, 1)}
	transport := &http.Transport{}
	c := client.New(a.URL(), transport)
	c.Token = token
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var reading sync.WaitGroup
	reading.Go(func() {
		w.ended <- c.Follow(ctx, path, func(data []byte) (bool, error) {
			if bytes.HasPrefix(bytes.TrimSpace(data), []byte(`{"server_time"`)) {
				return false, nil
			}
			var g harness.FullGame
			err := json.Unmarshal(data, &g)
			w.events <- g
			return false, err
		})
	})
	t.Cleanup(func() {
		cancel()
		reading.Wait()
		transport.CloseIdleConnections()
	})
	return w
}

// next returns the next event.
func (w *watching) next(t testing.TB) harness.FullGame {
	t.Helper()
	select {
	case g := <-w.events:
		return g
	default:
	}
	select {
	case g := <-w.events:
		return g
	case err := <-w.ended:
		t.Fatalf("the stream ended: %v", err)
	case <-time.After(relayPatience):
		t.Fatal("nothing is told")
	}
	return harness.FullGame{}
}

// upTo reads until the game has a version, and demands that every line came once, in order.
func (w *watching) upTo(t testing.TB, version int64) {
	t.Helper()
	var lines []int
	for g := (harness.FullGame{}); g.Version < version; {
		g = w.next(t)
		for _, e := range g.Events {
			if len(lines) == 0 || e.N != lines[len(lines)-1] { // an event of several carries the same lines
				lines = append(lines, e.N)
			}
		}
	}
	want := make([]int, version)
	for i := range want {
		want[i] = i + 1
	}
	if !slices.Equal(lines, want) {
		t.Errorf("lines came as %v, want 1 to %d", lines, version)
	}
}

// duel is a game of two players, each with a client for every instance.
type duel struct {
	players [2][]harness.Player
	game    harness.Game
}

func newDuel(t testing.TB, all []*App, name string) *duel {
	t.Helper()
	d := &duel{players: [2][]harness.Player{player(t, all, name+"-ada"), player(t, all, name+"-bob")}}
	err := d.players[0][0].Post(t.Context(), "/games", map[string]any{
		"variant": "quixo/duel", "time_control": "none", "start": "now",
		"seats": []map[string]string{{"player_id": d.players[0][0].ID}, {"player_id": d.players[1][0].ID}},
	}, &d.game)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// move makes the next move through an instance.
func (d *duel) move(t testing.TB, instance int) {
	t.Helper()
	id, seat, by := d.game.ID, d.game.Awaited[0], d.players[0]
	if d.game.SeatOf(by[0].ID) != seat {
		by = d.players[1]
	}
	d.game = harness.Game{}
	d.ask(t, func() error { return by[instance].Get(t.Context(), "/games/"+id, &d.game) })
	legal := d.game.Legal[strconv.Itoa(seat)]
	move := map[string]any{"seat": seat, "turn": d.game.Turn, "move": legal[d.game.Turn%len(legal)]}
	d.ask(t, func() error { return by[instance].Post(t.Context(), "/games/"+id+"/moves", move, &d.game) })
}

// ask sends a request again while the answer is 503: on a busy machine the database may be silent for a second, which
// suspends the games of an instance for a moment. A move that comes twice counts once.
func (d *duel) ask(t testing.TB, request func() error) {
	t.Helper()
	var refused *client.Problem
	deadline := time.Now().Add(relayPatience)
	err := request()
	for errors.As(err, &refused) && refused.Status == http.StatusServiceUnavailable && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
		err = request()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (d *duel) events() string { return "/games/" + d.game.ID + "/events" }
