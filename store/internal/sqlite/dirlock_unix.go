//go:build unix

package sqlite

import (
	"os"
	"syscall"
)

// errLocked is the system's error for a file that another process has locked.
const errLocked = syscall.EWOULDBLOCK

// lockFile locks a file against other processes, without waiting.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// SyncDir makes renamed files durable under their new names.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
