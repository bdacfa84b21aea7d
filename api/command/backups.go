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
	// Start makes a backup in the background, unless a backup is being made.
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
	Running bool // a backup is being made
	Late    bool
	Last    int64 // the last backup, those made by the command line included
	Next    int64 // the next automatic backup
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

// ReadBackups returns the state of the backups.
var ReadBackups = onBackups("backups", func(c ClubCall, _ None) (BackupState, error) { return c.Backups.State(), nil })

// MakeBackup makes a backup in the background.
var MakeBackup = onBackups("make-backup", func(c ClubCall, _ None) (BackupState, error) {
	if err := c.AdminLog.LogBackup(c.Ctx, adminlog.BackupMade, ""); err != nil {
		return BackupState{}, err
	}
	c.Backups.Start()
	return c.Backups.State(), nil
})

// TakeBackup opens the backup of a name to be taken away, which is logged. The caller closes the file.
var TakeBackup = onBackups("take-backup", func(c ClubCall, name string) (*os.File, error) {
	f, err := c.Backups.Open(name)
	if err != nil {
		return nil, err
	}
	if err := c.AdminLog.LogBackup(c.Ctx, adminlog.BackupTaken, name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
})

func onBackups[In, Out any](name string, do func(ClubCall, In) (Out, error)) ClubAct[In, Out] {
	return ClubAct[In, Out]{Name: name, May: auth.ManageBackups, Do: func(c ClubCall, in In) (out Out, err error) {
		if c.Backups == nil {
			return out, ErrNoBackups
		}
		return do(c, in)
	}}
}

// BackupsLate reports whether the visitor gets a warning that there has been no backup for too long: organisers and
// admins do.
func (s *Service) BackupsLate(ctx context.Context) bool {
	who := auth.From(ctx)
	return s.Backups != nil && who.Can(who.Level(), auth.ListAccounts) && s.Backups.Late()
}

// maxClockApart is the largest difference between the games' time and the machine's clock without a warning.
const maxClockApart = time.Hour

// ClockApart reports whether the visitor gets a warning that the clocks of games go by a wrong time, because the machine's
// clock was wrong: organisers and admins do.
func (s *Service) ClockApart(ctx context.Context) bool {
	who := auth.From(ctx)
	return s.Tables != nil && who.Can(who.Level(), auth.ListAccounts) && s.Tables.Ahead().Abs() > maxClockApart
}

// AdminLog logs what admins do with backups.
type AdminLog interface {
	// LogBackup adds an entry about a backup, by its name; "" for a backup that is not made yet.
	LogBackup(ctx context.Context, kind adminlog.Kind, name string) error
}
