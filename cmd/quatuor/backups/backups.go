// Package backups makes backups of a SQLite database while it is served: each night, when the club is asleep, and on
// request. It keeps some of them, runs the operator's command on each, and restores a backup a month as a trial.
package backups

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"quatuor/api/command"
)

// Config configures a Keeper. Copy, Check, Source and State are required.
type Config struct {
	Dir     string // folder of the backups
	MakeDir bool   // it is made if it is missing; a folder of the operator's choice may be on a disk that is not mounted
	At      Moment
	Daily   int    // days with a backup to keep, at least 1
	Weekly  int    // weeks with a backup to keep
	Command string // for the system's shell, with the backup's path in QUATUOR_BACKUP_FILE; "" for none

	Source string // the database file
	State  string // file with the notes of failures and drills
	Note   func(time.Time) error
	Noted  func() time.Time // the last backup by any command; the zero time for none

	// Copy writes a backup of the database to a new file, whole or not at all.
	Copy func(ctx context.Context, path string) error
	// Check restores a backup into a folder and returns the findings.
	Check func(ctx context.Context, backup, folder string) (found string, err error)
	// RemoveAbandoned removes the remains of interrupted copies in a folder.
	RemoveAbandoned func(dir string) error
	Free            func(dir string) int64 // bytes on a folder's disk; 0 where that is not known
	Zone            func(context.Context) *time.Location
	Busy            func(context.Context) bool // a backup should rather wait

	Now      func() time.Time // the wall clock, which may jump
	Limit    time.Duration    // of a copy, and of the command; 0 for an hour
	Interval time.Duration    // between two looks at the clock; 0 for a minute
	Logger   *slog.Logger
}

// Keeper makes and keeps backups. It is safe for concurrent use.
type Keeper struct {
	Config
	ending context.Context //nolint:containedctx // ends the work in the background
	begun  time.Time

	mu      sync.Mutex
	running bool
	done    sync.WaitGroup
}

// New returns a keeper; its work in the background ends with ctx.
func New(ctx context.Context, c Config) *Keeper {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Limit == 0 {
		c.Limit = time.Hour
	}
	if c.Interval == 0 {
		c.Interval = time.Minute
	}
	return &Keeper{Config: c, ending: ctx, begun: time.Now()}
}

const (
	// settleTime is the delay after a start before an overdue backup is made up for: a start has more urgent work.
	settleTime = 15 * time.Minute
	// busyTime is the longest wait of a backup for the end of a rated round.
	busyTime = 3 * time.Hour
	// retryTime is the delay of the next attempt after a failure.
	retryTime = time.Hour
	// The end of the service makes a backup if the newest is older than lastAge or, without any, if the service ran for
	// minService. It has lastLimit for that, since systemd waits for 30 s.
	lastAge    = 24 * time.Hour
	minService = time.Minute
	lastLimit  = 15 * time.Second
	// drillInterval is the time between restorations as a trial.
	drillInterval = 30 * 24 * time.Hour
	// lateTime is the age of the last backup that organisers are warned of.
	lateTime = 36 * time.Hour
	// spareRoom is the number of bytes that a backup leaves free: a full disk suspends all games.
	spareRoom = 64 << 20
)

// Run makes a backup at each due time, until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	if err := k.clean(); err != nil {
		k.Logger.Warn("what interrupted backups have left could not be removed", "error", err)
	}
	defer k.done.Wait()
	ticker := time.NewTicker(k.Interval)
	defer ticker.Stop()
	next, since := time.Now().Add(settleTime), time.Time{} // by the monotonic clock
	for {
		select {
		case <-ctx.Done():
			k.makeLast(ctx)
			return
		case <-ticker.C:
		}
		switch {
		case time.Now().Before(next) || !k.due(ctx):
			continue
		case since.IsZero():
			since = time.Now()
		}
		if k.Busy(ctx) && time.Since(since) < busyTime {
			continue
		}
		since = time.Time{}
		if k.claim() {
			k.make(ctx, false)
			next = time.Now().Add(retryTime)
		}
	}
}

// makeLast makes a backup at the end of the service if there has been none for a day: a machine that is off at night,
// with rated rounds in the evening, may have no better moment. It takes no longer than the system waits.
func (k *Keeper) makeLast(ctx context.Context) {
	if !k.dueAtEnd() || !k.claim() {
		return
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), lastLimit, errSlow)
	defer cancel()
	k.make(ctx, true)
}

// dueAtEnd reports whether the last backup is a day old, or there is none after more than a moment of service.
func (k *Keeper) dueAtEnd() bool {
	now := k.Now()
	newest, found := k.newest(now)
	switch {
	case k.At.Off:
		return false
	case found:
		return now.Sub(time.UnixMilli(newest.At)) >= lastAge
	}
	return time.Since(k.begun) >= minService
}

// due reports whether the latest time of a backup has passed without it. Backups from the future, which a wrong clock
// has made, do not count.
func (k *Keeper) due(ctx context.Context) bool {
	if k.At.Off {
		return false
	}
	now := k.Now()
	newest, _ := k.newest(now)
	return newest.At < k.At.before(now.In(k.Zone(ctx))).UnixMilli()
}

// newest returns the newest backup that is not from the future.
func (k *Keeper) newest(now time.Time) (newest command.BackupCopy, found bool) {
	copies, _ := k.Copies() // a missing folder has none; make reports it
	for _, c := range copies {
		if c.At <= now.UnixMilli() {
			return c, true
		}
	}
	return newest, false
}

// Start makes a backup in the background, unless another is under way.
func (k *Keeper) Start() {
	if k.claim() {
		k.done.Go(func() { k.make(k.ending, false) })
	}
}

// Wait waits for the work that Start has begun.
func (k *Keeper) Wait() { k.done.Wait() }

func (k *Keeper) claim() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.running {
		return false
	}
	k.running = true
	return true
}

// make makes a backup, deletes those that are not kept, and runs the command; a drill follows if it is time, unless the
// service ends. Failures are noted for the page and logged, in a line each. Nothing is deleted unless the new backup is
// there.
func (k *Keeper) make(ctx context.Context, ending bool) {
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.running = false
	}()
	began := time.Now()
	path, err := k.copy(ctx)
	if err == nil {
		k.Logger.Info("backup made", "file", path, "took", time.Since(began).Round(time.Millisecond).String())
		err = errors.Join(k.deleteSurplus(ctx), k.runCommand(ctx, path))
	}
	if ctx.Err() != nil {
		return // the service ends; a missing backup is made up for
	}
	if err != nil {
		k.Logger.Warn("the backup failed", "file", path, "error", oneLine(err))
	}
	k.note(func(s *noted) { s.Failure = failureOf(err, k.Now()) })
	if !ending && k.drillDue() {
		_ = k.drill(ctx) // noted and logged
	}
}

// copy makes a backup and returns its path.
func (k *Keeper) copy(ctx context.Context) (path string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, k.Limit, errSlow)
	defer cancel()
	now := k.Now()
	path = filepath.Join(k.Dir, nameOf(now))
	if err := k.prepare(); err != nil {
		return path, err
	}
	if err := k.Copy(ctx, path); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return path, err
	}
	return path, k.Note(now)
}

// prepare demands the folder and room for a backup in it.
func (k *Keeper) prepare() error {
	if k.MakeDir {
		if err := os.Mkdir(k.Dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w: %w", errFolder, err)
		}
	}
	if info, err := os.Stat(k.Dir); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: %s", errFolder, k.Dir)
	}
	free, need := k.Free(k.Dir), sizeOf(k.Source)+sizeOf(k.Source+"-wal")+spareRoom
	if free != 0 && free < need {
		return fmt.Errorf("%w: %d MiB are free in %s, and %d are needed", errFull, free>>20, k.Dir, need>>20)
	}
	return nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// deleteSurplus deletes the backups that are not to be kept.
func (k *Keeper) deleteSurplus(ctx context.Context) error {
	copies, err := k.Copies()
	for _, c := range surplus(copies, k.Now(), k.Zone(ctx), k.Daily, k.Weekly) {
		err = errors.Join(err, os.Remove(filepath.Join(k.Dir, c.Name)))
	}
	return err
}

// surplus returns the backups, the newest first, that are the last neither of a day nor of a week to keep. It counts
// days and weeks with a backup, not days that have passed, so that no jump of the clock makes good backups old. Backups
// from the future are neither counted nor deleted.
func surplus(copies []command.BackupCopy, now time.Time, zone *time.Location, daily, weekly int) (
	gone []command.BackupCopy,
) {
	days, weeks := map[string]bool{}, map[[2]int]bool{}
	for _, c := range copies {
		at := time.UnixMilli(c.At).In(zone)
		if at.After(now) {
			continue
		}
		day := at.Format(time.DateOnly)
		year, number := at.ISOWeek()
		week, kept := [2]int{year, number}, false
		if !days[day] && len(days) < daily {
			days[day], kept = true, true
		}
		if !weeks[week] && len(weeks) < weekly {
			weeks[week], kept = true, true
		}
		if !kept {
			gone = append(gone, c)
		}
	}
	return gone
}

// Names of backups are the prefix, the time of the copy in UTC, and the suffix.
const (
	namePrefix, nameSuffix = "quatuor-", ".db"
	nameTime               = "20060102T150405.000Z"
)

func nameOf(at time.Time) string { return namePrefix + at.UTC().Format(nameTime) + nameSuffix }

// timeOf returns the time in the name of a backup.
func timeOf(name string) (at time.Time, ok bool) {
	text, hasPrefix := strings.CutPrefix(name, namePrefix)
	text, hasSuffix := strings.CutSuffix(text, nameSuffix)
	at, err := time.Parse(nameTime, text)
	return at, hasPrefix && hasSuffix && err == nil
}

// Copies lists the backups in the folder, the newest first. Other files are left out.
func (k *Keeper) Copies() ([]command.BackupCopy, error) { return List(k.Dir) }

// List lists the backups in a folder, the newest first.
func List(dir string) (copies []command.BackupCopy, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		at, ok := timeOf(e.Name())
		if info, err := e.Info(); ok && err == nil && info.Mode().IsRegular() {
			copies = append(copies, command.BackupCopy{Name: e.Name(), At: at.UnixMilli(), Size: info.Size()})
		}
	}
	slices.Reverse(copies) // the names sort by time
	return copies, nil
}

// Open opens a backup by its name.
func (k *Keeper) Open(name string) (*os.File, error) {
	if _, ok := timeOf(name); !ok {
		return nil, command.ErrBackupNotFound
	}
	f, err := os.OpenInRoot(k.Dir, name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", command.ErrBackupNotFound, err)
	}
	return f, nil
}

// clean removes the remains of interrupted backups and drills.
func (k *Keeper) clean() error {
	left, err := filepath.Glob(filepath.Join(k.Dir, drillPrefix+"*"))
	for _, folder := range left {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	if _, missing := os.Stat(k.Dir); missing != nil {
		return err
	}
	return errors.Join(err, k.RemoveAbandoned(k.Dir))
}
