package store

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/store/internal/sqlite"
	"quatuor/store/migrations"
)

// TestCopyBeforeMigration opens a database of an older schema: a copy of it is kept beside, once, and the log has a
// line about it.
func TestCopyBeforeMigration(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, databaseFile)
	restore(t, "testdata/v1.sql", path)
	var said bytes.Buffer
	for range 2 {
		s, err := Open(t.Context(), Config{Dir: dir, Logger: slog.New(slog.NewTextHandler(&said, nil))})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	copies, err := filepath.Glob(filepath.Join(dir, "quatuor-schema-*.db"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies: %v, error %v", copies, err)
	}
	present, known, err := storedIn(t, copies[0])
	if err != nil || present != 1 {
		t.Errorf("the copy has schema %d, error %v", present, err)
	}
	if now, _, err := storedIn(t, path); err != nil || now != known {
		t.Errorf("the database has schema %d, want %d, error %v", now, known, err)
	}
	if log := said.String(); strings.Count(log, "a copy from before") != 1 || !strings.Contains(log, "from=1 ") ||
		!strings.Contains(log, "took=") || !strings.Contains(log, copies[0]) {
		t.Errorf("the log says\n%s", log)
	}
}

func storedIn(t *testing.T, path string) (present, known int64, err error) {
	t.Helper()
	db := sqlite.OpenPlain(path)
	defer db.Close()
	return migrations.Stored(t.Context(), db)
}

// TestNoMigrationWithoutACopy: where the copy cannot be written, nothing is changed.
func TestNoMigrationWithoutACopy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, databaseFile)
	restore(t, "testdata/v1.sql", path)
	const damage = "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = 'nonsense' WHERE name = 'replies_by_age'"
	if _, err := shell(t, path).Exec(damage); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &Store{log: slog.New(slog.DiscardHandler)}
	err = s.migrateFile(t.Context(), path, true)
	if err == nil {
		t.Fatal("a database that cannot be copied was migrated")
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the database was changed, error %v", err)
	}
}

// TestAbandonedBackupsAreRemoved leaves the files that a power cut leaves of a backup: the next start removes them, and
// so does the next backup to the same folder; a backup in progress stays, and so do foreign files.
func TestAbandonedBackupsAreRemoved(t *testing.T) {
	dir, target := folder(t), t.TempDir()
	left := func(in, name string) string {
		path := filepath.Join(in, name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gone := []string{left(dir, backupPrefix+"123"), left(target, backupPrefix+"456")}
	kept := []string{left(dir, "quatuor-backup.db"), left(dir, backupPrefix+"789")}
	writing, err := os.OpenFile(kept[1], os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writing.Close()
	if err := sqlite.Claim(writing); err != nil {
		t.Fatal(err)
	}
	s := open(t, Config{Dir: dir})
	if err := BackupDir(context.Background(), s.dir, filepath.Join(target, "b.db")); err != nil {
		t.Fatal(err)
	}
	for _, path := range gone {
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
	for _, path := range kept {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}
