package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
)

// patience is the limit for a server's recovery once the cause of a fault is gone.
const patience = 20 * time.Second

// until polls a server, at a pace that leaves it the processor, until a condition holds.
func until(t *testing.T, otherwise string, is func() bool) {
	t.Helper()
	pace := time.NewTicker(20 * time.Millisecond)
	defer pace.Stop()
	for deadline := time.Now().Add(patience); !is(); <-pace.C {
		if time.Now().After(deadline) {
			t.Fatal(otherwise)
		}
	}
}

// witness plays games and remembers the moves that were acknowledged.
type witness struct {
	t       *testing.T
	data    string
	p       *program
	players []harness.Player
	chance  *rand.Rand
	game    string
	moves   map[string][]string
}

func newWitness(t *testing.T) *witness {
	t.Helper()
	w := &witness{t: t, data: t.TempDir(), chance: rand.New(rand.NewPCG(9, 9)), moves: map[string][]string{}}
	adminByCommand(t, w.data)
	w.start()
	w.players = []harness.Player{w.p.Register(t.Context(), "ada", "Ada L."), w.p.Register(t.Context(), "bob", "Bob M.")}
	w.open()
	return w
}

func (w *witness) open() {
	w.game = openGame(w.t.Context(), w.t, w.players[0], w.players[1], "quits/duel")
}

func (w *witness) start() {
	w.t.Helper()
	w.p = serve(w.t, w.data, "--registration", "open", "--rate-limit", "0", "--log-level", "error")
}

// restart starts the server again on the same folder.
func (w *witness) restart() {
	w.t.Helper()
	w.start()
	for _, player := range w.players {
		player.HTTP.CloseIdleConnections()
		player.Base = w.p.URL
	}
}

// move makes a move, in a new game if the last is over.
func (w *witness) move() error {
	ctx := w.t.Context()
	var g harness.Game
	if err := w.players[0].Get(ctx, "/games/"+w.game, &g); err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	if g.Over() {
		w.open()
		return nil
	}
	seat := g.Awaited[0]
	by := w.players[seat-1]
	if err := by.Get(ctx, "/games/"+w.game, &g); err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	legal := g.Legal[strconv.Itoa(seat)]
	token := legal[w.chance.IntN(len(legal))]
	err := by.Post(ctx, "/games/"+w.game+"/moves", map[string]any{"seat": seat, "turn": g.Turn, "move": token}, nil)
	if err == nil {
		w.moves[w.game] = append(w.moves[w.game], fmt.Sprintf("%d:%s", seat, token))
	}
	return err
}

func (w *witness) mustMove(times int) {
	w.t.Helper()
	for range times {
		if err := w.move(); err != nil {
			w.t.Fatal(err)
		}
	}
}

// unavailable reports whether a request was refused because the database is away. Any other refusal is a fault.
func (w *witness) unavailable(err error) bool {
	w.t.Helper()
	var refusal *client.Problem
	if err != nil && (!errors.As(err, &refusal) || refusal.Status != http.StatusServiceUnavailable ||
		refusal.Type != "/problems/unavailable") {
		w.t.Fatalf("refused otherwise than with 503: %v\n%s", err, w.p.Stderr)
	}
	return err != nil
}

// untilRefused moves until a move is refused.
func (w *witness) untilRefused() {
	w.t.Helper()
	for range 10_000 {
		if w.unavailable(w.move()) {
			return
		}
	}
	w.t.Fatal("the fault is none: ten thousand moves were stored")
}

// untilMoved moves until a move is taken.
func (w *witness) untilMoved() {
	w.t.Helper()
	until(w.t, "the cause is gone, and moves are still refused", func() bool { return !w.unavailable(w.move()) })
}

// refusedWhile holds a fault up for a while: whatever writes is refused with the time to try again, what reads is not.
func (w *witness) refusedWhile(d time.Duration) {
	w.t.Helper()
	pace := time.NewTicker(20 * time.Millisecond)
	defer pace.Stop()
	refused := 0
	for deadline := time.Now().Add(d); time.Now().Before(deadline); refused++ {
		<-pace.C
		if !w.unavailable(w.move()) {
			w.t.Error("a move was taken while the fault lasts")
		}
		status, header := w.status(http.MethodPost, "/api/v1/games/"+w.game+"/resign", `{"seat":1}`)
		if status != http.StatusServiceUnavailable || header.Get("Retry-After") != "1" {
			w.t.Errorf("a resignation is answered %d, %v", status, header)
		}
	}
	for path, want := range map[string]int{
		"/healthz": http.StatusOK, "/readyz": http.StatusServiceUnavailable, "/api/v1/games/" + w.game: http.StatusOK,
		"/": http.StatusOK,
	} {
		if status, _ := w.status(http.MethodGet, path, ""); status != want {
			w.t.Errorf("GET %s is answered %d while the fault lasts, want %d", path, status, want)
		}
	}
	w.t.Logf("%d moves were refused", refused)
}

func (w *witness) status(method, path, body string) (int, http.Header) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.p.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+w.players[0].Token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Header
}

// allThere demands that every acknowledged move is stored, but for a number of moves that may be missing at the end of
// the last game.
func (w *witness) allThere(missing int) {
	w.t.Helper()
	for game, moves := range w.moves {
		var g harness.FullGame
		if err := w.players[0].Get(w.t.Context(), "/games/"+game, &g); err != nil {
			w.t.Fatal(err)
		}
		stored := g.Moves()
		if game == w.game && len(stored) < len(moves) && len(stored) >= len(moves)-missing {
			moves = moves[:len(stored)]
			w.moves[game] = moves
		}
		if !slices.Equal(stored, moves) {
			w.t.Errorf("game %s: acknowledged %v, stored %v", game, moves, stored)
		}
	}
}

// end stops the server and has everything computed again.
func (w *witness) end() {
	w.t.Helper()
	w.allThere(0)
	w.p.Stop()
	if out, ok := quatuor(w.t, "check", "--data", w.data); !ok {
		w.t.Error(out)
	}
}

// TestDatabaseLockedByAnother lets another program hold the database's lock: shortly, which no client notices, and for
// longer than the server waits.
func TestDatabaseLockedByAnother(t *testing.T) {
	skipInShort(t, "holds a database locked for seconds")
	t.Parallel()
	w := newWitness(t)
	w.mustMove(5)
	other := dbtest.OpenFile(t, "file:"+filepath.Join(w.data, "quatuor.db")+"?_txlock=immediate&_busy_timeout=5000")
	lock := func() *sql.Tx {
		tx, err := other.BeginTx(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	short := lock()
	time.AfterFunc(300*time.Millisecond, func() { _ = short.Rollback() })
	w.mustMove(1)
	long := lock()
	w.untilRefused()
	w.refusedWhile(time.Second)
	if err := long.Rollback(); err != nil {
		t.Fatal(err)
	}
	w.untilMoved()
	w.mustMove(5)
	w.end()
}

// TestTornLog spoils the end of the write-ahead log after a kill, as a power cut in the middle of a write would leave
// it. What was acknowledged lies before that.
func TestTornLog(t *testing.T) {
	skipInShort(t, "kills servers")
	t.Parallel()
	w := newWitness(t)
	noise := bytes.Repeat([]byte("noise"), 5000)
	for _, c := range []struct {
		name    string
		missing int // moves that may be gone
		spoil   func(log []byte) []byte
	}{
		{"noise behind the end", 0, func(log []byte) []byte { return append(log, noise...) }},
		{"half a frame behind the end", 0, func(log []byte) []byte { return append(log, log[len(log)-4120:len(log)-2000]...) }},
		{"the last frames once more", 0, func(log []byte) []byte { return append(log, log[len(log)-2*4120:]...) }},
		{"zeroes behind the end", 0, func(log []byte) []byte { return append(log, make([]byte, 100_000)...) }},
		// No disk that keeps what it has acknowledged does this: then the last commit is gone, and nothing else.
		{"the last frame cut", 1, func(log []byte) []byte { return log[:len(log)-100] }},
		{"the last frame overwritten", 1, func(log []byte) []byte { return append(log[:len(log)-4000], noise[:4000]...) }},
	} {
		w.mustMove(7)
		w.p.Kill()
		path := filepath.Join(w.data, "quatuor.db-wal")
		log, err := os.ReadFile(path)
		if err != nil || len(log) < 3*4120 {
			t.Fatalf("the log has %d bytes: the test shows nothing; %v", len(log), err)
		}
		if err := os.WriteFile(path, c.spoil(log), 0o600); err != nil {
			t.Fatal(err)
		}
		w.restart()
		t.Log(c.name)
		w.allThere(c.missing)
	}
	w.mustMove(3)
	w.end()
}

// TestReadOnlyDatabase starts the server on files that it may not write, and again when it may.
func TestReadOnlyDatabase(t *testing.T) {
	skipInShort(t, "starts servers again and again")
	t.Parallel()
	w := newWitness(t)
	w.mustMove(5)
	w.p.Stop()
	for path, mode := range map[string][2]os.FileMode{
		filepath.Join(w.data, "quatuor.db"): {0o400, 0o600}, w.data: {0o500, 0o700},
	} {
		if err := os.Chmod(path, mode[0]); err != nil {
			t.Fatal(err)
		}
		out, err := unprivileged(t, w.data, "serve", "--data", w.data, "--listen", "127.0.0.1:0").CombinedOutput()
		if output := string(out); err == nil || !strings.Contains(output, w.data) ||
			!strings.Contains(output, "permission denied") && !strings.Contains(output, "readonly") {
			t.Errorf("with %s read-only the server says: %v\n%s", path, err, out)
		}
		if err := os.Chmod(path, mode[1]); err != nil {
			t.Fatal(err)
		}
	}
	w.restart()
	w.mustMove(5)
	w.end()
}

// unprivileged makes a command that runs without special rights, since root may write to files of any mode. The user of
// the command becomes the owner of the data folder.
func unprivileged(t *testing.T, data string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, args...)
	if os.Geteuid() != 0 {
		return cmd
	}
	const uid = 65534
	public, err := os.MkdirTemp("", "quatuor-public-") // others may not enter the folder that the test binary is in
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(public) })
	binary, err := os.ReadFile(cmd.Path)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path = filepath.Join(public, "quatuor")
	if err := errors.Join(os.WriteFile(cmd.Path, binary, 0o755), os.Chmod(public, 0o755),
		os.Chmod(filepath.Dir(data), 0o755)); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(data, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, uid, uid))
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	return cmd
}
