package main

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"quatuor/cmd/quatuor/crashtest"
	"quatuor/cmd/quatuor/harness"
)

// withLitestream names, in the environment, the program that TestLitestream runs; `bash .ci/run litestream` builds it.
const withLitestream = "QUATUOR_LITESTREAM"

// litestream runs Litestream with the configuration of docs, from a data folder to a replica.
type litestream struct {
	program       string
	data, replica string
}

// command makes a command of Litestream; its configuration comes after the name, the rest follows.
func (l litestream) command(name string, args ...string) *exec.Cmd {
	config := filepath.Join(root, "docs", "litestream", "litestream.yml")
	cmd := exec.Command(l.program, append([]string{name, "-config", config}, args...)...)
	cmd.Env = append(os.Environ(), "QUATUOR_DATA="+l.data, "LITESTREAM_REPLICA=file://"+l.replica)
	return cmd
}

// copied restores the database that the replica holds at this moment into a file. Without a replica yet it returns "".
func (l litestream) copied(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "copy.db")
	restore := l.command("restore", "-if-replica-exists", "-o", file, filepath.Join(l.data, "quatuor.db"))
	if out, err := restore.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// awaitMoves returns once the replica has a number of moves.
func (l litestream) awaitMoves(t *testing.T, moves int64) {
	t.Helper()
	var found int64
	for begin := time.Now(); time.Since(begin) < time.Minute; {
		file := l.copied(t)
		if file == "" {
			continue
		}
		db, err := sql.Open("sqlite3", file)
		if err == nil {
			err = db.QueryRow("SELECT count(*) FROM lines WHERE kind = 'move'").Scan(&found)
			_ = db.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if found >= moves {
			t.Logf("the first %d moves were in the replica after %v", moves, time.Since(begin).Round(time.Millisecond))
			return
		}
	}
	t.Fatalf("after a minute the replica has %d moves of %d", found, moves)
}

// TestLitestream kills the server and Litestream while moves are made, and restores the replica in another folder: it
// is whole, holds the beginning of the sequence of moves, and all that had been in it before.
func TestLitestream(t *testing.T) {
	l := litestream{program: os.Getenv(withLitestream), data: t.TempDir(), replica: t.TempDir()}
	if l.program == "" {
		t.Skip("needs Litestream, named by " + withLitestream)
	}
	adminByCommand(t, l.data)
	p := serve(t, l.data, "--registration", "open", "--rate-limit", "0")
	log := &crashtest.Buffer{}
	replicate := l.command("replicate")
	replicate.Stdout, replicate.Stderr = log, log
	if err := replicate.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = replicate.Process.Kill()
		if t.Failed() {
			t.Log(log)
		}
	})
	ada, bob := p.Register(t.Context(), "ada", "Ada L."), p.Register(t.Context(), "bob", "Bob M.")
	sequence := &turnByTurn{players: []harness.Player{ada, bob}, enough: make(chan struct{})}
	for range 40 { // enough games that none of them ends
		sequence.games = append(sequence.games, openGame(t.Context(), t, ada, bob, "quits/duel"))
	}
	playing, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		sequence.play(playing, t)
	}()
	<-sequence.enough
	early := sequence.made.Load()
	l.awaitMoves(t, early)
	stop()
	<-ended
	made := sequence.made.Load()
	p.Kill()
	_ = replicate.Process.Kill()
	_ = replicate.Wait()

	restored := filepath.Join(t.TempDir(), "restored")
	mustQuatuor(t, "restore", "--data", restored, l.copied(t))
	again := serve(t, restored)
	var total int64
	first := firstMoves(t, again, sequence.games[0])
	for i, game := range sequence.games {
		n := firstMoves(t, again, game)
		if n != first && n != first-1 {
			t.Errorf("game %d has %d moves and the first %d: this is no moment of the sequence", i, n, first)
		}
		total += n
	}
	if total < early || total > made+1 { // a move may have been stored and not yet acknowledged
		t.Errorf("the replica has %d moves; %d were in it before, and %d were made", total, early, made)
	}
	again.Stop()
	mustQuatuor(t, "check", "--data", restored)
	t.Logf("%d of %d moves were in the replica when both were killed", total, made)
}
