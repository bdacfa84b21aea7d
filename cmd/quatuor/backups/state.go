package backups

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"quatuor/api/command"
)

// Why backups fail, as far as the page has words for it.
var (
	errFolder      = errors.New("the folder for backups is not there")
	errFull        = errors.New("the disk is too full")
	errSlow        = errors.New("the copy took too long and was given up")
	errCommand     = errors.New("the command for backups failed")
	errCommandSlow = errors.New("the command for backups took too long and was ended")
)

// failureOf returns a failure to be noted, nil for none.
func failureOf(err error, at time.Time) *command.BackupFailure {
	if err == nil {
		return nil
	}
	f := &command.BackupFailure{At: at.UnixMilli(), Kind: "unknown", Detail: oneLine(err)}
	switch {
	case errors.Is(err, errFolder):
		f.Kind = "folder"
	case errors.Is(err, errFull) || errors.Is(err, syscall.ENOSPC) || strings.Contains(f.Detail, "disk is full"):
		f.Kind = "full" // SQLite has an error of its own for it
	case errors.Is(err, errSlow) || errors.Is(err, errCommandSlow):
		f.Kind = "slow"
	case errors.Is(err, errCommand):
		f.Kind = "command"
	}
	return f
}

// oneLine returns an error in a single line, cut.
func oneLine(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	return strings.ToValidUTF8(text[:min(len(text), maxDetail)], "")
}

// noted records failures and drills in a file in the data folder: a database cannot record the failure of its own
// backups.
type noted struct {
	Failure *command.BackupFailure `json:"failure,omitempty"`
	Drill   *command.BackupDrill   `json:"drill,omitempty"`
}

// readNoted reads the file. A missing or damaged file counts as empty.
func (k *Keeper) readNoted() (s noted) {
	if text, err := os.ReadFile(k.Config.State); err == nil && json.Unmarshal(text, &s) != nil {
		return noted{}
	}
	return s
}

// note changes the file atomically.
func (k *Keeper) note(change func(*noted)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.readNoted()
	change(&s)
	text, err := json.Marshal(s)
	if err == nil {
		err = replaceFile(k.Config.State, append(text, '\n'))
	}
	if err != nil {
		k.Logger.Warn("how the backup went could not be noted", "error", oneLine(err))
	}
}

func replaceFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".backups-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// State returns a snapshot. The folder is read each time: the command line works on it too.
func (k *Keeper) State() command.BackupState {
	now := k.Now()
	k.mu.Lock()
	s := command.BackupState{Folder: k.Dir, Off: k.At.Off, Running: k.running}
	stored := k.readNoted()
	k.mu.Unlock()
	s.Failure, s.Drill = stored.Failure, stored.Drill
	s.Copies, _ = k.Copies() // a missing folder has none, and the next attempt reports it
	s.Last, s.Late = k.last(now), k.late(now, stored.Failure != nil)
	if !s.Off {
		s.Next = k.At.after(now.In(k.Zone(k.ending))).UnixMilli()
	}
	return s
}

// last returns when the last backup was made, in ms UTC; 0 for never.
func (k *Keeper) last(now time.Time) int64 {
	newest, _ := k.newest(now)
	if at := k.Noted(); !at.IsZero() && !at.After(now) {
		return max(newest.At, at.UnixMilli())
	}
	return newest.At
}

// Late reports whether there has been no backup for 36 hours. Where the operator has switched them off, and never made
// any, backups are another program's.
func (k *Keeper) Late() bool { return k.late(k.Now(), k.readNoted().Failure != nil) }

func (k *Keeper) late(now time.Time, failed bool) bool {
	last := k.last(now)
	if last == 0 {
		return !k.At.Off && (failed || time.Since(k.begun) > lateTime)
	}
	return now.Sub(time.UnixMilli(last)) > lateTime
}

// DrillAge returns the age of the last drill; ok is false where there was none.
func (k *Keeper) DrillAge() (age time.Duration, ok bool) {
	last := k.readNoted().Drill
	if last == nil {
		return 0, false
	}
	return max(0, k.Now().Sub(time.UnixMilli(last.At))), true
}

// DrillFailed reports whether the last drill has found something.
func (k *Keeper) DrillFailed() bool {
	last := k.readNoted().Drill
	return last != nil && !last.Good
}

// Age returns the age of the last backup; ok is false where there is none.
func (k *Keeper) Age() (age time.Duration, ok bool) {
	now := k.Now()
	last := k.last(now)
	return max(0, now.Sub(time.UnixMilli(last))), last != 0
}

// Moment is the time of day for backups.
type Moment struct {
	Off          bool // none are made by themselves
	Hour, Minute int
}

// UnmarshalText reads "HH:MM", or "off".
func (m *Moment) UnmarshalText(text []byte) error {
	if string(text) == "off" {
		*m = Moment{Off: true}
		return nil
	}
	at, err := time.Parse("15:04", string(text))
	if err != nil {
		return fmt.Errorf("write a time of day such as 04:00, or off, not %q", text)
	}
	*m = Moment{Hour: at.Hour(), Minute: at.Minute()}
	return nil
}

// before returns the last moment at that time of day that is not after now, in the zone of now.
func (m Moment) before(now time.Time) time.Time {
	at := m.on(now)
	if at.After(now) {
		at = m.on(now.AddDate(0, 0, -1))
	}
	return at
}

// after returns the moment's next time.
func (m Moment) after(now time.Time) time.Time {
	at := m.on(now)
	if !at.After(now) {
		at = m.on(now.AddDate(0, 0, 1))
	}
	return at
}

// on returns the moment on the day of a time. A moment that daylight saving time leaves out is moved by an hour.
func (m Moment) on(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), m.Hour, m.Minute, 0, 0, day.Location())
}
