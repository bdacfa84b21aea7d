package dbtest

import (
	"os"
	"sync"
	"testing"
)

var newFolder struct {
	once     sync.Once
	database []byte
	err      error
}

// databaseName is the file of a store on SQLite in its folder.
const databaseName = "quatuor.db"

// Folder returns a folder of the test with a new database and its tables. The tables are made once for all tests of the
// program, by open, which opens a store in a folder and closes it again: making them takes as long as many a test.
func Folder(t testing.TB, open func(dir string) error) string {
	t.Helper()
	newFolder.once.Do(func() {
		dir := room(t)
		if newFolder.err = open(dir); newFolder.err == nil {
			newFolder.database, newFolder.err = os.ReadFile(dir + "/" + databaseName)
		}
	})
	if newFolder.err != nil {
		t.Fatal(newFolder.err)
	}
	dir := room(t)
	if err := os.WriteFile(dir+"/"+databaseName, newFolder.database, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// room returns a folder of the test: in memory where possible; with QUATUOR_LONG on the disk, so that the tests wait
// for it.
func room(t testing.TB) string {
	t.Helper()
	if os.Getenv("QUATUOR_LONG") != "" {
		return t.TempDir()
	}
	memory := inMemory()
	if memory == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "quatuor-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
