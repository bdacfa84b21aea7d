package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"quatuor/api/pages/administration"
	"quatuor/cmd/quatuor/backups"
	"quatuor/cmd/quatuor/doctor"
)

// Examination returns the installation that a doctor examines: a data folder with SQLite and its surroundings.
func (s Storage) Examination(keeper *backups.Keeper) doctor.Installation {
	return doctor.Installation{
		Dir: s.Data, Version: Version(), Free: func(dir string) int64 { free, _ := diskSpace(dir); return free },
		Ratings: func() error { _, err := s.ratingLists(); return err },
		Backups: keeper.State, Listed: func() error { _, err := keeper.Copies(); return err }, Now: time.Now(),
	}
}

// Findings returns the service's findings about its own installation; nil with PostgreSQL.
func (a *App) Findings(ctx context.Context) (found []administration.Finding) {
	if a.backups == nil {
		return nil
	}
	for _, f := range append(a.config.Examination(a.backups).Examine(ctx), doctor.Proxy(a.proxy.stranger())) {
		found = append(found, administration.Finding{Check: f.Check, Verdict: string(f.Verdict), What: f.What})
	}
	return found
}

// proxySeen remembers a proxy that is not trusted.
type proxySeen struct{ at atomic.Value } // its address, a string

func (p *proxySeen) stranger() string { at, _ := p.at.Load().(string); return at }

// before notes the sender of a request that names another client, unless it is a trusted proxy.
func (p *proxySeen) before(trusted []*net.IPNet, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header["X-Forwarded-For"] != nil && p.stranger() == "" {
			host, _, _ := net.SplitHostPort(r.RemoteAddr)
			ip := net.ParseIP(host)
			if !slices.ContainsFunc(trusted, func(n *net.IPNet) bool { return n.Contains(ip) }) {
				p.at.Store(host)
			}
		}
		next.ServeHTTP(w, r)
	})
}

// PrivateAddress returns this machine's address in the local network, nil if it has none.
func PrivateAddress() net.IP { return privateAddress() }

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
