package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"quatuor/api/pages/administration"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/store"
)

// backupNote is a file in the data folder; its modification time is that of the last backup. It is no part of the
// database: a backup reads that while the service writes it, and must not record itself.
const backupNote = "last-backup"

// NoteBackup notes in a data folder when a backup was made.
func NoteBackup(dir string, at time.Time) error {
	path := filepath.Join(dir, backupNote)
	if err := os.WriteFile(path, []byte(at.UTC().Format(time.RFC3339)+"\n"), 0o600); err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}

// notedBackup returns when the last backup was made; the zero time for none.
func notedBackup(dir string) time.Time {
	text, err := os.ReadFile(filepath.Join(dir, backupNote))
	if err != nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	if err != nil {
		return time.Time{}
	}
	return at
}

// State returns how the service is, for its page of administration.
func (a *App) State(context.Context) administration.State {
	s := administration.State{Version: Version(), Postgres: a.config.Database != "", Check: a.checking.state()}
	if s.Postgres {
		return s
	}
	s.Backup = a.backups.State().Last
	s.Free, s.Total = diskSpace(a.config.Data)
	_ = filepath.WalkDir(a.config.Data, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path == a.backups.Dir {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err == nil {
			s.Data += info.Size()
		}
		return nil
	})
	return s
}

// checking is the check started from the page of administration.
type checking struct {
	mu   sync.Mutex
	last administration.CheckState
	done sync.WaitGroup
}

func (c *checking) state() administration.CheckState {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// maxCheckText is the length in bytes of a check's findings that is shown.
const maxCheckText = 4000

// StartCheck begins a check of everything that is stored, unless a check is under way. It goes on in the background and
// ends with the service.
func (a *App) StartCheck() {
	c := &a.checking
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last.Running {
		return
	}
	c.last.Running = true
	c.done.Go(func() {
		text, err := a.check()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.last = administration.CheckState{
			At: time.Now().UnixMilli(), Good: err == nil, Text: strings.ToValidUTF8(text[:min(len(text), maxCheckText)], ""),
		}
	})
}

// check makes a check on a connection of its own, which reads alone.
func (a *App) check() (string, error) {
	var found strings.Builder
	db, err := store.OpenToRead(a.ending, a.config.StoreConfig(a.logger))
	if err == nil {
		err = errors.Join(Check(a.ending, a.config.Storage, db, terminal.Streams{Out: &found, Err: io.Discard}), db.Close())
	}
	if err != nil {
		found.WriteString(err.Error())
	}
	return found.String(), err
}

// release and commit are the stamps of a release: -ldflags "-X quatuor/cmd/quatuor/app.release=v1.2.3".
var release, commit string

// Build identifies the program's build.
type Build struct {
	Version  string `json:"version"` // of the release; else the module's, or the commit
	Commit   string `json:"commit"`  // "unknown" where the build knew none
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	SQLite   string `json:"sqlite"`
	Library  string `json:"sqlite_library"` // C, or Go: SQLite translated to it
	Platform string `json:"platform"`       // operating system and processor
}

// CurrentBuild returns the versions and the commit of this program's build.
func CurrentBuild() Build {
	b := Build{
		Version: Version(), Commit: cmp.Or(commit, "unknown"), Go: runtime.Version(), SQLite: store.SQLiteVersion(),
		Library: store.SQLiteLibrary, Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || commit != "" {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// Version names the build: the release, the module's version, or the commit it was made from.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && info.Main.Version == "(devel)" {
			return fmt.Sprintf("devel-%.12s", s.Value)
		}
	}
	return info.Main.Version
}
