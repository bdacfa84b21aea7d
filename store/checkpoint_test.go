package store

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestTheLogBeginsAnewWhileMovesAreMade lets writers move without a pause: the write-ahead log, which keeps the size
// that it once had, must stay far smaller than all that was written, although the writer is never idle, and what is
// copied must be what was written.
func TestTheLogBeginsAnewWhileMovesAreMade(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 20,000 moves")
	}
	dir := t.TempDir()
	s, err := Open(t.Context(), Config{Dir: dir, checkpointAfter: 200})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const writers, each = 8, 2500
	w := fillBench(t, s, writers)
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			for range each {
				if err := w.Games().Append(context.Background(), w.next(i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	log, err := os.Stat(filepath.Join(dir, databaseFile+"-wal"))
	if err != nil {
		t.Fatal(err)
	}
	const page, least = 4096, 2 * writers * each / writers // a batch of all writers changes two pages at the least
	if written := int64(page * least); log.Size() > written/2 {
		t.Errorf("the log has grown to %d bytes while at least %d were written", log.Size(), written)
	}
	for i := range w.games {
		game, lines, err := s.Games().Load(t.Context(), w.games[i].ID)
		if err != nil || game.Version != each || len(lines) != each {
			t.Errorf("version %d and %d lines are stored of %d; %v", game.Version, len(lines), each, err)
		}
	}
	var said string
	if err := s.reads.Raw("PRAGMA integrity_check").Scan(&said).Error; err != nil || said != "ok" {
		t.Errorf("the file: %q, %v", said, err)
	}
}

// TestFailedCheckpointsAreCounted reports two failed checkpoints, then a successful checkpoint: each failure is
// counted, and only the first of a row is logged.
func TestFailedCheckpointsAreCounted(t *testing.T) {
	var said bytes.Buffer
	s := open(t, Config{Dir: folder(t), Logger: slog.New(slog.NewTextHandler(&said, nil))})
	for n, want := range []int64{2, 4} {
		s.checkpoints.Observe(errors.New("the disk is broken"))
		s.checkpoints.Observe(errors.New("the disk is broken"))
		s.checkpoints.Observe(nil)
		if got := s.CheckpointFailures(); got != want {
			t.Errorf("%d failures are counted, want %d", got, want)
		}
		if lines := strings.Count(said.String(), "cannot be copied"); lines != n+1 {
			t.Errorf("%d failures in a row were logged in %d lines:\n%s", want, lines, &said)
		}
	}
	if !strings.Contains(said.String(), "again") {
		t.Errorf("the end of the failures is not logged:\n%s", &said)
	}
}
