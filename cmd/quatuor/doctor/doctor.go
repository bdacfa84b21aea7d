// Package doctor finds faults of an installation, and their remedies: in its data, which a running service shows to its
// admins too, and on the way from a browser to it.
package doctor

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"quatuor/api/command"
	"quatuor/engine/sentence"
	"quatuor/store"
)

// Verdict is the outcome of a check.
type Verdict string

// The verdicts.
const (
	OK     Verdict = "ok"
	Look   Verdict = "look"   // it works, and should be looked at
	Broken Verdict = "broken" // it does not work, or soon will not
)

// Finding is the result of a check.
type Finding struct {
	Check   string // "data", "rights", "space", …
	Verdict Verdict
	What    sentence.Sentence // and the remedy
}

// Installation is the data of a service and its surroundings.
type Installation struct {
	Dir      string // the data folder
	Version  string
	Thorough bool                       // every page of the database is read
	Free     func(dir string) int64     // bytes on its disk; 0 where that is not known
	Ratings  func() error               // why ratings.json cannot be used
	Backups  func() command.BackupState // of the data folder
	Listed   func() error               // why the backups cannot be listed
	Now      time.Time
}

// Examine examines the data. It changes nothing.
func (i Installation) Examine(ctx context.Context) []Finding {
	found := []Finding{{"version", OK, sentence.New("quatuor %s", i.Version)}, i.data()}
	if found[1].Verdict == Broken {
		return found
	}
	e, err := store.Examine(ctx, i.Dir, i.Thorough)
	backups := i.Backups()
	return append(found, i.rights(), i.space(e), i.clock(e), database(e, err), i.ratings(), i.backup(backups), i.drill(backups))
}

// data demands a folder that can be written.
func (i Installation) data() Finding {
	if info, err := os.Stat(i.Dir); err != nil || !info.IsDir() {
		return Finding{"data", Broken, sentence.New("the data folder %s is not there: name it with --data, or start the "+
			"service, which makes it", i.Dir)}
	}
	f, err := os.CreateTemp(i.Dir, ".doctor-*")
	if err != nil {
		return Finding{"data", Broken, sentence.New("nothing can be written to the data folder: %v", err)}
	}
	_ = f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return Finding{"data", Broken, sentence.New("nothing can be written to the data folder: %v", err)}
	}
	return Finding{"data", OK, sentence.New("the data folder is %s", i.Dir)}
}

// rights demands that the data is the service's alone.
func (i Installation) rights() Finding {
	folder, err := os.Stat(i.Dir)
	if err != nil {
		return Finding{"rights", Broken, sentence.New("the data folder cannot be read: %v", err)}
	}
	names := []string{store.DatabaseFile(i.Dir)}
	for _, suffix := range []string{"-wal", "-shm"} {
		names = append(names, names[0]+suffix)
	}
	for _, name := range names {
		file, err := os.Stat(name)
		if err != nil {
			continue // as before the first start
		}
		if !sameOwner(folder, file) {
			return Finding{"rights", Broken, sentence.New("%s does not belong to the user to whom its folder belongs: give "+
				"both to the service's user (chown)", name)}
		}
		if readableByOthers(file) {
			return Finding{"rights", Look, sentence.New("others on this machine can read %s: run chmod 600 on it", name)}
		}
	}
	if readableByOthers(folder) {
		return Finding{"rights", Look, sentence.New("others on this machine can look into %s: run chmod 700 on it", i.Dir)}
	}
	return Finding{"rights", OK, sentence.New("only the service's user can read the data")}
}

// Room that a disk should have beside another copy of the database.
const (
	littleRoom = 1 << 30
	noRoom     = 128 << 20
)

func (i Installation) space(e store.Examination) Finding {
	free, copied := i.Free(i.Dir), e.Size+e.Log
	switch mib := free >> 20; {
	case free == 0:
		return Finding{"space", OK, sentence.New("the room on the disk is not known on this system")}
	case free < copied+noRoom:
		return Finding{"space", Broken, sentence.New("%d MiB are free, too little for a backup: make room, for a full disk "+
			"stops all games", mib)}
	case free < 3*copied+littleRoom:
		return Finding{"space", Look, sentence.New("%d MiB are free: make room soon", mib)}
	default:
		return Finding{"space", OK, sentence.New("%d MiB are free", mib)}
	}
}

// maxAhead is the largest lead of the last heartbeat over the clock.
const maxAhead = time.Hour

// skew is the largest lead of a file's time over the clock.
const skew = 2 * time.Minute

// clock compares the clock with the last heartbeat and with the files that the service has written.
func (i Installation) clock(e store.Examination) Finding {
	if beat := time.UnixMilli(e.Beat); e.Beat != 0 && beat.After(i.Now.Add(maxAhead)) {
		return Finding{"clock", Broken, sentence.New("the clock says %s, and the service was last alive at %s: set the clock if "+
			"it is behind; if it is right, stop the service and run quatuor doctor --accept-clock, unless no game is open",
			i.Now.Format(time.RFC3339), beat.In(i.Now.Location()).Format(time.RFC3339))}
	}
	entries, err := os.ReadDir(i.Dir)
	if err != nil {
		return Finding{"clock", Broken, sentence.New("the data folder cannot be read: %v", err)}
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().After(i.Now.Add(skew)) {
			return Finding{"clock", Broken, sentence.New("the clock says %s, and %s is from %s: set the clock",
				i.Now.Format(time.RFC3339), filepath.Join(i.Dir, e.Name()), info.ModTime().Format(time.RFC3339))}
		}
	}
	if !clockKept() {
		return Finding{"clock", Look, sentence.New("nothing keeps the clock of this machine right: run NTP, such as chrony or " +
			"systemd-timesyncd")}
	}
	return Finding{"clock", OK, sentence.New("the clock says %s, and no file is from the future", i.Now.Format(time.RFC3339))}
}

// longLog is the size in bytes that a healthy write-ahead log stays below.
const longLog = 512 << 20

func database(e store.Examination, err error) Finding {
	switch {
	case err != nil:
		return Finding{"database", Broken, sentence.New("the database cannot be read: %v; quatuor restore --list shows the "+
			"backups", err)}
	case !e.Found:
		return Finding{"database", OK, sentence.New("there is no database yet; the first start makes it")}
	case e.Damage != "":
		return Finding{"database", Broken, sentence.New("the database is damaged: %s; quatuor restore --list shows the backups",
			e.Damage)}
	case e.Present > e.Known:
		return Finding{"database", Broken, sentence.New("the database was written by a newer program (schema %d, here %d): "+
			"install that one", e.Present, e.Known)}
	case e.Journal != "wal":
		return Finding{"database", Look, sentence.New("its journal mode is %s, so another program has changed it; the next "+
			"start sets it to wal", e.Journal)}
	case e.Log > longLog:
		return Finding{"database", Look, sentence.New("its write-ahead log has %d MiB: a long read holds it up, or the disk is "+
			"failing", e.Log>>20)}
	case e.Present < e.Known:
		return Finding{"database", Look, sentence.New("it has schema %d; the next start brings it to %d and keeps a copy",
			e.Present, e.Known)}
	}
	return Finding{"database", OK, sentence.New("journal mode wal, schema %d, %d MiB", e.Present, e.Size>>20)}
}

func (i Installation) ratings() Finding {
	if err := i.Ratings(); err != nil {
		return Finding{"ratings", Broken, sentence.New("the rules of the ratings cannot be used: %v", err)}
	}
	return Finding{"ratings", OK, sentence.New("the rules of the ratings can be used")}
}

func (i Installation) backup(s command.BackupState) Finding {
	last := time.UnixMilli(s.Last).Format(time.DateTime)
	switch err := i.Listed(); {
	case err != nil && !os.IsNotExist(err), err != nil && filepath.Dir(s.Folder) != filepath.Clean(i.Dir):
		return Finding{"backup", Broken, sentence.New("the folder for backups cannot be read: %v; connect its disk, or make it",
			err)}
	case s.Failure != nil:
		return Finding{"backup", Broken, sentence.New("the last backup failed: %s", s.Failure.Detail)}
	case s.Last == 0:
		return Finding{"backup", Look, sentence.New("there is no backup yet: make one with quatuor backup, or wait for the night")}
	case i.Now.Sub(time.UnixMilli(s.Last)) > 36*time.Hour:
		return Finding{"backup", Look, sentence.New("the last backup is from %s: make one, and see why there was none since", last)}
	}
	return Finding{"backup", OK, sentence.New("the last backup is from %s", last)}
}

// Proxy judges a proxy that the service has seen and does not trust, by its address; "" for none.
func Proxy(stranger string) Finding {
	if stranger == "" {
		return Finding{"proxy", OK, sentence.New("no proxy was seen that is not trusted")}
	}
	return Finding{"proxy", Broken, sentence.New("requests come through the proxy %s, which is not trusted, so all its visitors "+
		"share one address and its limits: name it in --trusted-proxies", stranger)}
}

// oldDrill is the oldest age of the last drill: two of them were missed.
const oldDrill = 62 * 24 * time.Hour

func (i Installation) drill(s command.BackupState) Finding {
	switch d := s.Drill; {
	case d == nil:
		return Finding{"drill", Look, sentence.New("no backup was restored as a trial yet: run quatuor backup drill")}
	case !d.Good:
		return Finding{"drill", Broken, sentence.New("the backup %s could not be restored as a trial: quatuor backup drill shows "+
			"why", d.Copy)}
	case i.Now.Sub(time.UnixMilli(d.At)) > oldDrill:
		return Finding{"drill", Look, sentence.New("the last trial is from %s: run quatuor backup drill",
			time.UnixMilli(d.At).Format(time.DateTime))}
	default:
		return Finding{"drill", OK, sentence.New("the last backup that was restored as a trial is good")}
	}
}
