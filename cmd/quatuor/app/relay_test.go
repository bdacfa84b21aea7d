package app

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"quatuor/api/client"
	"quatuor/api/stream"
	"quatuor/cmd/quatuor/harness"
	"quatuor/engine/table"
	"quatuor/store"
	"quatuor/store/dbtest"
	"quatuor/store/hints"
	"quatuor/tournament/account"
)

// relayPatience bounds every wait; what is waited for comes within milliseconds.
const relayPatience = 30 * time.Second

// TestHintsBetweenInstances runs three instances on a shared PostgreSQL. Unless a test configures it, no reconcile runs
// within its time, so that every change arrives by a hint.
func TestHintsBetweenInstances(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	for name, test := range map[string]func(*testing.T, string){
		"EveryMove": everyMove, "Severed": severedListeners, "Notifier": lostNotifier, "Beginning": streamsThatBegin,
		"Flood": floodOfTopics, "Logout": logoutElsewhere, "Role": roleElsewhere, "Presence": presenceElsewhere,
		"Tournament": tournamentElsewhere, "Players": playersElsewhere, "Ladders": laddersElsewhere,
	} {
		t.Run(name, func(t *testing.T) { test(t, server.Schema(t)) })
	}
}

// everyMove plays on two instances in turns while others watch on the third, and on the two.
func everyMove(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	d := newDuel(t, all, "a")
	var readers []*watching
	for _, a := range append(all, all[2]) {
		readers = append(readers, watch(t, a, d.events(), ""))
	}
	for i := 0; i < 40 && d.game.Status == "running"; i++ {
		d.move(t, i%2)
	}
	for _, r := range readers {
		r.upTo(t, d.game.Version)
	}
	if healed := metric(t, all[2], "quatuor_hints_healed_total"); healed != 0 {
		t.Errorf("%v times no hint came", healed)
	}
	if metric(t, all[2], "quatuor_hints_received_total") == 0 || metric(t, all[0], "quatuor_hints_sent_total") == 0 {
		t.Error("no hints are counted")
	}
}

// metric reads a counter or a gauge; the other of the two has the value 0.
func metric(t testing.TB, a *App, name string) float64 {
	t.Helper()
	families, err := a.measures.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			m := f.GetMetric()[0]
			return m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// severedListeners has the server end the connections of all listeners while moves are made.
func severedListeners(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	d := newDuel(t, all, "a")
	r := watch(t, all[2], d.events(), "")
	for i := range 10 {
		if i%3 == 0 {
			severListeners(t, dsn)
		}
		d.move(t, i%2)
	}
	r.upTo(t, d.game.Version)
}

func severListeners(t *testing.T, dsn string) {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err = db.ExecContext(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "+
		"application_name = $1", hints.ApplicationName); err != nil {
		t.Fatal(err)
	}
}

// lostNotifier has a process without hints make moves, like a process that dies between its commit and its NOTIFY.
func lostNotifier(t *testing.T, dsn string) {
	all := instances(t, dsn, 2, func(c *Config) { c.HealEvery = 100 * time.Millisecond })
	d := newDuel(t, all, "a")
	db, err := store.Open(t.Context(), store.Config{DSN: dsn})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	mute := table.New(table.Config{Storage: db.Games().Storage(), Shared: true})
	r := watch(t, all[1], d.events(), "")
	for range 5 {
		move := table.Move{Act: table.Act{Game: d.game.ID, Seat: int8(d.game.Awaited[0]), By: "x"}, Turn: d.game.Turn}
		s, err := mute.Snapshot(t.Context(), d.game.ID)
		if err != nil {
			t.Fatal(err)
		}
		seat := s.Match.Pending().Awaited[0]
		move.Seat = int8(seat)
		move.Turn = s.Match.Turn()
		move.Token = string(s.Match.State().Legal(seat)[0])
		if s, err = mute.Play(t.Context(), mute.Arrive(d.game.ID), move); err != nil {
			t.Fatal(err)
		}
		for g := r.next(t); g.Version < s.Game.Version; {
			g = r.next(t)
		}
	}
	if healed := metric(t, all[1], "quatuor_hints_healed_total"); healed == 0 {
		t.Error("what is healed is not counted")
	}
}

// streamsThatBegin opens streams while a move is being made at another instance.
func streamsThatBegin(t *testing.T, dsn string) {
	all := instances(t, dsn, 2, nil)
	d := newDuel(t, all, "a")
	events := d.events()
	for i := 0; i < 15 && d.game.Status == "running"; i++ {
		var opening sync.WaitGroup
		readers := make([]*watching, 3)
		for k := range readers {
			opening.Go(func() { readers[k] = watch(t, all[1], events, "") })
		}
		d.move(t, 0)
		opening.Wait()
		for _, r := range readers {
			r.upTo(t, d.game.Version)
		}
	}
}

// floodOfTopics makes an instance publish 10,000 topics again and again while a game is played.
func floodOfTopics(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	d := newDuel(t, all, "a")
	r := watch(t, all[2], d.events(), "")
	for i := 0; i < 10 && d.game.Status == "running"; i++ {
		for k := range 10_000 {
			all[0].relay.link.Publish(hints.Hint{
				Topic: fmt.Sprintf("game/%08d-0000-7000-8000-000000000000", k), Version: int64(i),
			})
			all[0].relay.link.Publish(hints.Hint{Topic: fmt.Sprintf("player/%08d-0000-7000-8000-000000000000", k)})
		}
		d.move(t, i%2)
	}
	r.upTo(t, d.game.Version)
	all[2].relay.mu.Lock()
	defer all[2].relay.mu.Unlock()
	if n := len(all[2].relay.due); n > 1 {
		t.Errorf("%d topics are due that no one reads", n)
	}
}

// logoutElsewhere ends all sessions through an instance. The other's clock is stopped, so that its caches do not
// expire.
func logoutElsewhere(t *testing.T, dsn string) {
	started := time.Now()
	all := instances(t, dsn, 2, func(c *Config) { c.Now = func() time.Time { return started } })
	d := newDuel(t, all, "a")
	ada := d.players[0]
	r := watch(t, all[1], d.events(), ada[1].Token)
	r.next(t)
	if err := ada[1].Get(t.Context(), "/me", nil); err != nil {
		t.Fatal(err)
	}
	said := time.Now()
	who, err := all[0].Guard.Authenticate(bearerRequest(t, ada[0].Token))
	if err != nil {
		t.Fatal(err)
	}
	if err := all[0].Guard.EndSessions(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	r.ends(t)
	t.Logf("the other instance ended the stream %v after the logout", time.Since(said))
	var refused *client.Problem
	if err := ada[1].Get(t.Context(), "/me", nil); !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized {
		t.Errorf("the other instance answers %v", err)
	}
}

func bearerRequest(t *testing.T, token string) *http.Request {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

// ends waits for the end of a stream.
func (w *watching) ends(t *testing.T) {
	t.Helper()
	timeout := time.After(relayPatience)
	for {
		select {
		case <-w.events:
		case err := <-w.ended:
			if err != nil {
				t.Errorf("the stream ended: %v", err)
			}
			return
		case <-timeout:
			t.Fatal("the stream goes on")
		}
	}
}

// roleElsewhere makes a player an organiser through an instance; the other knows it, though its clock is stopped.
func roleElsewhere(t *testing.T, dsn string) {
	started := time.Now()
	all := instances(t, dsn, 2, func(c *Config) { c.Now = func() time.Time { return started } })
	d := newDuel(t, all, "a")
	ada := d.players[0]
	who, err := all[1].Guard.Authenticate(bearerRequest(t, ada[1].Token))
	if err != nil || who.Role != account.RolePlayer {
		t.Fatal(who.Role, err)
	}
	r := watch(t, all[1], d.events(), ada[1].Token)
	r.next(t)
	promote(t, all[0], who.AccountID)
	all[0].Guard.AccountChanged(who.AccountID)
	r.ends(t) // it comes back with its new rights
	if who, err = all[1].Guard.Authenticate(bearerRequest(t, ada[1].Token)); err != nil ||
		who.Role != account.RoleOrganiser {
		t.Errorf("the role is %s, %v", who.Role, err)
	}
}

// presenceElsewhere connects a player to the game through an instance, then another; the readers of the other instance
// get both.
func presenceElsewhere(t *testing.T, dsn string) {
	all := instances(t, dsn, 2, nil)
	d := newDuel(t, all, "a")
	r := watch(t, all[1], d.events(), "")
	bob := d.players[1]
	watch(t, all[0], d.events(), bob[0].Token)
	for g := r.next(t); !connected(t, all[1], d.game.ID, bob[0].ID); g = r.next(t) {
		if g.ID != d.game.ID {
			t.Fatal("another game")
		}
	}
	third := instances(t, dsn, 1, nil)[0] // it sends a sync request
	late := watch(t, third, d.events(), "")
	for late.next(t); !connected(t, third, d.game.ID, bob[0].ID); {
		late.next(t)
	}
}

func connected(t *testing.T, a *App, game, player string) bool {
	t.Helper()
	here, _ := a.hub.Present(game, player)
	return here
}

// tournamentElsewhere changes a tournament through an instance while its stream is read on another.
func tournamentElsewhere(t *testing.T, dsn string) {
	all := instances(t, dsn, 2, nil)
	if err := CreateAdmin(t.Context(), all[0].Store, "olga", "a long pass phrase of the club"); err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	olga := client.New(all[0].URL(), transport)
	if err := olga.Login(t.Context(), "olga", "a long pass phrase of the club"); err != nil {
		t.Fatal(err)
	}
	var cup harness.Game
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(olga.Post(t.Context(), "/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "round_robin", "time_control": "300+3",
	}, &cup))
	must(olga.Post(t.Context(), "/tournaments/"+cup.ID+"/open", nil, nil))
	staff := watch(t, all[1], "/tournaments/"+cup.ID+"/events", olga.Token)
	public := watch(t, all[1], "/tournaments/"+cup.ID+"/events", "")
	for _, w := range []*watching{staff, public} {
		if g := w.next(t); g.Status != "open" {
			t.Errorf("at first it is %q", g.Status)
		}
	}
	must(olga.Post(t.Context(), "/tournaments/"+cup.ID+"/close", nil, nil))
	for _, w := range []*watching{staff, public} {
		if g := w.next(t); g.Status != "closed" {
			t.Errorf("then it is told as %q", g.Status)
		}
	}
}

// playersElsewhere follows a player's games on an instance while the other side moves on another.
func playersElsewhere(t *testing.T, dsn string) {
	all := instances(t, dsn, 2, nil)
	d := newDuel(t, all, "a")
	renders := make(chan struct{}, 100)
	ctx, cancel := context.WithCancel(t.Context())
	var serving sync.WaitGroup
	defer serving.Wait()
	defer cancel()
	serving.Go(func() {
		topics := []string{stream.OfPlayer(d.players[1][0].ID), stream.Lobby}
		_ = all[1].hub.ServeTopics(ctx, httptest.NewRecorder(), topics, 0, func(context.Context) (stream.Update, error) {
			renders <- struct{}{}
			return stream.Update{}, nil
		})
	})
	<-renders
	for range 3 {
		d.move(t, 0)
		select {
		case <-renders:
		case <-time.After(relayPatience):
			t.Fatal("a player is not told of a move in an own game")
		}
	}
}
