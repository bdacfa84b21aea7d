package app

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/store"
)

// TestADamagedBackupFailsTheDrill overwrites 64 bytes at twelve places of a backup, each by itself: each drill fails
// with the reason, and that of the whole backup succeeds.
func TestADamagedBackupFailsTheDrill(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	keeper := NewKeeper(t.Context(), BackupConfig{}, dir, slog.New(slog.DiscardHandler))
	keeper.Start()
	keeper.Wait()
	copies, err := keeper.Copies()
	if err != nil || len(copies) != 1 {
		t.Fatalf("%d backups, %v", len(copies), err)
	}
	path := filepath.Join(keeper.Dir, copies[0].Name)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if last, err := keeper.Drill(t.Context()); err != nil || !strings.Contains(last.Text, "its checksum is right") {
		t.Errorf("the whole backup: %+v, %v", last, err)
	}
	const places = 12
	for n := range places {
		at := n * (len(whole) - 64) / (places - 1)
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			damaged := bytes.Clone(whole)
			for i := range 64 {
				damaged[at+i] ^= 0x5a
			}
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			last, err := keeper.Drill(t.Context())
			if err == nil || last.Good || !strings.Contains(last.Text, "the backup is damaged") {
				t.Errorf("%+v, %v", last, err)
			}
		})
	}
}
