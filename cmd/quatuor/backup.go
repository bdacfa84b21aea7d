package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/store"
)

// backupCmd copies the database to a file while the service goes on.
type backupCmd struct {
	storage `embed:""`

	File string `arg:"" help:"File to write; it must be new." type:"path"`
}

// Run writes the backup. The service may be running on the same folder.
func (c backupCmd) Run(ctx context.Context, s streams) error {
	began := time.Now()
	dir, err := c.folder("pg_dump")
	if err != nil {
		return err
	}
	if err := store.BackupDir(ctx, dir, c.File); err != nil {
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	if err := app.NoteBackup(dir, time.Now()); err != nil {
		fmt.Fprintf(s.Err, "the backup is good, but could not be noted for the page of administration: %v\n", err)
	}
	fmt.Fprintf(s.Out, "%s: %.1f MiB in %.1f s. It holds password hashes and the seeds of running games; keep it safe.\n",
		c.File, float64(info.Size())/(1<<20), time.Since(began).Seconds())
	if app.HasRatingsFile(dir) {
		fmt.Fprintln(s.Out, "ratings.json is not in it; keep a copy of that beside it")
	}
	return nil
}

// restoreCmd puts a backup in the place of the database.
type restoreCmd struct {
	storage `embed:""`

	File  string `arg:"" help:"Backup to restore." type:"existingfile"`
	Force bool   `help:"Replace an installation; its database is kept in a folder beside."`
}

// Run checks the backup and restores it. The service must not be running on the folder.
func (c restoreCmd) Run(ctx context.Context, s streams) error {
	dir, err := c.folder("pg_restore")
	if err != nil {
		return err
	}
	var rules string
	kept, err := store.Restore(ctx, c.File, dir, c.Force, func(db *store.Store) (err error) {
		if rules, _, err = db.Ratings().Regulation(ctx); err != nil {
			return err
		}
		return app.Check(ctx, app.Storage{}, db, s)
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
		fmt.Fprintf(s.Out, "its ratings follow a ratings.json, which is not here; put it into %s, or write one with these "+
			"rules, before the start:\n%s\n", dir, rules)
	}
	fmt.Fprintf(s.Out, "restored; start the service with: quatuor serve --data %s\n", dir)
	return nil
}
