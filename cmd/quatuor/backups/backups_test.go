package backups

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/api/command"
)

// hall is a keeper on a folder, with a clock that a test sets and a line of text as its database.
type hall struct {
	*Keeper
	log   *bytes.Buffer
	clock func() time.Time
	busy  bool
	free  int64
	noted time.Time
}

func newHall(t *testing.T, adapt func(*Config)) *hall {
	t.Helper()
	dir := t.TempDir()
	h := &hall{log: &bytes.Buffer{}, clock: time.Now}
	c := Config{
		Dir: filepath.Join(dir, "backups"), MakeDir: true, At: Moment{Hour: 4}, Daily: 7, Weekly: 4,
		Source: filepath.Join(dir, "database"), State: filepath.Join(dir, "backups.json"),
		Note: func(at time.Time) error { h.noted = at; return nil }, Noted: func() time.Time { return h.noted },
		Copy: func(_ context.Context, path string) error { return os.WriteFile(path, []byte("whole"), 0o600) },
		Check: func(_ context.Context, backup, _ string) (string, error) {
			if text, err := os.ReadFile(backup); err != nil || string(text) != "whole" {
				return "1 game with another result", errors.Join(err, errors.New("things are not as they should be"))
			}
			return "everything is as it should be", nil
		},
		RemoveAbandoned: func(string) error { return nil },
		Free:            func(string) int64 { return h.free },
		Zone:            func(context.Context) *time.Location { return time.UTC },
		Busy:            func(context.Context) bool { return h.busy },
		Now:             func() time.Time { return h.clock() },
		Logger:          slog.New(slog.NewTextHandler(h.log, nil)),
	}
	if adapt != nil {
		adapt(&c)
	}
	h.Keeper = New(t.Context(), c)
	return h
}

// now makes a backup and waits for it.
func (h *hall) now() command.BackupState {
	h.Start()
	h.Wait()
	return h.State()
}

func (h *hall) names(t *testing.T) (names []string) {
	t.Helper()
	copies, err := h.Copies()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range copies {
		names = append(names, c.Name)
	}
	return names
}

// wantFailure demands a single failure of a kind, in a line of the page and of the log, and that the next backup is
// made all the same.
func (h *hall) wantFailure(t *testing.T, s command.BackupState, kind string, mend func()) {
	t.Helper()
	if s.Failure == nil || s.Failure.Kind != kind || s.Failure.Detail == "" || strings.Contains(s.Failure.Detail, "\n") {
		t.Fatalf("the failure is %+v, want one line of kind %s", s.Failure, kind)
	}
	if n := strings.Count(h.log.String(), "the backup failed"); n != 1 {
		t.Errorf("the log has %d lines about it:\n%s", n, h.log)
	}
	before := s.Last
	mend()
	if s = h.now(); s.Failure != nil || len(s.Copies) != 1 || s.Copies[0].At <= before {
		t.Errorf("after that %+v, failure %+v", s.Copies, s.Failure)
	}
}

// TestEveryNight runs for some weeks: there is a backup at four each night, and the last seven days and four weeks keep
// theirs.
func TestEveryNight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, func(c *Config) { c.Interval = 5 * time.Minute })
		ctx, stop := context.WithCancel(t.Context())
		go h.Run(ctx)
		time.Sleep(40 * 24 * time.Hour)
		stop()
		synctest.Wait()
		names := h.names(t)
		if len(names) != 9 { // seven days, which cover two of the four weeks
			t.Fatalf("%d backups: %v", len(names), names)
		}
		for _, name := range names[:7] {
			if at, _ := timeOf(name); at.Hour() != 4 || at.Minute() > 5 {
				t.Errorf("%s was not made at four", name)
			}
		}
		if s := h.State(); s.Late || s.Drill == nil || !s.Drill.Good {
			t.Errorf("late %v, drill %+v", s.Late, s.Drill)
		}
		if n := strings.Count(h.log.String(), "restored as a trial and is good"); n != 2 {
			t.Errorf("%d drills in forty days", n)
		}
	})
}

// TestALaptopThatSleepsAtNight is on for two hours each evening, and has a backup of each.
func TestALaptopThatSleepsAtNight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, nil)
		time.Sleep(19 * time.Hour)
		for evening := range 3 {
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Hour)
			h.Run(ctx)
			stop()
			if names := h.names(t); len(names) != evening+1 {
				t.Errorf("after evening %d: %v", evening, names)
			}
			time.Sleep(22 * time.Hour)
		}
	})
}

// TestABackupAtTheEnd runs on a laptop that sleeps at four, when backups are due, and has rated rounds as long as it is
// on: it has a backup of every evening, made at the end.
func TestABackupAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		name     string
		on       time.Duration // each evening
		off      bool          // backups are switched off
		evenings []int         // backups after each
	}{
		{"two hours of rated rounds", 2 * time.Hour, false, []int{1, 2, 3}},
		{"ten minutes", 10 * time.Minute, false, []int{1, 2, 3}},
		{"no moment", time.Second, false, []int{0, 0, 0}},
		{"backups by another program", 2 * time.Hour, true, []int{0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHall(t, func(config *Config) { config.At.Off = c.off })
				h.busy = true
				time.Sleep(19 * time.Hour)
				for evening, want := range c.evenings {
					h.Keeper = New(t.Context(), h.Config)
					ctx, stop := context.WithTimeout(t.Context(), c.on)
					h.Run(ctx)
					stop()
					if copies, _ := h.Copies(); len(copies) != want {
						t.Errorf("after evening %d there are %d backups, want %d", evening, len(copies), want)
					}
					time.Sleep(24*time.Hour - c.on)
				}
			})
		})
	}
}

// TestNoSecondBackupAtTheEnd ends a service that has made its backup within a day, by a clock that is right or has jumped
// back: then the newest is from the future, and does not count.
func TestNoSecondBackupAtTheEnd(t *testing.T) {
	for jump, want := range map[time.Duration]int{0: 1, 23 * time.Hour: 1, 25 * time.Hour: 2, -time.Hour: 2} {
		synctest.Test(t, func(t *testing.T) {
			h := newHall(t, nil)
			h.busy = true
			h.now()
			h.clock = func() time.Time { return time.Now().Add(jump) }
			ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
			defer stop()
			h.Run(ctx)
			if names := h.names(t); len(names) != want {
				t.Errorf("the clock jumped by %s: %v, want %d", jump, names, want)
			}
		})
	}
}

// TestALastBackupThatHangs is given up before the system kills the service, and leaves nothing.
func TestALastBackupThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, func(c *Config) {
			c.Copy = func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }
		})
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
		defer stop()
		h.Run(ctx)
		if took := time.Since(h.begun); took != 5*time.Minute+lastLimit {
			t.Errorf("it ended after %s", took)
		}
	})
}

// TestAgesAreNotNegative reads the ages after the clock was set back.
func TestAgesAreNotNegative(t *testing.T) {
	h := newHall(t, nil)
	h.now()
	if _, err := h.Drill(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.clock = func() time.Time { return time.Now().Add(-3 * time.Hour) }
	if age, ok := h.DrillAge(); age != 0 || !ok {
		t.Errorf("the drill was %s ago, %v", age, ok)
	}
	if age, ok := h.Age(); age < 0 || ok {
		t.Errorf("the newest backup was %s ago, %v", age, ok)
	}
}

// TestARatedRoundGoesFirst: a backup waits for the end of a rated round, but not for ever.
func TestARatedRoundGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, nil)
		h.busy = true
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait() // for the backup that the end may make
		defer stop()
		go h.Run(ctx)
		time.Sleep(2 * time.Hour)
		if _, err := h.Copies(); err == nil {
			t.Error("a backup was made during a round")
		}
		time.Sleep(2 * time.Hour)
		if names := h.names(t); len(names) != 1 {
			t.Errorf("after four hours of the round: %v", names)
		}
	})
}

func TestOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, func(c *Config) { c.At.Off = true })
		ctx, stop := context.WithTimeout(t.Context(), 72*time.Hour)
		defer stop()
		h.Run(ctx)
		if s := h.State(); len(s.Copies) != 0 || s.Late || s.Next != 0 {
			t.Errorf("%+v", s)
		}
		if s := h.now(); len(s.Copies) != 1 {
			t.Errorf("on request: %+v", s)
		}
	})
}

// TestAClockThatLies: the clock jumps years back and ahead, as where a battery is empty, and no good backup goes.
func TestAClockThatLies(t *testing.T) {
	h := newHall(t, nil)
	day := time.Date(2026, 11, 1, 4, 0, 0, 0, time.UTC)
	h.clock = func() time.Time { return day }
	for range 7 {
		h.now()
		day = day.AddDate(0, 0, 1)
	}
	good := h.names(t)
	for _, jump := range []time.Time{
		time.Date(1970, 1, 1, 4, 0, 0, 0, time.UTC), time.Date(2026, 11, 1, 4, 0, 0, 0, time.UTC),
	} {
		day = jump
		for range 12 {
			day = day.Add(time.Minute)
			if s := h.now(); s.Failure != nil {
				t.Fatal(s.Failure)
			}
		}
		names := h.names(t)
		for _, name := range good[:6] { // the seventh shares its day with those of the second jump
			if !slices.Contains(names, name) {
				t.Errorf("with the clock at %s %s was deleted", day, name)
			}
		}
	}
	day = time.Date(2040, 1, 1, 4, 0, 0, 0, time.UTC)
	if h.now(); len(h.names(t)) < 7 {
		t.Errorf("one night in 2040 leaves %v", h.names(t))
	}
	day = time.Date(2026, 11, 9, 4, 0, 0, 0, time.UTC)
	s := h.now()
	if !slices.Contains(h.names(t), nameOf(day)) || s.Late {
		t.Errorf("once the clock is right: %v, late %v", h.names(t), s.Late)
	}
	if age, ok := h.Age(); !ok || age != 0 {
		t.Errorf("the age is %v, %v", age, ok)
	}
}

// TestSurplus: what is kept of a year with a backup each night.
func TestSurplus(t *testing.T) {
	var copies []command.BackupCopy
	now := time.Date(2026, 11, 25, 4, 0, 0, 0, time.UTC) // a Wednesday
	for n := range 365 {
		at := now.AddDate(0, 0, -n)
		copies = append(copies, command.BackupCopy{Name: nameOf(at), At: at.UnixMilli()})
	}
	gone := surplus(copies, now, time.UTC, 7, 4)
	var kept []string
	for _, c := range copies {
		if !slices.Contains(gone, c) {
			kept = append(kept, time.UnixMilli(c.At).UTC().Format("01-02"))
		}
	}
	want := []string{"11-25", "11-24", "11-23", "11-22", "11-21", "11-20", "11-19", "11-15", "11-08"}
	if !slices.Equal(kept, want) {
		t.Errorf("kept %v, want %v", kept, want)
	}
}

func TestTheFolderIsGone(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "stick")
	h := newHall(t, func(c *Config) { c.Dir, c.MakeDir = disk, false })
	h.wantFailure(t, h.now(), "folder", func() {
		if err := os.Mkdir(disk, 0o700); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAFullDisk: no backup is begun that would fill the disk, and a backup that does is a failure.
func TestAFullDisk(t *testing.T) {
	h := newHall(t, nil)
	h.free = 1 << 20
	h.wantFailure(t, h.now(), "full", func() { h.free = 0 })
	full := true
	h = newHall(t, func(c *Config) {
		copied := c.Copy
		c.Copy = func(ctx context.Context, path string) error {
			if full {
				return &os.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
			}
			return copied(ctx, path)
		}
	})
	h.wantFailure(t, h.now(), "full", func() { full = false })
}

func TestACopyThatHangs(t *testing.T) {
	hang := true
	h := newHall(t, func(c *Config) {
		copied := c.Copy
		c.Limit = 10 * time.Millisecond
		c.Copy = func(ctx context.Context, path string) error {
			if hang {
				<-ctx.Done()
				return ctx.Err()
			}
			return copied(ctx, path)
		}
	})
	h.wantFailure(t, h.now(), "slow", func() { hang, h.Limit = false, time.Minute })
}

func needShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
}

func TestTheCommand(t *testing.T) {
	needShell(t)
	away := t.TempDir()
	h := newHall(t, func(c *Config) { c.Command = `cp "$QUATUOR_BACKUP_FILE" ` + away })
	s := h.now()
	if s.Failure != nil || len(s.Copies) != 1 {
		t.Fatalf("%+v", s)
	}
	if text, err := os.ReadFile(filepath.Join(away, s.Copies[0].Name)); err != nil || string(text) != "whole" {
		t.Errorf("what was taken away is %q, %v", text, err)
	}
}

func TestACommandThatFails(t *testing.T) {
	needShell(t)
	h := newHall(t, func(c *Config) { c.Command = "echo first; echo no such host >&2; exit 3" })
	s := h.now()
	h.wantFailure(t, s, "command", func() { h.Command = "true" })
	if len(s.Copies) != 1 || !strings.Contains(s.Failure.Detail, "no such host") {
		t.Errorf("%d backups; %s", len(s.Copies), s.Failure.Detail)
	}
}

// TestACommandThatHangs is ended with what it has started, which holds its output open.
func TestACommandThatHangs(t *testing.T) {
	needShell(t)
	h := newHall(t, func(c *Config) {
		c.Limit, c.Command = 200*time.Millisecond, "sleep 1000 & sleep 1000"
	})
	began := time.Now()
	s := h.now()
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	h.wantFailure(t, s, "slow", func() { h.Command, h.Limit = "", time.Minute })
}

// TestADrillFindsADamagedBackup: the state reports the damage until the next drill.
func TestADrillFindsADamagedBackup(t *testing.T) {
	h := newHall(t, nil)
	if _, err := h.Drill(t.Context()); !errors.Is(err, ErrNoCopies) {
		t.Errorf("without a backup: %v", err)
	}
	s := h.now()
	if s.Drill == nil || !s.Drill.Good {
		t.Fatalf("the first backup was not tried: %+v", s.Drill)
	}
	newest := filepath.Join(h.Dir, s.Copies[0].Name)
	if err := os.WriteFile(newest, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	last, err := h.Drill(t.Context())
	if err == nil || last.Good || !strings.Contains(last.Text, "another result") || last.Copy != s.Copies[0].Name {
		t.Errorf("%+v, %v", last, err)
	}
	if s = h.State(); s.Drill.Good {
		t.Error("the page does not know")
	}
	if left, _ := filepath.Glob(filepath.Join(h.Dir, drillPrefix+"*")); len(left) != 0 {
		t.Errorf("the drill left %v", left)
	}
}

// TestLate: organisers are warned after a day and a half.
func TestLate(t *testing.T) {
	h := newHall(t, nil)
	h.now()
	made := time.Now()
	for after, want := range map[time.Duration]bool{35 * time.Hour: false, 37 * time.Hour: true} {
		h.clock = func() time.Time { return made.Add(after) }
		if h.Late() != want {
			t.Errorf("after %v it is late: %v", after, !want)
		}
	}
	h.noted = made.Add(36 * time.Hour)
	h.clock = func() time.Time { return made.Add(37 * time.Hour) }
	if h.Late() {
		t.Error("a backup by the command line does not count")
	}
}

// TestOpen: only what is listed can be opened.
func TestOpen(t *testing.T) {
	h := newHall(t, nil)
	s := h.now()
	if f, err := h.Open(s.Copies[0].Name); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	link := nameOf(time.UnixMilli(1))
	if err := os.Symlink(filepath.Join(h.Dir, "..", "backups.json"), filepath.Join(h.Dir, link)); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{
		"", ".", "..", "../backups.json", "..\\backups.json", "/etc/passwd", s.Copies[0].Name + "/../../backups.json",
		"../backups/" + s.Copies[0].Name, "quatuor-x.db", nameOf(time.UnixMilli(2)), link,
	} {
		if f, err := h.Open(name); !errors.Is(err, command.ErrBackupNotFound) {
			t.Errorf("%q was opened as %v, %v", name, f, err)
		}
	}
}

// TestMoments: the hour of the club, through daylight saving time.
func TestMoments(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	m := Moment{Hour: 2, Minute: 30}
	for now, want := range map[string][2]string{
		"2026-11-25T02:30:00+01:00": {"2026-11-25T02:30:00+01:00", "2026-11-26T02:30:00+01:00"},
		"2026-11-25T02:29:59+01:00": {"2026-11-24T02:30:00+01:00", "2026-11-25T02:30:00+01:00"},
		"2026-03-29T12:00:00+02:00": {"2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"}, // 02:30 is left out
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		at = at.In(paris)
		if got := [2]string{m.before(at).Format(time.RFC3339), m.after(at).Format(time.RFC3339)}; got != want {
			t.Errorf("around %s: %v, want %v", now, got, want)
		}
	}
	for text, good := range map[string]bool{
		"04:00": true, "23:59": true, "off": true, "": false, "24:00": false, "4": false, "4 Uhr": false, "04:00:00": false,
	} {
		if err := new(Moment).UnmarshalText([]byte(text)); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}
