package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFullDiskInABatch fills a small file system at every point of a batch that is larger than the page cache.
func TestFullDiskInABatch(t *testing.T) {
	for _, spills := range []bool{true, false} {
		t.Run(fmt.Sprint("spills=", spills), func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("none", dir, "tmpfs", 0, "size=8m"); err != nil {
				t.Skipf("a small file system takes the right to mount one: %v", err)
			}
			t.Cleanup(func() {
				if err := syscall.Unmount(dir, 0); err != nil {
					t.Error(err)
				}
			})
			h := holdIn(t, dir, Config{Observe: func(error) {}})
			if spills {
				h.spill(t)
			}
			fullDisk(t, h, func(spare int) func() { return fillUp(t, dir, spare) })
		})
	}
}

// fillUp leaves spare bytes free on the file system of a folder, until empty is called.
func fillUp(t *testing.T, dir string, spare int) (empty func()) {
	t.Helper()
	var free syscall.Statfs_t
	if err := syscall.Statfs(dir, &free); err != nil {
		t.Fatal(err)
	}
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	size := int64(free.Bavail)*free.Bsize - int64(spare)
	if err := syscall.Fallocate(int(filler.Fd()), 0, 0, size); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := filler.Close(); err != nil {
			t.Error(err)
		}
		if err := os.Remove(filler.Name()); err != nil {
			t.Error(err)
		}
	}
}
