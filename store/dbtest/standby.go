package dbtest

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Standby starts a second server that follows this server, which from now on acknowledges nothing that the second has
// not stored. It returns the second with an address of the database that names both.
func (p *Postgres) Standby(t testing.TB, dsn string) (*Postgres, string) {
	t.Helper()
	p.owned(t)
	dir, as := clusterDir(t)
	data, socket := filepath.Join(dir, "data"), filepath.Join(dir, "run")
	from := p.dsn.Query().Get("host")
	u := *p.dsn
	query := u.Query()
	query.Set("host", socket)
	u.RawQuery = query.Encode()
	second := &Postgres{dsn: &u, dir: dir, data: data, as: as, options: strings.ReplaceAll(p.options, from, socket)}
	t.Cleanup(func() { second.Stop(t) })
	p.follow(t, second)
	both, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query = both.Query()
	query.Set("host", from+","+socket)
	both.RawQuery = query.Encode()
	return second, both.String()
}

// Replace makes a server that has stopped the synchronous standby of this server, from nothing but its address.
func (p *Postgres) Replace(t testing.TB, stopped *Postgres) {
	t.Helper()
	p.owned(t)
	if stopped.running() {
		t.Fatal("the server that is to be replaced runs")
	}
	if err := os.RemoveAll(stopped.data); err != nil {
		t.Fatal(err)
	}
	p.follow(t, stopped)
}

// follow copies this server to the place of another, which follows it from then on.
func (p *Postgres) follow(t testing.TB, second *Postgres) {
	t.Helper()
	copier := program("pg_basebackup")
	if copier == "" {
		missing(t, "pg_basebackup is not there")
	}
	from := p.dsn.Query().Get("host")
	if err := run(second.as, second.dir, copier, "-D", second.data, "-h", from, "-U", "postgres", "-R", "-X", "stream",
		"-c", "fast", "-N"); err != nil {
		t.Fatalf("pg_basebackup: %v", err)
	}
	second.Start(t)
	p.exec(t, "ALTER SYSTEM SET synchronous_standby_names = '*'")
	p.exec(t, "SELECT pg_reload_conf()")
	p.exec(t, `DO $$ BEGIN LOOP
		PERFORM pg_stat_clear_snapshot();
		EXIT WHEN EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync');
		PERFORM pg_sleep(0.02);
	END LOOP; END $$`)
}

// Promote makes a standby the server to write to.
func (p *Postgres) Promote(t testing.TB) {
	t.Helper()
	p.exec(t, "SELECT pg_promote(true, 60)")
}
