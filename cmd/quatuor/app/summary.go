package app

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Summary returns the operator's information after the start, in a few lines: version and data, the addresses of the
// service, backups, and help for troubles. It is known after Listen.
func (a *App) Summary(ctx context.Context) string {
	data, doctor := "in "+a.config.Data, "quatuor doctor --data "+a.config.Data
	if a.config.Database != "" {
		data, doctor = "in PostgreSQL", "quatuor ready --server "+a.URL()
	}
	reached := "this machine alone"
	if address := a.Club.Current(ctx).Address; address != "" {
		reached = "other machines, at " + address
	} else if !strings.HasPrefix(a.URL(), "http://127.") && !strings.HasPrefix(a.URL(), "http://[::1]") {
		reached = "other machines"
	}
	return fmt.Sprintf("version %s, data %s\nreached from %s\n%s\nif something is wrong: %s\n", Version(), data, reached,
		a.summarizeBackups(ctx), doctor)
}

func (a *App) summarizeBackups(ctx context.Context) string {
	if a.backups == nil {
		return "no backups of PostgreSQL: use pg_dump, or archive its write-ahead log"
	}
	s, last := a.backups.State(), "none yet"
	zone := a.Club.Current(ctx).Zone
	if s.Last != 0 {
		last = time.UnixMilli(s.Last).In(zone).Format("2006-01-02 15:04")
	}
	when := "none by themselves"
	if !s.Off {
		when = "the next at " + time.UnixMilli(s.Next).In(zone).Format("15:04 MST")
	}
	return fmt.Sprintf("backups in %s: the last %s, %s", s.Folder, last, when)
}
