package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/store/internal/sqlite/sqlitetest"
)

// The schema of the tests: things with a version, their steps, and notes that work writes.
const schema = `CREATE TABLE things (id TEXT PRIMARY KEY, version INTEGER NOT NULL);
	CREATE TABLE steps (thing TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (thing, n));
	CREATE TABLE notes (name TEXT PRIMARY KEY)`

// The statements of the tests.
const (
	addThing = iota
	moveThing
	addStep
)

var texts = []string{
	addThing:  `INSERT INTO things (id, version) VALUES ($1, 0)`,
	moveThing: `UPDATE things SET version = $2 + 1 WHERE id = $1 AND version = $2`,
	addStep:   `INSERT INTO steps (thing, n) VALUES ($1, $2)`,
}

var errConflict = errors.New("conflict")

func call(statement int, args ...driver.Value) Call {
	c := Call{Statement: statement}
	for i, arg := range args {
		c.Args = append(c.Args, driver.NamedValue{Ordinal: i + 1, Value: arg})
	}
	return c
}

// held is a writer that can be stopped in the middle of a piece of work, so that all work submitted in that time forms
// a single batch.
type held struct {
	w       *Writer
	path    string
	release func()
}

func hold(t *testing.T, things ...string) *held {
	t.Helper()
	return holdIn(t, t.TempDir(), Config{}, things...)
}

func holdIn(t *testing.T, dir string, c Config, things ...string) *held {
	t.Helper()
	h := openIn(t, dir, c, things...)
	t.Cleanup(func() {
		if err := h.w.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// openIn is holdIn without closing.
func openIn(t *testing.T, dir string, c Config, things ...string) *held {
	t.Helper()
	c.Path, c.Statements = filepath.Join(dir, "test.db"), texts
	if c.MaxBatch == 0 {
		c.MaxBatch = 256
	}
	if c.Observe == nil {
		c.Observe = func(err error) {
			if err != nil {
				t.Errorf("checkpoint: %v", err)
			}
		}
	}
	db := OpenMigrating(c.Path)
	if _, err := db.Exec(schema); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	h := &held{w: w, path: c.Path}
	for _, id := range things {
		if err := w.Run(context.Background(), newThing(id)); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func newThing(id string) *Batch { return &Batch{Calls: []Call{call(addThing, id)}} }

// step moves a thing from a version to the next.
func step(id string, from int64) *Batch {
	return &Batch{Calls: []Call{call(moveThing, id, from), call(addStep, id, from+1)}, Refusal: errConflict}
}

func stepJob(id string, from int64) *job { return &job{batch: step(id, from)} }

// stop blocks the writer until release.
func (h *held) stop(t *testing.T) {
	t.Helper()
	standing, goOn, failed := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		err := h.w.Write(context.Background(), func(*sql.Conn) error {
			close(standing)
			<-goOn
			return nil
		})
		if err != nil {
			t.Error(err)
			close(failed)
		}
	})
	select {
	case <-standing:
	case <-failed:
		t.Fatal("the writer does not stand still")
	}
	h.release = sync.OnceFunc(func() {
		close(goOn)
		group.Wait()
	})
	t.Cleanup(h.release)
}

// hand passes jobs to the stopped writer, in this order, and returns their answers once it has gone on.
func (h *held) hand(jobs ...*job) []error {
	for _, j := range jobs {
		j.done = make(chan error, 1)
		h.w.jobs <- j
	}
	h.release()
	answers := make([]error, len(jobs))
	for i, j := range jobs {
		answers[i] = <-j.done
	}
	return answers
}

// onCommit calls f just before every commit; if f returns something other than 0, the commit fails.
func (h *held) onCommit(t *testing.T, f func() int) {
	t.Helper()
	if err := sqlitetest.OnCommit(t.Context(), h.w.db, f); err != nil {
		t.Fatal(err)
	}
}

func (h *held) version(t *testing.T, id string) (version int64) {
	t.Helper()
	db := OpenPlain(h.path)
	defer db.Close()
	var steps int64
	err := db.QueryRow("SELECT version, (SELECT count(*) FROM steps WHERE thing = id) FROM things WHERE id = ?", id).
		Scan(&version, &steps)
	if err != nil || version != steps {
		t.Errorf("%s has version %d and %d steps, error %v", id, version, steps, err)
	}
	return version
}

func TestBatchCommitsOnceBeforeAnyAnswer(t *testing.T) {
	const many = 100
	var ids []string
	var jobs []*job
	for i := range many {
		ids = append(ids, fmt.Sprint("g", i))
		jobs = append(jobs, stepJob(ids[i], 0))
	}
	h := hold(t, ids...)
	commits := 0
	h.onCommit(t, func() int {
		if jobs[0].state.Load() != jobTaken {
			return 0 // of the work that holds the writer
		}
		commits++
		for i, j := range jobs {
			if len(j.done) > 0 {
				t.Errorf("step %d was answered before its commit", i)
			}
		}
		return 0
	})
	h.stop(t)
	for i, err := range h.hand(jobs...) {
		if err != nil {
			t.Errorf("step %d: %v", i, err)
		}
	}
	if commits != 1 {
		t.Errorf("%d waiting steps took %d commits, want 1", many, commits)
	}
	for _, id := range ids {
		if v := h.version(t, id); v != 1 {
			t.Errorf("%s has version %d", id, v)
		}
	}
}

// TestUrgentFirst submits more batches than fit into a transaction, and then an urgent batch: it is in the first
// transaction that follows. The writer may happen to take the urgent queue up first, so the test repeats it.
func TestUrgentFirst(t *testing.T) {
	for range 12 {
		urgentFirst(t)
	}
}

func urgentFirst(t *testing.T) {
	t.Helper()
	const many = 10
	var ids []string
	for i := range many + 1 {
		ids = append(ids, fmt.Sprint("g", i))
	}
	h := holdIn(t, t.TempDir(), Config{MaxBatch: 3}, ids...)
	flag := step(ids[many], 0)
	flag.Urgent = true
	flagged := &job{batch: flag, done: make(chan error, 1)}
	var moves []*job
	for _, id := range ids[:many] {
		moves = append(moves, &job{batch: step(id, 0), done: make(chan error, 1)})
	}
	before := 0
	h.onCommit(t, func() int {
		if flagged.state.Load() != jobTaken {
			before++
		}
		return 0
	})
	h.stop(t)
	for _, j := range append(moves, flagged) {
		if err := h.w.enqueue(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	h.release()
	for _, j := range append(moves, flagged) {
		if err := <-j.done; err != nil {
			t.Error(err)
		}
	}
	if before > 1 { // the batch that held the writer
		t.Errorf("the flag was written after %d transactions that had not begun when it came", before-1)
	}
}

func TestRefusalLeavesTheOthers(t *testing.T) {
	h := hold(t, "a", "b", "c", "d", "damaged")
	err := h.w.Run(t.Context(), &Batch{Calls: []Call{call(addStep, "damaged", int64(1))}})
	if err != nil {
		t.Fatal(err)
	}
	h.stop(t)
	refusal := errors.New("refused")
	note := func(name string, err error) *job {
		return &job{work: func(tx *sql.Conn) error {
			if _, err := tx.ExecContext(context.Background(), "INSERT INTO notes VALUES (?)", name); err != nil {
				return err
			}
			if name == "panics" {
				panic("at the disco")
			}
			return err
		}}
	}
	jobs := []*job{
		stepJob("a", 0), stepJob("b", 7), stepJob("damaged", 0), note("good", nil), note("bad", refusal),
		stepJob("a", 1), note("good", nil), note("panics", nil), stepJob("c", 0), stepJob("a", 1),
	}
	answers := h.hand(jobs...)
	for i, want := range []func(error) bool{
		ok, is(errConflict), says("UNIQUE"), ok, is(refusal),
		ok, Duplicate, says("panicked"), ok, is(errConflict),
	} {
		if !want(answers[i]) {
			t.Errorf("job %d is answered with %v", i, answers[i])
		}
	}
	for id, want := range map[string]int64{"a": 2, "b": 0, "c": 1, "d": 0} {
		if got := h.version(t, id); got != want {
			t.Errorf("%s has version %d, want %d", id, got, want)
		}
	}
	var notes string
	if err := h.w.DB().QueryRow("SELECT group_concat(name) FROM notes").Scan(&notes); err != nil || notes != "good" {
		t.Errorf("notes of %q, error %v, want the good one alone", notes, err)
	}
}

func ok(err error) bool { return err == nil }

func is(want error) func(error) bool {
	return func(err error) bool { return errors.Is(err, want) }
}

func says(word string) func(error) bool {
	return func(err error) bool { return err != nil && strings.Contains(err.Error(), word) }
}

func TestFailedCommitStoresNothingAndTellsAll(t *testing.T) {
	h := hold(t, "a", "b")
	fail := 0
	h.onCommit(t, func() int {
		now := fail
		fail = 0
		return now
	})
	h.stop(t)
	spoil := &job{work: func(*sql.Conn) error { fail = 1; return nil }} // the commit that follows fails
	for i, err := range h.hand(spoil, stepJob("a", 0), stepJob("b", 7)) {
		if err == nil || errors.Is(err, errConflict) {
			t.Errorf("job %d of a batch that was not committed is answered with %v", i, err)
		}
	}
	if v := h.version(t, "a"); v != 0 {
		t.Errorf("a has version %d after a failed commit", v)
	}
	h.stop(t)
	if err := h.hand(stepJob("a", 0))[0]; err != nil {
		t.Errorf("after a failed commit the writer does not go on: %v", err)
	}
}

func TestWithdrawnWriteIsNotStored(t *testing.T) {
	h := hold(t, "a", "b")
	h.stop(t)
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error)
	go func() { answer <- h.w.Run(ctx, step("a", 0)) }()
	cancel()
	if err := <-answer; !errors.Is(err, context.Canceled) { // while the writer is blocked
		t.Errorf("a withdrawn step is answered with %v", err)
	}
	if err := h.hand(stepJob("b", 0))[0]; err != nil {
		t.Errorf("the step behind it: %v", err)
	}
	if v := h.version(t, "a"); v != 0 {
		t.Errorf("the withdrawn step is stored: version %d", v)
	}
}

// TestCloseCarriesOutWhatWaits closes the writer while it is blocked and steps wait.
func TestCloseCarriesOutWhatWaits(t *testing.T) {
	var ids []string
	var jobs []*job
	for i := range 7 {
		ids = append(ids, fmt.Sprint("g", i))
		jobs = append(jobs, stepJob(ids[i], 0))
	}
	h := openIn(t, t.TempDir(), Config{MaxBatch: 2}, ids...)
	h.stop(t)
	for _, j := range jobs {
		j.done = make(chan error, 1)
		h.w.jobs <- j
	}
	closed := make(chan error)
	go func() { closed <- h.w.Close() }()
	<-h.w.quit
	if err := h.w.Run(t.Context(), step("g0", 1)); !errors.Is(err, ErrClosed) {
		t.Errorf("a step after Close is answered with %v", err)
	}
	h.release()
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	for i, j := range jobs {
		if err := <-j.done; err != nil {
			t.Errorf("step %d, handed in before Close: %v", i, err)
		}
	}
	if _, err := os.Stat(h.path + LogSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a connection is still open after Close: the log is there (%v)", err)
	}
	if err := h.w.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

// TestIdleWriterEmptiesTheLog looks into the database file alone, without its log, after a while without writes.
func TestIdleWriterEmptiesTheLog(t *testing.T) {
	dir := t.TempDir()
	inFile := func() int {
		t.Helper()
		alone := filepath.Join(t.TempDir(), "copy.db")
		content, err := os.ReadFile(filepath.Join(dir, "test.db"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(alone, content, 0o600); err != nil {
			t.Fatal(err)
		}
		db := openAlone(t, FileDSN(alone, nil))
		defer db.Close()
		things := 0
		if err := db.QueryRow("SELECT count(*) FROM things").Scan(&things); err != nil {
			t.Fatal(err)
		}
		return things
	}
	synctest.Test(t, func(t *testing.T) {
		h := openIn(t, dir, Config{})
		defer h.w.Close()
		for i := range idleCheckpoint {
			if err := h.w.Run(context.Background(), newThing(fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
		}
		if n := inFile(); n != 0 {
			t.Fatalf("%d things in the file before the writer was idle: the test shows nothing", n)
		}
		time.Sleep(2 * idleTime) // in the bubble's time: the writer has nothing left to do when it has passed
		if n := inFile(); n != idleCheckpoint {
			t.Errorf("%d things in the file after the writer was idle, want %d", n, idleCheckpoint)
		}
	})
}

// TestFailedCheckpointsAreObserved makes checkpoints that fail, and then a checkpoint that succeeds.
func TestFailedCheckpointsAreObserved(t *testing.T) {
	var told []error
	c := openCheckpointer(hold(t).path, func(err error) { told = append(told, err) })
	defer c.db.Close()
	for _, text := range []string{"BEGIN IMMEDIATE", "ROLLBACK"} { // within a transaction SQLite refuses to copy
		if _, err := c.db.Exec(text); err != nil {
			t.Fatal(err)
		}
		c.checkpoint(c.db)
	}
	if len(told) != 2 || told[0] == nil || told[1] != nil {
		t.Errorf("the observer was told %v, want an error and nil", told)
	}
}
