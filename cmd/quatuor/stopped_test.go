package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
)

// clockView is a game's resource with its clocks and its log.
type clockView struct {
	harness.FullGame
	Seats []struct {
		RemainingMS int64     `json:"remaining_ms"`
		Deadline    time.Time `json:"deadline"`
	} `json:"seats"`
	FinishedAt time.Time `json:"finished_at"`
	Log        []struct {
		Kind string    `json:"kind"`
		Text string    `json:"text"`
		At   time.Time `json:"at"`
	} `json:"events"`
}

// openClocked starts a game of two with a time control.
func openClocked(t *testing.T, control string, one, two harness.Player) clockView {
	t.Helper()
	var g clockView
	err := one.Post(t.Context(), "/games", map[string]any{
		"variant": "quixo/duel", "time_control": control, "start": "now",
		"seats": []map[string]string{{"player_id": one.ID}, {"player_id": two.ID}},
	}, &g)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func seeClocks(t *testing.T, by harness.Player, game string) clockView {
	t.Helper()
	var g clockView
	if err := by.Get(t.Context(), "/games/"+game, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// outages lists the lengths of the outages in a game's log, and when they ended.
func (g clockView) outages(t *testing.T) (lengths []time.Duration, ends []time.Time) {
	t.Helper()
	for _, e := range g.Log {
		if e.Kind != "outage" {
			continue
		}
		ms, err := strconv.ParseInt(e.Text, 10, 64)
		if err != nil {
			t.Fatalf("the length of an outage is %q", e.Text)
		}
		lengths, ends = append(lengths, time.Duration(ms)*time.Millisecond), append(ends, e.At)
	}
	return lengths, ends
}

// TestServerIsStopped stops the server's process by a signal for longer than two games have time left, as a frozen
// container or a paused machine would be, and lets it go on. A move that was sent during the stop counts; the game
// without a move gets the time back, with a line in its record, and is lost later by exactly that time.
func TestServerIsStopped(t *testing.T) {
	skipInShort(t, "stops a server for seconds")
	t.Parallel()
	const stop = 4 * time.Second
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open", "--rate-limit", "0")
	ada, bob := p.Register(t.Context(), "ada", "Ada L."), p.Register(t.Context(), "bob", "Bob M.")
	moved, left := openClocked(t, "3", ada, bob), openClocked(t, "3", ada, bob)
	if err := p.Cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(p.Cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the server does not stop: %v, %v", status, err)
	}
	stopped := time.Now()
	answered := make(chan error, 1)
	var after clockView
	go func() {
		move := map[string]any{"seat": 1, "turn": moved.Turn, "move": moved.Legal["1"][0]}
		answered <- ada.Post(context.WithoutCancel(t.Context()), "/games/"+moved.ID+"/moves", move, &after)
	}()
	<-time.After(stop) // the outage itself: it must last longer than the clocks have time left
	lasted := time.Since(stopped)
	if err := p.Cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := <-answered; err != nil {
		t.Fatalf("a move that was sent while the server stood: %v\n%s", err, p.Stderr)
	}
	if lengths, _ := after.outages(t); len(lengths) != 1 || after.Seats[0].RemainingMS <= 0 ||
		after.Log[1].Kind != "outage" {
		t.Errorf("the game with the move: %+v", after)
	}
	g := seeClocks(t, bob, left.ID)
	lengths, _ := g.outages(t)
	if len(lengths) != 1 || lengths[0] < lasted || lengths[0] > time.Since(left.Log[0].At) {
		t.Fatalf("the server stood for %s, and the record says %v\n%s", lasted, lengths, p.Stderr)
	}
	due := left.Seats[0].Deadline.Add(lengths[0])
	until(t, "afterwards no flag falls", func() bool { g = seeClocks(t, bob, left.ID); return g.Over() })
	if g.Outcome == nil || g.Outcome.Reason != "time" || !g.FinishedAt.Equal(due) {
		t.Errorf("the game ended by %+v at %s, want by time at %s", g.Outcome, g.FinishedAt, due)
	}
	p.Stop()
	if out, ok := quatuor(t, "check", "--data", data); !ok {
		t.Error(out)
	}
}

// TestRestartGivesTheTimeBack kills the server and starts it again: the time from its last sign of life on is given
// back, to the millisecond, and is in the record. A sign of life is stored every second.
func TestRestartGivesTheTimeBack(t *testing.T) {
	skipInShort(t, "waits for heartbeats")
	t.Parallel()
	w := newWitness(t)
	g := openClocked(t, "300", w.players[0], w.players[1])
	w.beats(2)
	w.p.Kill()
	killed := time.Now()
	last := w.lastBeat()
	if silent := killed.Sub(last); silent > patience {
		t.Errorf("the last sign of life came %s before the end", silent)
	}
	<-time.After(time.Second) // the outage itself: it must be longer than a clock is inexact
	away := time.Since(killed)
	w.restart()
	g = seeClocks(t, w.players[0], g.ID)
	lengths, ends := g.outages(t)
	if len(lengths) != 1 || lengths[0] < away || !ends[0].Add(-lengths[0]).Equal(last) {
		t.Fatalf("away for %s since %s; the record says %v until %v, and the last sign of life was at %s", away, killed,
			lengths, ends, last)
	}
	used := last.Sub(g.Log[0].At)
	if want := ends[0].Add(300*time.Second - used); !g.Seats[0].Deadline.Equal(want) {
		t.Errorf("the flag falls at %s, want at %s: %s were used before the end", g.Seats[0].Deadline, want, used)
	}
	status, record := w.read("/api/v1/games/" + g.ID + "/record")
	tag := "!outage {[%for 0:00:" // the test is over before a minute is
	if tag += fmt.Sprintf("%06.3f", lengths[0].Seconds()); status != http.StatusOK || !strings.Contains(record, tag) {
		t.Errorf("the record, answered %d, does not say %q:\n%s", status, tag, record)
	}
	w.mustMove(3)
	w.end()
}

// beats waits until the server has stored n more heartbeats.
func (w *witness) beats(n int) {
	w.t.Helper()
	last := w.lastBeat()
	until(w.t, "the server stores no heartbeat", func() bool {
		if now := w.lastBeat(); now.After(last) {
			last = now
			n--
		}
		return n <= 0
	})
}

// lastBeat reads the last sign of life from the database.
func (w *witness) lastBeat() time.Time {
	w.t.Helper()
	db := dbtest.OpenFile(w.t, "file:"+filepath.Join(w.data, "quatuor.db")+"?mode=ro&_busy_timeout=5000")
	var at int64
	if err := db.QueryRowContext(w.t.Context(), "SELECT coalesce(max(at), 0) FROM heartbeats").Scan(&at); err != nil {
		w.t.Fatal(err)
	}
	return time.UnixMilli(at)
}

// read gets a page or a resource as text.
func (w *witness) read(path string) (status int, body string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.p.URL+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.players[0].Token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
