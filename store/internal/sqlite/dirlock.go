package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrInUse is a data directory that another process works on.
var ErrInUse = errors.New("the data directory is in use")

// Lock keeps a second process out of a data directory. The operating system takes it back when the process ends,
// however it ends.
type Lock struct{ file *os.File }

// LockDir makes the directory, where only this user can look into it, and locks the file of that name in it.
func LockDir(dir, name string) (*Lock, error) {
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	if err := lockFile(f); err != nil {
		defer f.Close()
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("%w: %s belongs to process %s; stop that one or choose another directory", ErrInUse, dir,
				owner(f))
		}
		return nil, fmt.Errorf("lock the data directory %s: %w", dir, err)
	}
	l := &Lock{f}
	if err := l.sign(); err != nil {
		return nil, errors.Join(fmt.Errorf("lock the data directory: %w", err), l.Release())
	}
	return l, nil
}

// makeDir makes a directory and those above it that are missing, and brings the names of all of them to the disk: a
// database in a directory that a power cut takes away is lost with it.
func makeDir(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	var made []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, os.ErrNotExist) {
			break
		}
		made = append(made, d)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, d := range made {
		if err := SyncDir(filepath.Dir(d)); err != nil {
			return err
		}
	}
	return nil
}

// sign leaves this process's number in the lock file, for the message above.
func (l *Lock) sign() error {
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

// Release lets other processes have the directory.
func (l *Lock) Release() error { return l.file.Close() }

// Claim marks an open file as this process's, for as long as the file is open and the process lives.
func Claim(f *os.File) error { return lockFile(f) }

// RemoveUnclaimed removes the files of a directory with a prefix that no process has claimed, for example those that a
// power cut has left. Others' files stay, and those that cannot be opened.
func RemoveUnclaimed(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		free := lockFile(f) == nil
		if err = f.Close(); err == nil && free {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
