package backups

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quatuor/api/command"
)

// drillPrefix begins the names of the folders into which backups are restored as a trial.
const drillPrefix = ".drill-"

// ErrNoCopies is returned where there is no backup to restore.
var ErrNoCopies = errors.New("there is no backup yet")

// maxFound is the length in bytes of a drill's findings that is kept.
const maxFound = 2000

// drillDue reports whether the last drill is a month ago. A drill from the future, by a clock that was wrong, does not
// count.
func (k *Keeper) drillDue() bool {
	k.mu.Lock()
	last := k.readNoted().Drill
	k.mu.Unlock()
	if last == nil {
		return true
	}
	age := k.Now().Sub(time.UnixMilli(last.At))
	return age < 0 || age >= drillInterval
}

// Drill restores the newest backup into a folder beside it, checks everything in it, and takes the folder away again.
// The outcome is noted. It returns ErrNoCopies where there is none.
func (k *Keeper) Drill(ctx context.Context) (command.BackupDrill, error) {
	err := k.drill(ctx)
	if last := k.readNoted().Drill; last != nil {
		return *last, err
	}
	return command.BackupDrill{}, err
}

func (k *Keeper) drill(ctx context.Context) error {
	copies, err := k.Copies()
	if err != nil || len(copies) == 0 {
		return errors.Join(ErrNoCopies, err)
	}
	newest, found := k.newest(k.Now())
	if !found {
		newest = copies[0] // the clock is behind all of them
	}
	text, err := k.restore(ctx, newest.Name)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		text = strings.TrimSpace(text + "\n" + err.Error())
		k.Logger.Error("the newest backup could not be restored as a trial", "file", newest.Name, "error", oneLine(err))
	} else {
		k.Logger.Info("the newest backup was restored as a trial and is good", "file", newest.Name)
	}
	k.note(func(s *noted) {
		s.Drill = &command.BackupDrill{
			At: k.Now().UnixMilli(), Copy: newest.Name, Good: err == nil,
			Text: strings.ToValidUTF8(text[:min(len(text), maxFound)], ""),
		}
	})
	return err
}

// restore restores a backup into a temporary folder and returns the findings of the check.
func (k *Keeper) restore(ctx context.Context, name string) (found string, err error) {
	if err := k.prepare(); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(k.Dir, drillPrefix)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	return k.Check(ctx, filepath.Join(k.Dir, name), folder)
}
