package app

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api/forward"
	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
	"quatuor/tournament/account"
)

const testSecret = "correct horse battery staple, thrice"

// door is a proxy before an instance: the acts that others send to it go through here.
type door struct {
	app   atomic.Pointer[App]
	came  chan *forward.Act             // an act that others have sent, if someone waits for it
	hold  atomic.Pointer[chan struct{}] // acts wait until it is closed; nil for none
	acts  atomic.Int64
	moved sync.Map // headers that came with acts
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := d.app.Load().peers.Accept(w, r, r.RemoteAddr, d.carryOut); err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
	}
}

func (d *door) carryOut(act *forward.Act) (forward.Answer, error) {
	d.acts.Add(1)
	for name := range act.Header {
		d.moved.Store(name, true)
	}
	if hold := d.hold.Load(); hold != nil {
		d.came <- act
		<-*hold
	}
	return d.app.Load().Handler.CarryOut(act)
}

// shut lets acts wait from now on.
func (d *door) shut() (release func()) {
	hold := make(chan struct{})
	d.hold.Store(&hold)
	return sync.OnceFunc(func() { close(hold) })
}

// neighbours runs instances that send each other acts, and returns when all know each other.
func neighbours(t testing.TB, dsn string, count int) ([]*App, []*door) {
	t.Helper()
	var doors []*door
	all := instances(t, dsn, count, func(c *Config) {
		d := &door{came: make(chan *forward.Act, 100)}
		server := httptest.NewServer(d)
		t.Cleanup(server.Close)
		doors = append(doors, d)
		c.PeerAddress, c.PeerSecret = server.URL+"/", testSecret
	})
	for i, a := range all {
		doors[i].app.Store(a)
	}
	know(t, all)
	return all, doors
}

// know returns when all instances know each other.
func know(t testing.TB, all []*App) {
	t.Helper()
	for _, a := range all {
		changed := make(chan struct{}, 1)
		a.Store.Members().Observe(func() {
			select {
			case changed <- struct{}{}:
			default:
			}
		})
		for len(a.Store.Members().All()) < len(all) || a.Store.Members().Self().Epoch == 0 {
			select {
			case <-changed:
			case <-time.After(relayPatience):
				t.Fatal("the instances do not know each other")
			}
		}
	}
}

// ownerOf returns the instance that owns a game or a tournament, and another.
func ownerOf(t testing.TB, all []*App, key string) (owner, other int) {
	t.Helper()
	owner = -1
	for i, a := range all {
		if a.Store.Members().Mine(key) {
			owner = i
		} else {
			other = i
		}
	}
	if owner < 0 {
		t.Fatal("the game has no owner")
	}
	return owner, other
}

// counted reads a counter with a label.
func counted(t testing.TB, a *App, name, label string) (n float64) {
	t.Helper()
	families, err := a.measures.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && len(m.GetLabel()) == 1 && m.GetLabel()[0].GetValue() == label {
				n = m.GetCounter().GetValue()
			}
		}
	}
	return n
}

// TestActsGoToTheOwner runs instances on a shared PostgreSQL, and plays through those that do not own the game.
func TestActsGoToTheOwner(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	for name, test := range map[string]func(*testing.T, string){
		"Moves": movesElsewhere, "Stamp": stampOfArrival, "Answers": answersComeBack, "Tournament": tournamentsElsewhere,
		"Frozen": frozenOwner,
	} {
		t.Run(name, func(t *testing.T) { test(t, server.Schema(t)) })
	}
}

// movesElsewhere plays a game on three instances in turns. The owner carries out the moves that came to others.
func movesElsewhere(t *testing.T, dsn string) {
	all, doors := neighbours(t, dsn, 3)
	d := newDuel(t, all, "a")
	owner, _ := ownerOf(t, all, d.game.ID)
	elsewhere := 0
	for i := 0; i < 15 && d.game.Status == "running"; i++ {
		d.move(t, i%3)
		if i%3 != owner {
			elsewhere++
		}
	}
	if got := metric(t, all[owner], "quatuor_acts_received_total"); got != float64(elsewhere) {
		t.Errorf("the owner has received %v acts, want %d", got, elsewhere)
	}
	for i, a := range all {
		if here := counted(t, a, "quatuor_acts_forwarded_total", "acted here"); here != 0 {
			t.Errorf("instance %d has acted itself %v times", i, here)
		}
	}
	for _, secret := range []string{"Authorization", "Cookie"} {
		if _, came := doors[owner].moved.Load(secret); came {
			t.Errorf("%s was sent on", secret)
		}
	}
	var g harness.FullGame
	if err := d.players[0][0].Get(t.Context(), "/games/"+d.game.ID, &g); err != nil || len(g.Moves()) != 15 {
		t.Errorf("%d moves are stored, %v", len(g.Moves()), err)
	}
}

// nextMove returns the next move of a game, with its mover and its key.
func (d *duel) nextMove(t testing.TB, instance int) (by harness.Player, move map[string]any) {
	t.Helper()
	by = d.players[0][instance]
	if d.game.SeatOf(by.ID) != d.game.Awaited[0] {
		by = d.players[1][instance]
	}
	var g harness.Game
	if err := by.Get(t.Context(), "/games/"+d.game.ID, &g); err != nil {
		t.Fatal(err)
	}
	seat := g.Awaited[0]
	return by, map[string]any{"seat": seat, "turn": g.Turn, "move": g.Legal[strconv.Itoa(seat)][0]}
}

// stampOfArrival holds a move up on its way to the owner: it counts from when it came to the first instance.
func stampOfArrival(t *testing.T, dsn string) {
	all, doors := neighbours(t, dsn, 2)
	d := newDuel(t, all, "a")
	owner, other := ownerOf(t, all, d.game.ID)
	by, move := d.nextMove(t, other)
	release := doors[owner].shut()
	done := make(chan error, 1)
	go func() { done <- by.Post(t.Context(), "/games/"+d.game.ID+"/moves", move, nil) }()
	<-doors[owner].came
	arrived := all[owner].Tables.Time()
	for all[owner].Tables.Time().Sub(arrived) < 50*time.Millisecond {
		time.Sleep(time.Millisecond) // the service's clock is to go on
	}
	release()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s, err := all[owner].Tables.Snapshot(t.Context(), d.game.ID)
	if err != nil {
		t.Fatal(err)
	}
	if last := s.Lines[len(s.Lines)-1]; last.At > arrived.UnixMilli() {
		t.Errorf("the move was stamped %d ms after it had reached the owner", last.At-arrived.UnixMilli())
	}
}

// answersComeBack sends the same requests to the owner and to another instance: refusals, headers and keys are the
// same.
func answersComeBack(t *testing.T, dsn string) {
	all, doors := neighbours(t, dsn, 2)
	d := newDuel(t, all, "a")
	owner, other := ownerOf(t, all, d.game.ID)
	by, move := d.nextMove(t, other)
	path := "/games/" + d.game.ID + "/moves"
	ask := func(instance int, body map[string]any, header ...string) (int, http.Header, map[string]any) {
		t.Helper()
		text, _ := json.Marshal(body)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, all[instance].URL()+"/api/v1"+path,
			strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+by.Token)
		r.Header.Set("Content-Type", "application/json; charset=utf-8")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		raw, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := json.Unmarshal(raw, &document); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		return answer.StatusCode, answer.Header, document
	}
	for _, tt := range []struct {
		name, move string
		turn       int
		status     int
		kind       string
	}{
		{"an illegal move", "a1-a1", 1, http.StatusUnprocessableEntity, "/problems/illegal-move"},
		{"a turn that is not there yet", move["move"].(string), 7, http.StatusConflict, "/problems/stale-turn"},
	} {
		wrong := map[string]any{"seat": move["seat"], "turn": tt.turn, "move": tt.move}
		before := doors[owner].acts.Load()
		status, header, document := ask(other, wrong)
		if doors[owner].acts.Load() != before+1 {
			t.Errorf("%s did not go to the owner", tt.name)
		}
		if status != tt.status || document["type"] != tt.kind || header.Get("Content-Type") != "application/problem+json" ||
			document["request_id"] != header.Get("X-Request-Id") {
			t.Errorf("%s: %d %v %v", tt.name, status, header, document)
		}
		_, there, same := ask(owner, wrong)
		delete(document, "request_id")
		delete(same, "request_id")
		if a, b := mustJSON(document), mustJSON(same); a != b || header.Get("Cache-Control") != there.Get("Cache-Control") {
			t.Errorf("%s: here %s, at the owner %s", tt.name, a, b)
		}
	}
	first, _, game := ask(other, move, "Idempotency-Key", "once")
	again, header, same := ask(other, move, "Idempotency-Key", "once")
	if first != http.StatusOK || again != http.StatusOK || header.Get("Idempotent-Replayed") != "true" ||
		mustJSON(game) != mustJSON(same) {
		t.Errorf("with a key: %d, then %d %v", first, again, header)
	}
	if status, header, _ := ask(owner, move, "Idempotency-Key", "once"); status != http.StatusOK ||
		header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("with the same key at the owner: %d %v", status, header)
	}
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// makeOrganiser lets the account behind a token run tournaments, on all instances.
func makeOrganiser(t *testing.T, all []*App, token string) {
	t.Helper()
	who, err := all[0].Guard.Authenticate(bearerRequest(t, token))
	if err != nil {
		t.Fatal(err)
	}
	promote(t, all[0], who.AccountID)
	for _, a := range all {
		a.Guard.Forget()
	}
}

// tournamentsElsewhere changes a tournament through the instance that does not own it: its tag comes back, and counts.
func tournamentsElsewhere(t *testing.T, dsn string) {
	all, doors := neighbours(t, dsn, 2)
	olga := player(t, all, "olga")
	makeOrganiser(t, all, olga[0].Token)
	var made struct {
		ID string `json:"id"`
	}
	err := olga[0].Post(t.Context(), "/tournaments", map[string]any{
		"name": "Autumn", "variant": "quixo/duel", "format": "swiss", "rounds": 3, "time_control": "300+3",
	}, &made)
	if err != nil {
		t.Fatal(err)
	}
	owner, other := ownerOf(t, all, made.ID)
	change := func(tag, name string) (status int, next string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, all[other].URL()+"/api/v1/tournaments/"+made.ID,
			strings.NewReader(`{"name":"`+name+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{
			"Authorization": {"Bearer " + olga[other].Token}, "Content-Type": {"application/json"}, "If-Match": {tag},
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode, answer.Header.Get("ETag")
	}
	answer, err := olga[other].Send(t.Context(), http.MethodGet, "/tournaments/"+made.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	tag := answer.Header.Get("ETag")
	if doors[owner].acts.Load() != 0 {
		t.Error("reading was forwarded")
	}
	if status, next := change(tag, "Winter"); status != http.StatusOK || next == "" || next == tag {
		t.Errorf("%d with the tag %q after %q", status, next, tag)
	}
	if status, _ := change(tag, "Spring"); status != http.StatusPreconditionFailed {
		t.Errorf("with an old tag: %d", status)
	}
	if doors[owner].acts.Load() != 2 {
		t.Errorf("%d acts went to the owner, want 2", doors[owner].acts.Load())
	}
}

// frozenOwner holds an owner up for good: a move is carried out where it came in, with its stamp. What the owner finds
// when it wakes up has expired, and is stored by the other, once.
func frozenOwner(t *testing.T, dsn string) {
	all, doors := neighbours(t, dsn, 2)
	d := newDuel(t, all, "a")
	owner, other := ownerOf(t, all, d.game.ID)
	by, move := d.nextMove(t, other)
	release := doors[owner].shut()
	done := make(chan error, 1)
	var answered harness.Game
	go func() { done <- by.Post(t.Context(), "/games/"+d.game.ID+"/moves", move, &answered) }()
	<-doors[owner].came
	arrived := all[owner].Tables.Time().UnixMilli()
	if err := <-done; err != nil || answered.Turn != 2 {
		t.Fatalf("turn %d, %v", answered.Turn, err)
	}
	if counted(t, all[other], "quatuor_acts_forwarded_total", "acted here") != 1 {
		t.Error("it is not counted")
	}
	release()
	d.game.Awaited = answered.Awaited
	d.move(t, owner)
	s, err := all[owner].Tables.Snapshot(t.Context(), d.game.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Lines) != 3 || s.Lines[1].At > arrived {
		t.Errorf("after a start and two moves there are %d lines; the first move is of %d, and arrived before %d",
			len(s.Lines), s.Lines[1].At, arrived)
	}
}

// TestInstancesDoNotWait sends requests to a service that is starting: other instances may connect, to be verified; all
// else waits.
func TestInstancesDoNotWait(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	reached := 0
	handler := newGate().before(ctx, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, forward.Path, http.NoBody))
	if reached != 1 {
		t.Error("another instance waits")
	}
	stop()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/v1/games/g/moves", http.NoBody))
	if reached != 1 || w.Code != http.StatusServiceUnavailable {
		t.Errorf("an ordinary request got through: %d", w.Code)
	}
}

// promote makes an account an organiser's in the database, without a hint to any instance.
func promote(t *testing.T, a *App, id string) {
	t.Helper()
	people := a.Store.People()
	from, err := people.Account(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	to := from
	to.Role = account.RoleOrganiser
	if err := people.UpdateAccount(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
}
