package store

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/store/internal/sqlite"
)

func open(t *testing.T, c Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		config Config
		says   string
	}{
		{Config{}, "one of the two"},
		{Config{Dir: t.TempDir(), DSN: "postgres://"}, "one of the two"},
		{Config{Dir: file}, "data directory"},
		{Config{DSN: "postgres:///?host=" + t.TempDir()}, "migrate"},
	} {
		s, err := Open(t.Context(), c.config)
		if err == nil {
			t.Errorf("%+v was opened", c.config)
			_ = s.Close()
		} else if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: the message %q does not say %q", c.config, err, c.says)
		}
	}
}

func TestDirectoryIsForOne(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	first := open(t, Config{Dir: dir})
	_, err := Open(t.Context(), Config{Dir: dir})
	if !errors.Is(err, sqlite.ErrInUse) || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
		t.Errorf("a second store on one directory: %v, want sqlite.ErrInUse with the number of the process", err)
	}
	if err := first.Ready(t.Context()); err != nil {
		t.Errorf("the first store after the attempt: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, Config{Dir: dir})
}

func TestFilesArePrivate(t *testing.T) {
	dir := folder(t)
	s := open(t, Config{Dir: dir})
	if err := s.Games().Beat(t.Context(), "x", 1); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "backup.db")
	if err := BackupDir(t.Context(), s.dir, copied); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, databaseFile), filepath.Join(dir, databaseFile+"-wal"), copied} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s can be read by others: %v", path, info.Mode())
		}
	}
}

func TestReadersCannotWrite(t *testing.T) {
	s := open(t, Config{Dir: folder(t)})
	if err := s.reads.Create(&heartbeatRow{Instance: "x", At: 1}).Error; err == nil {
		t.Error("the readers' pool has written")
	}
}

// childDir names the folder for a process that TestKilledProcessLosesNothing starts.
const childDir = "QUATUOR_STORE_TEST_CHILD"

// TestKilledProcessLosesNothing kills a process that appends as fast as it can: whatever was acknowledged must be
// there.
func TestKilledProcessLosesNothing(t *testing.T) {
	if dir := os.Getenv(childDir); dir != "" {
		appendForever(t, dir)
		return
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledProcessLosesNothing$")
	child.Env = append(os.Environ(), childDir+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]int64{}
	lines := bufio.NewScanner(out)
	for count := 0; lines.Scan(); count++ {
		var id string
		var version int64
		if _, err := fmt.Sscanf(lines.Text(), "stored %s %d", &id, &version); err != nil {
			t.Errorf("the child says %q", lines.Text())
			continue
		}
		acknowledged[id] = max(acknowledged[id], version)
		if count == 300 {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil {
		t.Fatal("the child ended by itself")
	}
	s := open(t, Config{Dir: dir})
	for id, version := range acknowledged {
		g, log, err := s.Games().Load(t.Context(), id)
		if err != nil || g.Version < version || int64(len(log)) != g.Version {
			t.Errorf("game %s: version %d with %d lines, error %v; version %d was acknowledged", id, g.Version, len(log), err,
				version)
		}
	}
	if len(acknowledged) != 8 {
		t.Errorf("%d games were played, want 8", len(acknowledged))
	}
}

func appendForever(t *testing.T, dir string) {
	s := open(t, Config{Dir: dir})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			id := fmt.Sprint("g", i)
			if err := s.Games().Create(t.Context(), []table.Game{{ID: id, Status: table.Running}}); err != nil {
				t.Error(err)
				return
			}
			for v := int64(0); ; v++ {
				if err := s.backend.run(t.Context(), stepBatch(t, id, v)); err != nil {
					t.Error(err)
					return
				}
				fmt.Printf("stored %s %d\n", id, v+1)
			}
		})
	}
	group.Wait()
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, Config{Dir: dir}).Close(); err != nil {
		t.Fatal(err)
	}
	db := dbtest.OpenFile(t, sqlite.FileDSN(filepath.Join(dir, databaseFile), nil))
	if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Config{Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "newer than this program") {
		t.Errorf("a database of a later version: %v", err)
	}
}
