package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quatuor/engine/table"
	"quatuor/store/internal/sqlite"
)

// played opens a store with a game of that many lines.
func played(t *testing.T, lines int64) *Store {
	t.Helper()
	s := open(t, Config{Dir: folder(t)})
	if err := s.Games().Create(t.Context(), []table.Game{{ID: "g", Status: table.Running}}); err != nil {
		t.Fatal(err)
	}
	for v := range lines {
		if err := s.backend.run(t.Context(), stepBatch(t, "g", v)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func backup(t *testing.T, s *Store) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "backup.db")
	if err := BackupDir(t.Context(), s.dir, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// linesIn counts the lines of the game in a directory that no server works on, and demands that row and log agree.
func linesIn(t *testing.T, dir string) int {
	t.Helper()
	s, err := Open(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g, lines, err := s.Games().Load(t.Context(), "g")
	if err != nil || int64(len(lines)) != g.Version {
		t.Errorf("%s: %d lines for version %d, error %v", dir, len(lines), g.Version, err)
	}
	return len(lines)
}

func sound(*Store) error { return nil }

// TestBackupWhileWriting copies the database while games go on, restores the copy to another folder, and finds the game
// as it was at some moment of the copying.
func TestBackupWhileWriting(t *testing.T) {
	s := played(t, 10)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	last := int64(10)
	group.Go(func() {
		for ; ctx.Err() == nil; last++ {
			if err := s.backend.run(context.Background(), stepBatch(t, "g", last)); err != nil {
				t.Error(err)
				return
			}
		}
	})
	copied := backup(t, s)
	cancel()
	group.Wait()
	dir := filepath.Join(t.TempDir(), "new")
	if _, err := Restore(t.Context(), copied, dir, false, sound); err != nil {
		t.Fatal(err)
	}
	if n := linesIn(t, dir); n < 10 || n > int(last) {
		t.Errorf("%d lines were restored, want between 10 and %d", n, last)
	}
}

func TestBackupRefuses(t *testing.T) {
	s := played(t, 1)
	copied := backup(t, s)
	before, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	if err := BackupDir(t.Context(), s.dir, copied); err == nil || !strings.Contains(err.Error(), "new file") {
		t.Errorf("a backup over a file: %v", err)
	}
	if after, err := os.ReadFile(copied); err != nil || string(after) != string(before) {
		t.Error("a refused backup has changed the file")
	}
	if err := BackupDir(t.Context(), t.TempDir(), copied+"2"); err == nil ||
		!strings.Contains(err.Error(), "no database") {
		t.Errorf("a directory without a database was backed up: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := BackupDir(ended, s.dir, copied+"3"); err == nil {
		t.Error("a backup that was called off has succeeded")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(copied), "*")); len(left) != 1 {
		t.Errorf("backups that failed have left %v", left)
	}
}

// TestRestoreKeepsWhatItReplaces restores over an installation, which is refused at first and then kept aside.
func TestRestoreKeepsWhatItReplaces(t *testing.T) {
	s := played(t, 5)
	copied := backup(t, s)
	if err := s.backend.run(t.Context(), stepBatch(t, "g", 5)); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), copied, s.dir, true, sound); !errors.Is(err, sqlite.ErrInUse) {
		t.Errorf("a restore under a running server: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), copied, s.dir, false, sound); !errors.Is(err, ErrOccupied) {
		t.Errorf("a restore over an installation: %v", err)
	}
	kept, err := Restore(t.Context(), copied, s.dir, true, sound)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]int{s.dir: 5, kept: 6} {
		if n := linesIn(t, dir); n != want {
			t.Errorf("%s has %d lines, want %d", dir, n, want)
		}
	}
}

// TestRestoreAfterACrash replaces an installation that was killed: what its log holds belongs to it, and must neither
// be lost with it nor be read into the database that takes its place.
func TestRestoreAfterACrash(t *testing.T) {
	copied := backup(t, played(t, 3))
	for name, spoil := range map[string]func([]byte) []byte{
		"sound": func(b []byte) []byte { return b },
		"damaged": func(b []byte) []byte {
			copy(b, "no database any more")
			return b
		},
	} {
		running, dir := played(t, 7), t.TempDir()
		for _, file := range []string{databaseFile, databaseFile + "-wal"} {
			content, err := os.ReadFile(filepath.Join(running.dir, file)) // as a crash would leave it
			if err != nil || len(content) == 0 {
				t.Fatalf("%s has %d bytes: the test shows nothing; %v", file, len(content), err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), spoil(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := Restore(t.Context(), copied, dir, true, sound)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := linesIn(t, dir); n != 3 {
			t.Errorf("%s: %d lines, want those of the backup", name, n)
		}
		if name == "sound" && linesIn(t, kept) != 7 {
			t.Error("what was replaced is not whole")
		}
		if _, err := os.Stat(filepath.Join(kept, databaseFile)); err != nil {
			t.Errorf("%s: what was replaced is not kept: %v", name, err)
		}
	}
}

// TestRestoreRefusesWhatIsNoBackup leaves the directory as it was, whatever it is offered.
func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	copied := backup(t, played(t, 100))
	whole, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content string
		check   func(*Store) error
	}{
		"text": {
			"not a database, but long enough to be taken for one at first sight" + strings.Repeat(" ", 500),
			sound,
		},
		"nothing":        {"", sound},
		"half":           {string(whole[:len(whole)/2]), wholeFile},
		"spoilt":         {string(whole[:5000]) + strings.Repeat("x", 60_000) + string(whole[65_000:]), wholeFile},
		"refused":        {string(whole), func(*Store) error { return errors.New("refused") }},
		"an empty base":  {"", wholeFile},
		"another's base": {other(t), sound},
	} {
		dir, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(t.Context(), file, dir, false, c.check); err == nil {
			t.Errorf("%s was restored", name)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 || filepath.Base(left[0]) != lockName {
			t.Errorf("%s has left %v", name, left)
		}
	}
	if _, err := Restore(t.Context(), filepath.Join(t.TempDir(), "none"), t.TempDir(), false, sound); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("a backup that is not there: %v", err)
	}
}

func wholeFile(s *Store) error {
	faults, err := s.Faults(context.Background())
	if len(faults) > 0 {
		err = errors.Join(err, errors.New(faults[0]))
	}
	return err
}

// other is a SQLite database of another program.
func other(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	db := shell(t, path)
	if _, err := db.Exec("CREATE TABLE goose_db_version (version_id INTEGER, is_applied INTEGER)"); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestInterruptedRestoreStartsAnew finds what an earlier restore has left half done.
func TestInterruptedRestoreStartsAnew(t *testing.T) {
	copied, dir := backup(t, played(t, 2)), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, stagingName), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, stagingName, databaseFile), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), copied, dir, false, sound); err != nil {
		t.Fatal(err)
	}
	if n := linesIn(t, dir); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
	if _, err := os.Stat(filepath.Join(dir, stagingName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the restore is still there: %v", err)
	}
}
