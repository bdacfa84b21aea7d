package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mattn/go-sqlite3"
	"gorm.io/gorm"

	"quatuor/engine/table"
)

// held is a store whose writer stands in the middle of a piece of work until let go, so that what is handed in
// meanwhile makes one batch.
type held struct {
	*Store
	w       *writer
	release func()
}

func hold(t *testing.T, games ...string) *held {
	t.Helper()
	return holdIn(t, t.TempDir(), games...)
}

func holdIn(t *testing.T, dir string, games ...string) *held {
	t.Helper()
	s, err := Open(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	h := &held{Store: s, w: s.backend.(*writer)}
	for _, id := range games {
		g := table.Game{ID: id, Variant: "quixo/duel", Seats: 2, Status: table.Running}
		if err := s.Games().Create(t.Context(), []table.Game{g}); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// stop lets the writer stand still until release.
func (h *held) stop(t *testing.T) {
	t.Helper()
	standing, goOn, failed := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		err := h.w.write(context.Background(), func(*gorm.DB) error {
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

// hand gives jobs to the stopped writer, in this order, and returns their answers once it has gone on.
func (h *held) hand(jobs ...*job) []error {
	for _, j := range jobs {
		j.ctx, j.done = context.Background(), make(chan error, 1)
		h.w.jobs <- j
	}
	h.release()
	answers := make([]error, len(jobs))
	for i, j := range jobs {
		answers[i] = <-j.done
	}
	return answers
}

func stepJob(t *testing.T, id string, from int64) *job {
	t.Helper()
	s, err := encodeStep(table.Step{
		Game: &table.Game{ID: id, Variant: "quixo/duel", Seats: 2, Status: table.Running, Version: from + 1}, From: from,
		Lines: []table.Line{{N: from + 1, Kind: table.LineMove, Text: "a1-a5"}},
	}, true)
	if err != nil {
		t.Fatal(err)
	}
	return &job{batch: s}
}

// onCommit calls f just before every commit; if f gives something other than 0, the commit fails.
func (h *held) onCommit(t *testing.T, f func() int) {
	t.Helper()
	conn, err := h.w.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		c.(*sqlite3.SQLiteConn).RegisterCommitHook(f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *held) version(t *testing.T, id string) int64 {
	t.Helper()
	g, lines, err := h.Games().Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(lines)) != g.Version {
		t.Errorf("game %s has version %d and %d lines", id, g.Version, len(lines))
	}
	return g.Version
}

func TestBatchCommitsOnceBeforeAnyAnswer(t *testing.T) {
	const many = 100
	var ids []string
	var jobs []*job
	for i := range many {
		ids = append(ids, fmt.Sprint("g", i))
		jobs = append(jobs, stepJob(t, ids[i], 0))
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
			t.Errorf("game %s has version %d", id, v)
		}
	}
}

// TestFlagsGoFirst hands in more moves than fit into a transaction, and then a flag: it is in the first that follows.
func TestFlagsGoFirst(t *testing.T) {
	const many = 10
	var ids []string
	for i := range many + 1 {
		ids = append(ids, fmt.Sprint("g", i))
	}
	s := open(t, Config{Dir: t.TempDir(), MaxBatch: 3})
	h := &held{Store: s, w: s.backend.(*writer)}
	for _, id := range ids {
		if err := s.Games().Create(t.Context(), []table.Game{{ID: id, Status: table.Running}}); err != nil {
			t.Fatal(err)
		}
	}
	fallen, err := encodeStep(table.Step{
		Game:  &table.Game{ID: ids[many], Variant: "quixo/duel", Seats: 2, Status: table.Running, Version: 1},
		Lines: []table.Line{{N: 1, Kind: table.LineLeft, Seat: 1, Text: "time"}},
	}, true)
	if err != nil {
		t.Fatal(err)
	}
	flagged := &job{batch: fallen, done: make(chan error, 1)}
	var moves []*job
	for _, id := range ids[:many] {
		moves = append(moves, &job{batch: stepJob(t, id, 0).batch, done: make(chan error, 1)})
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
		if err := h.w.hand(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	h.release()
	for _, j := range append(moves, flagged) {
		if err := <-j.done; err != nil {
			t.Error(err)
		}
	}
	if before > 1 { // the one that held the writer
		t.Errorf("the flag was written after %d transactions that had not begun when it came", before-1)
	}
}

func TestOneRefusalHarmsNobodyElse(t *testing.T) {
	h := hold(t, "a", "b", "c", "d", "damaged")
	err := h.w.write(t.Context(), func(tx *gorm.DB) error { return tx.Create(&lineRow{GameID: "damaged", N: 1}).Error })
	if err != nil {
		t.Fatal(err)
	}
	h.stop(t)
	refusal := errors.New("refused")
	beat := func(instance string, err error) *job {
		return &job{work: func(tx *gorm.DB) error {
			if err := tx.Create(&heartbeatRow{instance, 1}).Error; err != nil {
				return err
			}
			if instance == "panics" {
				panic("at the disco")
			}
			return err
		}}
	}
	jobs := []*job{
		stepJob(t, "a", 0), stepJob(t, "b", 7), stepJob(t, "damaged", 0), beat("good", nil), beat("bad", refusal),
		stepJob(t, "a", 1), beat("good", nil), beat("panics", nil), stepJob(t, "c", 0), stepJob(t, "a", 1),
	}
	answers := h.hand(jobs...)
	for i, want := range []func(error) bool{
		ok, is(table.ErrConflict), says("UNIQUE"), ok, is(refusal),
		ok, is(gorm.ErrDuplicatedKey), says("panicked"), ok, is(table.ErrConflict),
	} {
		if !want(answers[i]) {
			t.Errorf("job %d is answered with %v", i, answers[i])
		}
	}
	for id, want := range map[string]int64{"a": 2, "b": 0, "c": 1, "d": 0} {
		if got := h.version(t, id); got != want {
			t.Errorf("game %s has version %d, want %d", id, got, want)
		}
	}
	var beats []string
	if err := h.reads.Model(&heartbeatRow{}).Pluck("instance", &beats).Error; err != nil {
		t.Fatal(err)
	}
	if len(beats) != 1 || beats[0] != "good" {
		t.Errorf("heartbeats of %v, want of the good one alone", beats)
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
	spoil := &job{work: func(*gorm.DB) error { fail = 1; return nil }} // the commit that follows fails
	for i, err := range h.hand(spoil, stepJob(t, "a", 0), stepJob(t, "b", 7)) {
		if err == nil || errors.Is(err, table.ErrConflict) {
			t.Errorf("job %d of a batch that was not committed is answered with %v", i, err)
		}
	}
	if v := h.version(t, "a"); v != 0 {
		t.Errorf("game a has version %d after a failed commit", v)
	}
	h.stop(t)
	if err := h.hand(stepJob(t, "a", 0))[0]; err != nil {
		t.Errorf("after a failed commit the writer does not go on: %v", err)
	}
}

func TestWithdrawnWriteIsNotStored(t *testing.T) {
	h := hold(t, "a", "b")
	h.stop(t)
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error)
	go func() { answer <- h.w.run(ctx, stepJob(t, "a", 0).batch) }()
	cancel()
	if err := <-answer; !errors.Is(err, context.Canceled) { // while the writer stands still
		t.Errorf("a withdrawn step is answered with %v", err)
	}
	if err := h.hand(stepJob(t, "b", 0))[0]; err != nil {
		t.Errorf("the step behind it: %v", err)
	}
	if v := h.version(t, "a"); v != 0 {
		t.Errorf("the withdrawn step is stored: version %d", v)
	}
}

// TestCloseCarriesOutWhatWaits closes the store while the writer stands still and steps wait.
func TestCloseCarriesOutWhatWaits(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Config{Dir: dir, MaxBatch: 2})
	if err != nil {
		t.Fatal(err)
	}
	h := &held{Store: s, w: s.backend.(*writer)}
	var jobs []*job
	for i := range 7 {
		id := fmt.Sprint("g", i)
		if err := s.Games().Create(t.Context(), []table.Game{{ID: id, Status: table.Running}}); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, stepJob(t, id, 0))
	}
	h.stop(t)
	for _, j := range jobs {
		j.done = make(chan error, 1)
		h.w.jobs <- j
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	<-h.w.quit
	if err := h.w.run(t.Context(), stepJob(t, "g0", 1).batch); !errors.Is(err, errClosed) {
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
	if _, err := os.Stat(filepath.Join(dir, databaseFile+logSuffix)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a connection is still open after Close: the log is there (%v)", err)
	}
	if err := s.Ready(t.Context()); err == nil {
		t.Error("a closed store says that it is ready")
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

// TestIdleWriterEmptiesTheLog looks into the database file alone, without its log, after a while without writes.
func TestIdleWriterEmptiesTheLog(t *testing.T) {
	dir := t.TempDir()
	inFile := func() int {
		t.Helper()
		alone := filepath.Join(t.TempDir(), "copy.db")
		content, err := os.ReadFile(filepath.Join(dir, databaseFile))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(alone, content, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite3", fileDSN(alone, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		games := 0
		if err := db.QueryRow("SELECT count(*) FROM games").Scan(&games); err != nil {
			t.Fatal(err)
		}
		return games
	}
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(context.Background(), Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i := range worthCopying {
			if err := s.Games().Create(context.Background(), []table.Game{{ID: fmt.Sprint("g", i)}}); err != nil {
				t.Fatal(err)
			}
		}
		if n := inFile(); n != 0 {
			t.Fatalf("%d games in the file before the writer was idle: the test shows nothing", n)
		}
		time.Sleep(2 * idleTime) // in the bubble's time: the writer has nothing left to do when it has passed
		if n := inFile(); n != worthCopying {
			t.Errorf("%d games in the file after the writer was idle, want %d", n, worthCopying)
		}
	})
}
