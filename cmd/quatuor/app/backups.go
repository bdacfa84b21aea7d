package app

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"quatuor/cmd/quatuor/backups"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/store"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// BackupConfig holds the operator's settings of backups.
type BackupConfig struct {
	Dir           string         // "" for the folder backups in the data folder
	At            backups.Moment // the zero value is midnight
	Daily, Weekly int            // days and weeks with a backup to keep; without days the defaults
	Command       string         // run after each; "" for none
}

// Defaults of BackupConfig.
const (
	keptDays  = 7
	keptWeeks = 4
)

// backupFolder is the folder of backups in the data folder.
const backupFolder = "backups"

// NewKeeper returns the keeper of the backups of a data folder. Its zone is UTC, and no round keeps it waiting.
func NewKeeper(ctx context.Context, c BackupConfig, dir string, logger *slog.Logger) *backups.Keeper {
	return backups.New(ctx, keeperConfig(c, dir, logger))
}

// keeperConfig returns the configuration of the keeper that [NewKeeper] returns.
func keeperConfig(c BackupConfig, dir string, logger *slog.Logger) backups.Config {
	if c.Daily == 0 {
		c.Daily, c.Weekly = keptDays, keptWeeks
	}
	return backups.Config{
		Dir: cmp.Or(c.Dir, filepath.Join(dir, backupFolder)), MakeDir: c.Dir == "", At: c.At,
		Daily: c.Daily, Weekly: c.Weekly, Command: c.Command,
		Source: store.DatabaseFile(dir), State: filepath.Join(dir, "backups.json"),
		Note:            func(at time.Time) error { return NoteBackup(dir, at) },
		Noted:           func() time.Time { return notedBackup(dir) },
		Copy:            func(ctx context.Context, path string) error { return store.BackupDir(ctx, dir, path) },
		Check:           CheckBackup,
		RemoveAbandoned: store.RemoveAbandonedBackups,
		Free:            func(dir string) int64 { free, _ := diskSpace(dir); return free },
		Zone:            func(context.Context) *time.Location { return time.UTC },
		Busy:            func(context.Context) bool { return false },
		Logger:          logger,
	}
}

// CheckBackup restores a backup into an empty folder and checks everything in it. It returns the findings.
func CheckBackup(ctx context.Context, backup, folder string) (string, error) {
	var found strings.Builder
	_, err := store.Restore(ctx, backup, folder, false, func(db *store.Store) error {
		return CheckRestored(ctx, db, terminal.Streams{Out: &found, Err: io.Discard})
	})
	return found.String(), err
}

// CheckRestored checks everything in a backup that is being restored, and prints whether it has a checksum.
func CheckRestored(ctx context.Context, db *store.Store, s terminal.Streams) error {
	text := "the backup has no checksum: an earlier version made it, or another program"
	if db.Checksummed() {
		text = "the backup is what was written: its checksum is right"
	}
	if _, err := fmt.Fprintln(s.Out, text); err != nil {
		return err
	}
	return Check(ctx, Storage{}, db, s)
}

// newBackups makes the keeper of the backups, with SQLite.
func (a *App) newBackups() {
	if a.config.Database != "" {
		return
	}
	c := keeperConfig(a.config.Backups, filepath.Clean(a.config.Data), a.logger)
	c.Zone = func(ctx context.Context) *time.Location { return a.Club.Current(ctx).Zone }
	c.Busy = a.ratedRoundRuns
	a.backups = backups.New(a.ending, c)
	a.measures.watchBackups(a.backups.Age, a.backups.DrillAge, a.backups.DrillFailed)
}

// ratedRoundRuns reports whether a round of a rated tournament is being played.
func (a *App) ratedRoundRuns(ctx context.Context) bool {
	running, _, err := a.Store.Tournaments().List(ctx, director.Filter{
		Status: []tournament.Status{tournament.Running},
	}, 100, "")
	if err != nil {
		return false
	}
	for _, line := range running {
		t, err := a.Director.Tournament(ctx, line.ID)
		if err != nil || !t.Rated || len(t.Rounds) == 0 {
			continue
		}
		if t.Rounds[len(t.Rounds)-1].Status == tournament.Published {
			return true
		}
	}
	return false
}
