package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamagedBackups overwrites 64 bytes of a backup, or flips a bit, all over it: each is refused, and the folder of
// the restore stays empty.
func TestDamagedBackups(t *testing.T) {
	path := backup(t, played(t, 200))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	damages := map[string]func(b []byte) []byte{
		"the checksum is cut":        func(b []byte) []byte { return b[:len(b)-1] },
		"bytes are added":            func(b []byte) []byte { return append(b, "more"...) },
		"a page is cut from its end": func(b []byte) []byte { return b[:len(b)-checksumLength-4096] },
	}
	for n := range 16 {
		at := n * (len(whole) - 64) / 15
		damages[fmt.Sprintf("64 bytes at %d of %d", at, len(whole))] = func(b []byte) []byte {
			for i := range 64 {
				b[at+i] ^= byte(1 + chance.IntN(255))
			}
			return b
		}
		bit := chance.IntN(8 * len(whole))
		damages[fmt.Sprintf("bit %d", bit)] = func(b []byte) []byte {
			b[bit/8] ^= 1 << (bit % 8)
			return b
		}
	}
	for name, damage := range damages {
		if err := os.WriteFile(path, damage(bytes.Clone(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		_, err := Restore(t.Context(), path, dir, false, sound)
		if !errors.Is(err, ErrDamagedBackup) && name != "a page is cut from its end" || err == nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, databaseFile)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a database was left, %v", name, err)
		}
	}
}

// TestChecksum restores a backup with a checksum, a backup of an earlier version without, and a backup from a pipe.
func TestChecksum(t *testing.T) {
	s := played(t, 20)
	path := backup(t, s)
	var piped bytes.Buffer
	if n, err := BackupTo(t.Context(), s.dir, &piped); err != nil || n != int64(piped.Len()) {
		t.Fatal(n, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := whole[:len(whole)-checksumLength]
	for name, one := range map[string]struct {
		backup []byte
		summed bool
	}{
		"a backup": {whole, true}, "one from a pipe": {piped.Bytes(), true}, "one of an earlier version": {old, false},
	} {
		dir := t.TempDir()
		_, err := RestoreFrom(t.Context(), bytes.NewReader(one.backup), "backup", dir, false, func(s *Store) error {
			if s.Checksummed() != one.summed {
				t.Errorf("%s has a checksum: %v", name, s.Checksummed())
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := linesIn(t, dir); n != 20 {
			t.Errorf("%s: %d lines", name, n)
		}
		if text, err := os.ReadFile(filepath.Join(dir, databaseFile)); err != nil || strings.Contains(string(text), checksumMark) {
			t.Errorf("%s: the checksum is in the database, %v", name, err)
		}
	}
}
