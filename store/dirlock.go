package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// errInUse says that another process works on the data directory.
var errInUse = errors.New("the data directory is in use")

// dirLock keeps a second process out of a data directory. The operating system takes it back when the process ends,
// however it ends.
type dirLock struct{ file *os.File }

// lockDir makes the directory, where only this user can look into it, and takes it.
func lockDir(dir string) (*dirLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w: %s belongs to process %s; stop that one or choose another directory", errInUse, dir, owner(f))
		}
		return nil, fmt.Errorf("lock the data directory %s: %w", dir, err)
	}
	l := &dirLock{f}
	if err := l.sign(); err != nil {
		return nil, errors.Join(fmt.Errorf("lock the data directory: %w", err), l.release())
	}
	return l, nil
}

// sign leaves this process's number in the lock file, for the message above.
func (l *dirLock) sign() error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

func owner(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 20))
	if err != nil || len(text) == 0 {
		return "(unknown)"
	}
	return strings.TrimSpace(string(text))
}

func (l *dirLock) release() error { return l.file.Close() }
