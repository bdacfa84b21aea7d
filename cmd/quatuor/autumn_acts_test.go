package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"quatuor/cmd/quatuor/crashtest"
	"quatuor/cmd/quatuor/harness"
)

// autumn plays the season of a club over REST, on programs that are killed as they run.
type autumn struct {
	*testing.T
	chance *rand.Rand
	clock  *movedClock
	data   string   // folder
	store  []string // flags: where the data is
	live   []*crashtest.Server
	count  int // of programs
	olga   harness.Player
	people []harness.Player
	dying  int            // number of acts until a program is killed, in the middle of the last; 0 for none
	doomed int            // number of kills that were due
	made   map[string]int // numbers of creations by kind

	evenings, results, corrections, challenges, games, kills, cut, reopened, differences int
}

// newAutumn starts a number of programs on data with an admin, and registers people.
func newAutumn(t *testing.T, clock *movedClock, count, people int, data string, store ...string) *autumn {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("QUATUOR_AUTUMN_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("QUATUOR_AUTUMN_SEED=%d", seed)
	x := &autumn{
		T: t, chance: rand.New(rand.NewPCG(seed, 20)), clock: clock, data: data, store: store, count: count,
		made: map[string]int{},
	}
	x.start()
	ctx := t.Context()
	x.olga = harness.Player{Client: x.live[0].Client()}
	if err := x.olga.Login(ctx, "olga", crashtest.Password); err != nil {
		t.Fatal(err)
	}
	for i := range people {
		x.people = append(x.people, x.live[0].Register(ctx, fmt.Sprintf("p%02d", i), fmt.Sprintf("Player %02d", i)))
	}
	x.lasting(&x.olga, "read", "organise", "admin")
	for i := range x.people {
		x.lasting(&x.people[i], "read", "play")
	}
	return x
}

// lasting replaces a person's session with a token that does not expire.
func (x *autumn) lasting(p *harness.Player, scopes ...string) {
	x.Helper()
	var made struct{ Token string }
	err := p.Post(x.Context(), "/me/tokens", map[string]any{"name": "autumn", "scopes": scopes}, &made)
	if err != nil {
		x.Fatal(err)
	}
	p.Token = made.Token
}

// command runs quatuor by the moved clock.
func (x *autumn) command(args ...string) *exec.Cmd {
	cmd := command(x, args...)
	cmd.Env = append(cmd.Env, clockFolder+"="+x.clock.folder)
	return cmd
}

// start starts programs until as many live as should.
func (x *autumn) start() {
	x.Helper()
	for len(x.live) < x.count {
		args := append([]string{"--registration", "open", "--rate-limit", "0", "--stream-limit", "0"}, x.store...)
		x.live = append(x.live, crashtest.Start(x, x.command, x.data, args...))
	}
}

// kill kills a program.
func (x *autumn) kill(i int) {
	x.Helper()
	x.kills++
	x.live[i].Kill()
	x.live = slices.Delete(x.live, i, i+1)
}

// killWithin kills a program in the middle of an act, drawn among the next; in the short form every fourth time.
func (x *autumn) killWithin(acts int) {
	if x.doomed++; x.doomed%4 == 1 || autumnOf(0, 1) > 0 {
		x.dying = 1 + x.chance.IntN(acts)
	}
}

// pass lets time pass.
func (x *autumn) pass(d time.Duration) { x.clock.move(x, d) }

// look makes the programs look after their arenas.
func (x *autumn) look() {
	x.Helper()
	for _, s := range x.live {
		if !x.clock.look(s.Cmd.Process.Pid) {
			x.Fatalf("a program does not look after its arenas\n%s", s.Stderr)
		}
	}
}

// reply is the answer to an act.
type reply struct {
	status int
	raw    []byte
	sent   int // times
}

// done reports whether the act was acknowledged.
func (r reply) done() bool { return r.status < http.StatusBadRequest }

// into reads the answer.
func (r reply) into(t testing.TB, out any) {
	t.Helper()
	if err := json.Unmarshal(r.raw, out); err != nil {
		t.Fatalf("%v: %s", err, r.raw)
	}
}

// act makes a player's request and returns the answer. If a program is killed in the middle, the same request is sent
// again, with the same Idempotency-Key, until it is answered.
func (x *autumn) act(by harness.Player, method, path string, body any) (r reply) {
	x.Helper()
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			x.Fatal(err)
		}
	}
	kill := x.dying == 1
	if x.dying > 0 {
		x.dying--
	}
	key := uuid.NewString()
	for until := time.Now().Add(patience); ; {
		i := x.chance.IntN(len(x.live))
		var dead chan struct{}
		if kill {
			dead, kill = x.killSoon(i), false
		}
		r.sent++
		status, answer, err := x.send(by, x.live[i].URL, method, path, key, raw)
		if dead != nil {
			<-dead
			x.live = slices.Delete(x.live, i, i+1)
			x.start()
		}
		switch {
		case err != nil && dead != nil:
			x.cut++
			continue
		case err != nil:
			x.Fatalf("%s %s: %v", method, path, err)
		case status == http.StatusServiceUnavailable || bytes.Contains(answer, []byte("request-in-progress")):
			if time.Now().After(until) {
				x.Fatalf("%s %s is not answered: %d %s", method, path, status, answer)
			}
			time.Sleep(5 * time.Millisecond) // until another program has seen that the killed program is dead
			continue
		}
		r.status, r.raw = status, answer
		if status >= http.StatusInternalServerError {
			x.Fatalf("%s %s %s: %d %s", method, path, raw, status, answer)
		}
		return r
	}
}

// killSoon kills a program at a random moment from now on; the channel is closed once it is dead.
func (x *autumn) killSoon(i int) chan struct{} {
	dead, s := make(chan struct{}), x.live[i]
	after := time.Duration(x.chance.IntN([]int{2500, 20000}[x.chance.IntN(2)])) * time.Microsecond
	x.kills++
	time.AfterFunc(after, func() {
		s.Kill()
		close(dead)
	})
	return dead
}

// send sends a request once.
func (x *autumn) send(by harness.Player, base, method, path, key string, body []byte) (int, []byte, error) {
	ctx, cancel := context.WithTimeout(x.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, base+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+by.Token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPost {
		request.Header.Set("Idempotency-Key", key)
	}
	if method != http.MethodGet {
		request.Header.Set("If-Match", "*")
	}
	answer, err := by.HTTP.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	return answer.StatusCode, read, err
}

// must does something that is permitted. If it was sent again after a kill, it may be refused because it was done: what
// it did must be there then.
func (x *autumn) must(by harness.Player, method, path string, body any, there func() bool) reply {
	x.Helper()
	r := x.act(by, method, path, body)
	if !r.done() && (r.sent == 1 || there == nil || !there()) {
		x.Fatalf("%s %s %v, sent %d times: %d %s", method, path, body, r.sent, r.status, r.raw)
	}
	return r
}

// get reads something, and returns the answer as it is.
func (x *autumn) get(path string, out any) []byte {
	x.Helper()
	r := x.must(x.olga, http.MethodGet, path, nil, nil)
	if out != nil {
		r.into(x, out)
	}
	return r.raw
}

// create makes something, and returns its id.
func (x *autumn) create(path string, body any) string {
	x.Helper()
	var made struct{ ID string }
	x.must(x.olga, http.MethodPost, path, body, nil).into(x, &made)
	x.made[path]++
	return made.ID
}

// computed is the answer of `quatuor season KIND` to a case.
func (x *autumn) computed(kind string, in, out any) {
	x.Helper()
	line, err := json.Marshal(in)
	if err != nil {
		x.Fatal(err)
	}
	x.computedFrom(kind, line, out)
}

func (x *autumn) computedFrom(kind string, line []byte, out any) {
	x.Helper()
	var answer, errs bytes.Buffer
	in := bytes.NewReader(append(bytes.TrimSpace(line), '\n'))
	if status := run([]string{"season", kind}, in, &answer, &errs); status != exitOK {
		x.Fatalf("season %s ends with %d: %s\n%s", kind, status, &errs, line)
	}
	if err := json.Unmarshal(answer.Bytes(), out); err != nil {
		x.Fatal(err)
	}
}

// same demands that the program shows the computed values.
func (x *autumn) same(what string, got, want any) {
	x.Helper()
	if !reflect.DeepEqual(got, want) {
		x.differences++
		x.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// once demands that repeated requests have created everything once.
func (x *autumn) once() {
	x.Helper()
	for path, want := range x.made {
		var list struct{ Items []json.RawMessage }
		x.get(path, &list)
		x.same("how many there are of "+path, len(list.Items), want)
	}
}

// check stops all programs and has the data checked.
func (x *autumn) check() {
	x.Helper()
	for _, s := range x.live {
		s.Stop()
	}
	x.live = nil
	x.good("check")
	x.good("ratings", "recompute", "--verify")
}

// good runs a command that has nothing to complain about.
func (x *autumn) good(args ...string) {
	x.Helper()
	if output, err := x.command(append(args, x.store...)...).CombinedOutput(); err != nil {
		x.differences++
		x.Errorf("%s: %v\n%s", strings.Join(args, " "), err, output)
	}
}

// String has the figures.
func (x *autumn) String() string {
	return fmt.Sprintf("%d evenings, %d results, %d corrections, %d challenges, %d arena games, %d kills (%d requests "+
		"cut off, %d games opened after one): %d differences", x.evenings, x.results, x.corrections, x.challenges, x.games,
		x.kills, x.cut, x.reopened, x.differences)
}
