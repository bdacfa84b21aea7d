package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/backups"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/store"
)

// backupFolder is the folder of the service's backups.
type backupFolder struct {
	BackupDir string `help:"Folder of the backups that the service makes, which must exist; backups in the data folder if left out." type:"path" placeholder:"DIR"`
}

// keeper returns the keeper of the backups of a data folder, for a single command.
func (f backupFolder) keeper(ctx context.Context, dir string) *backups.Keeper {
	return app.NewKeeper(ctx, app.BackupConfig{Dir: f.BackupDir}, dir, slog.New(slog.DiscardHandler))
}

// backupCmd makes a backup by hand, or restores the newest as a trial.
type backupCmd struct {
	Copy  backupCopyCmd  `cmd:"" default:"withargs" help:"Copy the database to a file or a pipe while the service runs."`
	Drill backupDrillCmd `cmd:"" help:"Restore the newest backup of the service's folder as a trial, and check it."`
}

// backupCopyCmd copies the database to a file while the service goes on.
type backupCopyCmd struct {
	storage `embed:""`

	File string `arg:"" optional:"" help:"File to write; it must be new." type:"path"`
	To   string `help:"The same; - is standard output, for a pipe." type:"path" placeholder:"FILE"`
}

// secret is printed with each copy.
const secret = "It holds password hashes and the seeds of running games; keep it safe."

// Run writes the backup. The service may be running on the same folder.
func (c backupCopyCmd) Run(ctx context.Context, s streams) error {
	began := time.Now()
	dir, err := c.folder("pg_dump")
	if err != nil {
		return err
	}
	if (c.File == "") == (c.To == "") {
		return app.UsageErrorf("name one file to write, or --to - for a pipe")
	}
	var size int64
	name, messages := c.File+c.To, s.Out
	if c.To == "-" {
		name, messages = "standard output", s.Err
		size, err = backupToPipe(ctx, dir, s)
	} else if err = store.BackupDir(ctx, dir, name); err == nil {
		var info os.FileInfo
		if info, err = os.Stat(name); err == nil {
			size = info.Size()
		}
	}
	if err != nil {
		return err
	}
	if err := app.NoteBackup(dir, time.Now()); err != nil {
		fmt.Fprintf(s.Err, "the backup is good, but could not be noted for the page of administration: %v\n", err)
	}
	fmt.Fprintf(messages, "%s: %.1f MiB in %.1f s. %s\n", name, float64(size)/(1<<20), time.Since(began).Seconds(), secret)
	return nil
}

// backupToPipe writes the backup to standard output, unchanged.
func backupToPipe(ctx context.Context, dir string, s streams) (size int64, err error) {
	out, screen := s.Out, (*terminal.Screen)(nil)
	if screen, _ = s.Out.(*terminal.Screen); screen != nil {
		if screen.Terminal() != nil {
			return 0, app.UsageErrorf("a backup is no text for a terminal: pipe it into another program, or name a file")
		}
		out = screen.Raw()
	}
	signal.Ignore(syscall.SIGPIPE) // a pipe that breaks is an error like others
	if size, err = store.BackupTo(ctx, dir, out); err != nil && size > 0 {
		err = fmt.Errorf("what was written to the pipe is no whole backup: %w", err)
	}
	return size, err
}

// backupDrillCmd restores the newest backup as a trial.
type backupDrillCmd struct {
	storage      `embed:""`
	backupFolder `embed:""`
}

// Run restores the backup into a folder beside it, checks it, and takes the folder away.
func (c backupDrillCmd) Run(ctx context.Context, s streams) error {
	dir, err := c.folder("pg_restore into an empty database, and quatuor check on that")
	if err != nil {
		return err
	}
	last, err := c.keeper(ctx, dir).Drill(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s\n%s can be restored\n", last.Text, last.Copy)
	return nil
}

// restoreCmd puts a backup in the place of the database.
type restoreCmd struct {
	storage      `embed:""`
	backupFolder `embed:""`

	File  string `arg:"" optional:"" help:"Backup to restore; - reads it from standard input." type:"existingfile"`
	Force bool   `help:"Replace an installation; its database is kept in a folder beside."`
	List  bool   `help:"List the backups in the service's folder instead."`
}

// Run checks the backup and restores it. The service must not be running on the folder.
func (c restoreCmd) Run(ctx context.Context, s streams) error {
	dir, err := c.folder("pg_restore")
	if err != nil {
		return err
	}
	switch {
	case c.List:
		return c.list(ctx, dir, s.Out)
	case c.File == "":
		return app.UsageErrorf("name the backup to restore; --list shows those of the service, and - reads a pipe")
	}
	var rules string
	kept, err := c.restore(ctx, dir, s.In, func(db *store.Store) (err error) {
		if rules, _, err = db.Ratings().Regulation(ctx); err != nil {
			return err
		}
		return app.CheckRestored(ctx, db, s)
	})
	if err != nil {
		if errors.Is(err, store.ErrOccupied) {
			return fmt.Errorf("%w; --force replaces it and keeps the old database beside", err)
		}
		return err
	}
	if kept != "" {
		fmt.Fprintf(s.Out, "the database that was there is in %s now\n", kept)
	}
	if rules != "" && !app.HasRatingsFile(dir) {
		if err := app.WriteRatingsFile(dir, rules); err != nil {
			return err
		}
		fmt.Fprintf(s.Out, "the rules of its ratings are in ratings.json in %s now\n", dir)
	}
	fmt.Fprintf(s.Out, "restored; start the service with: quatuor serve --data %s\n", dir)
	return nil
}

func (c restoreCmd) restore(ctx context.Context, dir string, in io.Reader, check func(*store.Store) error) (
	kept string, err error,
) {
	if c.File != "-" {
		return store.Restore(ctx, c.File, dir, c.Force, check)
	}
	err = interruptible(ctx, func() (err error) {
		kept, err = store.RestoreFrom(ctx, in, "the backup in the pipe", dir, c.Force, check)
		return err
	})
	return kept, err
}

// list prints the backups of the service, the newest first.
func (c restoreCmd) list(ctx context.Context, dir string, out io.Writer) error {
	keeper := c.keeper(ctx, dir)
	copies, err := keeper.Copies()
	if err != nil && (c.BackupDir != "" || !errors.Is(err, fs.ErrNotExist)) {
		return fmt.Errorf("the backups cannot be listed: %w", err)
	}
	for _, one := range copies {
		fmt.Fprintf(out, "%s  %8.1f MiB  %s\n", time.UnixMilli(one.At).Format("2006-01-02 15:04:05"),
			float64(one.Size)/(1<<20), filepath.Join(keeper.Dir, one.Name))
	}
	if len(copies) == 0 {
		fmt.Fprintf(out, "there is no backup in %s\n", keeper.Dir)
	}
	return nil
}
