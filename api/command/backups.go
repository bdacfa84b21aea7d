package command

import (
	"context"
	"errors"
	"os"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/adminlog"
)

// ErrNoBackups is returned where copies of the database are left to its own tools.
var ErrNoBackups = errors.New("the service makes no backups of PostgreSQL: use pg_dump, or archive its write-ahead log")

// ErrBackupNotFound is returned for a backup that is not in the folder.
var ErrBackupNotFound = errors.New("there is no such backup")

// BackupType is the media type of a backup.
const BackupType = "application/vnd.sqlite3"

// Backups makes and keeps backups; *backups.Keeper is it.
type Backups interface {
	State() BackupState
	// Start makes a backup in the background, unless one is being made.
	Start()
	// Open opens a backup by its name; ErrBackupNotFound for any name that Copies does not have.
	Open(name string) (*os.File, error)
	// Late reports whether there has been no backup for so long that the organisers should know.
	Late() bool
}

// BackupState is a snapshot of the backups. Times are in ms UTC, 0 for never.
type BackupState struct {
	Folder  string
	Off     bool // none are made by themselves
	Running bool // one is being made
	Late    bool
	Last    int64 // the last backup, those made by the command line included
	Next    int64 // when one is made by itself
	Copies  []BackupCopy
	Failure *BackupFailure // of the last attempt; nil if it went well
	Drill   *BackupDrill   // the last; nil for none
}

// BackupCopy is a backup in the folder.
type BackupCopy struct {
	Name string
	At   int64
	Size int64 // bytes
}

// BackupFailure is why the last backup was not made, or not taken away.
type BackupFailure struct {
	At     int64
	Kind   string // "folder", "full", "command", "slow" or "unknown"
	Detail string // in one line
}

// BackupDrill is the last trial restoration of a backup.
type BackupDrill struct {
	At   int64
	Copy string
	Good bool
	Text string // what was found
}

// BackupState returns the state of the backups. Only admins may read it.
func (s *Service) BackupState(ctx context.Context) (BackupState, error) {
	if err := s.mayBackUp(ctx); err != nil {
		return BackupState{}, err
	}
	return s.Backups.State(), nil
}

// MakeBackup makes a backup in the background.
func (s *Service) MakeBackup(ctx context.Context) (BackupState, error) {
	if err := s.mayBackUp(ctx); err != nil {
		return BackupState{}, err
	}
	if err := s.AdminLog.LogBackup(ctx, adminlog.BackupMade, ""); err != nil {
		return BackupState{}, err
	}
	s.Backups.Start()
	return s.Backups.State(), nil
}

// OpenBackup opens a backup to be taken away, which is logged. The caller closes the file.
func (s *Service) OpenBackup(ctx context.Context, name string) (*os.File, error) {
	if err := s.mayBackUp(ctx); err != nil {
		return nil, err
	}
	f, err := s.Backups.Open(name)
	if err != nil {
		return nil, err
	}
	if err := s.AdminLog.LogBackup(ctx, adminlog.BackupTaken, name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (s *Service) mayBackUp(ctx context.Context) error {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ManageBackups); err != nil {
		return err
	}
	if s.Backups == nil {
		return ErrNoBackups
	}
	return nil
}

// BackupsLate reports whether the visitor should be told that there has been no backup for too long: organisers and
// admins are.
func (s *Service) BackupsLate(ctx context.Context) bool {
	who := auth.From(ctx)
	return s.Backups != nil && who.Can(who.Level(), auth.ListAccounts) && s.Backups.Late()
}

// maxClockApart is the difference between the games' time and the machine's clock that organisers and admins are told of.
const maxClockApart = time.Hour

// ClockApart reports whether the visitor should be told that the clocks of games go by a time which is wrong, because the
// machine's clock was: organisers and admins are.
func (s *Service) ClockApart(ctx context.Context) bool {
	who := auth.From(ctx)
	return s.Tables != nil && who.Can(who.Level(), auth.ListAccounts) && s.Tables.Ahead().Abs() > maxClockApart
}

// AdminLog logs what admins do with backups.
type AdminLog interface {
	// LogBackup adds an entry about a backup, by its name; "" for one that is not made yet.
	LogBackup(ctx context.Context, kind adminlog.Kind, name string) error
}
