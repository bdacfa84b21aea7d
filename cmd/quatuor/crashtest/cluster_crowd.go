//go:build unix

package crashtest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"

	"github.com/google/uuid"
)

// Crowd is clients that play random games in all variants, hold tournaments and enter players through all servers of a
// cluster, and record the answers.
type Crowd struct {
	cluster *Cluster
	crowd   *crowd
	acting  sync.WaitGroup
	stop    context.CancelFunc

	mu    sync.Mutex
	acts  []Reply
	flags []FlagFall
}

// FlagFall has the time that a flag was due and the time that a client first saw at any server that it had fallen. The
// time between is the flag's delay as long as a client has still seen the clock run; the rest is that client's own wait
// for an answer.
type FlagFall struct {
	Game      string
	Due, Seen time.Time
	Running   time.Time // when the client last read that the clock still runs; zero for never
	// the client's longest wait for an answer, with repetitions, since it wanted the game
	Longest time.Duration
}

// Delay returns the flag's certain delay: the time after its deadline that the clock was still seen running.
func (f FlagFall) Delay() time.Duration {
	if f.Running.Before(f.Due) {
		return 0
	}
	return f.Running.Sub(f.Due)
}

// String describes whether the flag was late, or the check of it.
func (f FlagFall) String() string {
	return fmt.Sprintf("the flag of game %s was seen %s after it was due; it had not fallen for certain for %s of "+
		"these; the longest wait for an answer was %s",
		f.Game, f.Seen.Sub(f.Due).Round(time.Millisecond), f.Delay().Round(time.Millisecond),
		f.Longest.Round(time.Millisecond))
}

// Tally counts the answers of a crowd, right and wrong.
type Tally struct {
	Moves, Resignations, Games, Cups int
	Lost, Doubled, Stale             int
	// answers with an Idempotency-Key that a repetition did not get again: it was carried out
	Unkept int
}

// casuals are the games that a crowd plays, apart from tournaments.
var casuals = []casual{
	{"quixo/duel", 2, "300+3"},
	{"quixo/teams", 4, "300+3"},
	{"quits/duel", 2, "300+3"},
	{"quits/short", 2, "1"},
	{"quits/four", 4, "300+3"},
	{"quivive/duel", 2, "none"},
	{"quivive/melee", 3, "300+3"},
	{"quivive/teams", 4, "300+3"},
	{"quiwin/duel", 2, "300+3"},
}

// flagClients is the number of games at a time that wait for their flag to fall.
const flagClients = 6

// Crowd opens the accounts of a crowd that plays.
func (c *Cluster) Crowd(t *testing.T, seed uint64) *Crowd {
	t.Helper()
	w := c.People(t, seed, 6)
	w.crowd.employ(casuals)
	for i := range flagClients {
		two := []harness.Player{w.crowd.people[i], w.crowd.people[(i+1)%6]}
		w.crowd.workers = append(w.crowd.workers, &flagClient{crowd: w, players: two})
	}
	return w
}

// People opens the accounts of a crowd that does nothing by itself.
func (c *Cluster) People(t *testing.T, seed uint64, count int) *Crowd {
	t.Helper()
	w := &Crowd{cluster: c, crowd: newCrowd(t, seed)}
	h := w.crowd.history
	h.patient = true
	h.answered = func(r Reply) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.acts = append(w.acts, r)
	}
	w.crowd.register(t.Context(), c.Client, count)
	for _, someone := range w.crowd.everyone() {
		w.lasting(t, someone)
	}
	return w
}

// lasting sets a token on a client that outlives the trial.
func (w *Crowd) lasting(t *testing.T, c *client.Client) {
	t.Helper()
	scopes := []string{"read", "play"}
	if c == w.crowd.olga {
		scopes = append(scopes, "organise")
	}
	var made struct{ Token string }
	if err := c.Post(t.Context(), "/me/tokens", map[string]any{"name": "trial", "scopes": scopes}, &made); err != nil {
		t.Fatal(err)
	}
	c.Token = made.Token
}

// People returns the players. Their clients send each request to any server.
func (w *Crowd) People() []harness.Player { return w.crowd.people }

// Begin starts all clients until Rest, with a pause of this length on average after each act.
func (w *Crowd) Begin(pause time.Duration) {
	ctx, stop := context.WithCancel(w.crowd.t.Context())
	w.stop = stop
	w.acting.Go(func() { w.crowd.play(ctx, pause, anyWorker) })
}

// Rest stops the crowd and waits for its last acts.
func (w *Crowd) Rest() {
	w.stop()
	w.acting.Wait()
}

// Acts returns when the acts of the crowd were sent and answered so far, and forgets them.
func (w *Crowd) Acts() []Reply {
	w.mu.Lock()
	defer w.mu.Unlock()
	acts := w.acts
	w.acts = nil
	return acts
}

// Flags returns the flags that fell.
func (w *Crowd) Flags() []FlagFall {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flags
}

// Tally returns the counts so far.
func (w *Crowd) Tally() Tally {
	h := w.crowd.history
	h.mu.Lock()
	defer h.mu.Unlock()
	return Tally{h.moves, h.resignations, h.opened, len(h.cups), h.lost, h.doubled, h.stale, h.unkept}
}

// Compare compares the changes since the last time with a server's answers.
func (w *Crowd) Compare(in *Instance) {
	w.crowd.history.compare(w.crowd.t.Context(), in.At(w.crowd.olga), w.crowd.chance)
}

// Finish brings the tournaments to their end, and compares everything at every server. Then it stops the servers and
// has the program check the database.
func (w *Crowd) Finish(database string) {
	t, ctx := w.crowd.t, w.crowd.t.Context()
	t.Helper()
	w.cluster.AwaitReady()
	w.crowd.closing.Store(true)
	w.crowd.play(ctx, 0, holder)
	for i, in := range w.cluster.Instances {
		if in.isAway() {
			continue
		}
		if at := in.At(w.crowd.olga); i == 0 {
			w.crowd.history.compareAll(ctx, at)
		} else {
			w.crowd.history.compareStored(ctx, at)
		}
	}
	for _, in := range w.cluster.Instances {
		if !in.isAway() {
			in.Stop()
		}
	}
	checkStored(t, w.cluster.command, "--database", database)
	verifyRatings(t, w.cluster.command, "--database", database)
}

// flagClient opens games in turn, lets them run without a move, and notes the fall of the flag.
type flagClient struct {
	crowd   *Crowd
	players []harness.Player
	pending *request
	game    *flagView
	askedAt time.Time     // of the request without an answer yet; zero for none
	running time.Time     // when the clock last ran for certain; zero for never
	longest time.Duration // wait for an answer
}

// flagView is the part of a game about its flag.
type flagView struct {
	harness.Game
	FinishedAt time.Time `json:"finished_at"`
	Clocks     []struct {
		Deadline time.Time `json:"deadline"`
	} `json:"seats"`
}

func (f *flagClient) act(ctx context.Context) error {
	if f.askedAt.IsZero() {
		f.askedAt = time.Now()
	}
	switch {
	case f.pending != nil:
		err := f.crowd.crowd.history.try(ctx, f.pending)
		if err == nil {
			f.pending = nil
			f.answered()
		}
		return err
	case f.game == nil:
		f.open()
		return nil
	}
	now, sent := &flagView{}, time.Now()
	if err := look(ctx, f.players[0].Client, "/games/"+f.game.ID, now); err != nil {
		return err
	}
	f.answered()
	switch due := f.game.Clocks[0].Deadline; {
	case now.Over():
		f.crowd.mu.Lock()
		f.crowd.flags = append(f.crowd.flags, FlagFall{now.ID, now.FinishedAt, time.Now(), f.running, f.longest})
		f.crowd.mu.Unlock()
		f.game = nil
	case time.Since(due) > time.Minute:
		return fmt.Errorf("game %s: the flag of %s does not fall: %+v", now.ID, due, now)
	default:
		f.game, f.running = now, sent
		rest(ctx, max(time.Until(now.Clocks[0].Deadline), 10*time.Millisecond))
	}
	return nil
}

// answered notes the wait for an answer.
func (f *flagClient) answered() {
	f.longest = max(f.longest, time.Since(f.askedAt))
	f.askedAt = time.Time{}
}

func (f *flagClient) open() {
	f.running, f.longest = time.Time{}, 0
	f.pending = &request{
		by: f.players[0].Client, path: "/games", key: uuid.NewString(),
		body: encoded(map[string]any{
			"variant": "quixo/duel", "time_control": "1", "start": "now",
			"seats": []map[string]string{{"player_id": f.players[0].ID}, {"player_id": f.players[1].ID}},
		}),
		settle: created(func(raw []byte) error {
			f.game = &flagView{}
			return json.Unmarshal(raw, f.game)
		}),
	}
}
