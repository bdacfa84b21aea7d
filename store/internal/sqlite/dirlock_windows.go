package sqlite

import (
	"os"

	"golang.org/x/sys/windows"
)

// errLocked is the system's error for a file that another process has locked.
const errLocked = windows.ERROR_LOCK_VIOLATION

// lockFile locks a file against other processes, without waiting. Windows keeps others from reading locked bytes, so
// the lock is on a byte far behind the end: the owner's number can still be read.
func lockFile(f *os.File) error {
	const exclusiveNow = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), exclusiveNow, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
}

// SyncDir does nothing: Windows has no way to flush a folder, and keeps its entries in a journal.
func SyncDir(string) error { return nil }
