package doctor

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quatuor/api/command"
	"quatuor/store"
)

// TestVerdicts: what a test cannot bring about on a real machine.
func TestVerdicts(t *testing.T) {
	now := time.Now()
	i := func(free int64) Installation {
		return Installation{Dir: "data", Now: now, Free: func(string) int64 { return free }}
	}
	backups := func(listed error) Installation {
		return Installation{Dir: "data", Now: now, Listed: func() error { return listed }}
	}
	data := t.TempDir()
	clock := func(beat time.Time) Finding {
		return Installation{Dir: data, Now: now}.clock(store.Examination{Beat: beat.UnixMilli()})
	}
	if found := clock(now.Add(59 * time.Minute)); found.Verdict == Broken {
		t.Errorf("a heartbeat of less than an hour ahead: %q", found.What)
	}
	state := command.BackupState{Folder: filepath.Join("data", "backups"), Last: now.UnixMilli()}
	failed := state
	failed.Failure = &command.BackupFailure{Detail: "the disk is too full"}
	secure := answer{header: http.Header{"Strict-Transport-Security": {"max-age=1"}}}
	for what, one := range map[string]struct {
		got  Finding
		want Verdict
		says string
	}{
		"a roomy disk":         {i(1 << 40).space(store.Examination{Size: 1 << 30}), OK, "free"},
		"a disk that fills up": {i(3 << 30).space(store.Examination{Size: 1 << 30}), Look, "make room soon"},
		"a full disk":          {i(1 << 30).space(store.Examination{Size: 1 << 30}), Broken, "a full disk stops all games"},
		"an unknown disk":      {i(0).space(store.Examination{Size: 1 << 30}), OK, "not known"},
		"an older program": {
			database(store.Examination{Found: true, Present: 9, Known: 8, Journal: "wal"}, nil), Broken, "newer program",
		},
		"a newer program": {
			database(store.Examination{Found: true, Present: 8, Known: 9, Journal: "wal"}, nil), Look, "brings it to 9",
		},
		"a long log": {
			database(store.Examination{Found: true, Journal: "wal", Log: 1 << 30}, nil), Look, "write-ahead log has 1024 MiB",
		},
		"no database":        {database(store.Examination{}, nil), OK, "no database yet"},
		"an unreadable one":  {database(store.Examination{Found: true}, errors.New("denied")), Broken, "denied"},
		"a good backup":      {backups(nil).backup(state), OK, "is from"},
		"a failed backup":    {backups(nil).backup(failed), Broken, "too full"},
		"a forbidden folder": {backups(os.ErrPermission).backup(state), Broken, "cannot be read"},
		"an unset folder":    {backups(os.ErrNotExist).backup(command.BackupState{Folder: state.Folder}), Look, "no backup yet"},
		"a heartbeat of an hour ahead": {
			clock(now.Add(61 * time.Minute)), Broken, "quatuor doctor --accept-clock",
		},
		"an old drill": {
			backups(nil).drill(command.BackupState{Drill: &command.BackupDrill{Good: true, At: 1}}), Look, "run quatuor backup drill",
		},
		"a proxy without trust": {Proxy("10.0.0.1"), Broken, "10.0.0.1"},
		"no such proxy":         {Proxy(""), OK, "no proxy"},
		"https all the way":     {cookie("https://club.example", secure), OK, "https alone"},
		"https at the proxy":    {cookie("https://club.example", answer{}), Look, "--public-url https://club.example"},
		"http for https":        {cookie("http://club.example", secure), Broken, "no one can log in"},
	} {
		if one.got.Verdict != one.want || !strings.Contains(one.got.What.String(), one.says) {
			t.Errorf("%s: %s, %q; want %s, %q", what, one.got.Verdict, one.got.What, one.want, one.says)
		}
	}
}
