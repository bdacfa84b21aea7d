// Package dbtest has databases for tests, to be thrown away: folders for SQLite, and clusters of PostgreSQL that can be
// stopped, crashed, followed and cut off.
package dbtest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// The settings of the environment that decide about tests on PostgreSQL.
const (
	// envServer names a server to use instead of starting one, as a postgres:// address.
	envServer = "QUATUOR_TEST_POSTGRES"
	// envRequire, if it is 1, makes tests fail where PostgreSQL is missing, instead of being skipped.
	envRequire = "QUATUOR_REQUIRE_POSTGRES"
)

// Postgres is a running server for tests.
type Postgres struct {
	dsn  *url.URL
	next atomic.Int64 // number of the next schema

	dir, data string // of a server that was started here
	as        *syscall.SysProcAttr
	options   string
}

// Cluster returns a PostgreSQL server for this test and those below it: the server that QUATUOR_TEST_POSTGRES names, or
// a new server that is stopped and deleted afterwards. Settings, for example "fsync=off", are for a new server. Without
// either, the test is skipped, or fails if QUATUOR_REQUIRE_POSTGRES is 1. With -short it is skipped in any case.
func Cluster(t testing.TB, settings ...string) *Postgres {
	t.Helper()
	if testing.Short() {
		t.Skip("PostgreSQL belongs to the full run: leave out -short")
	}
	if dsn := os.Getenv(envServer); dsn != "" {
		u, err := url.Parse(dsn)
		if err != nil {
			t.Fatalf("%s is no postgres:// address", envServer)
		}
		return &Postgres{dsn: u}
	}
	initdb := program("initdb")
	if initdb == "" || program("pg_ctl") == "" {
		missing(t, "initdb and pg_ctl are neither on the PATH nor below "+debian)
	}
	dir, as := clusterDir(t)
	data, socket := filepath.Join(dir, "data"), filepath.Join(dir, "run")
	if err := initialise(as, dir, data, initdb); err != nil {
		t.Fatalf("initdb: %v", err)
	}
	options := "-c listen_addresses= -c unix_socket_directories=" + socket
	for _, s := range settings {
		options += " -c " + s
	}
	query := url.Values{"host": {socket}, "user": {"postgres"}}
	if slices.Contains(settings, "fsync=off") {
		query.Set("quatuor.trust_storage", "on") // nothing here has to outlive a crash
	}
	p := &Postgres{
		dsn: &url.URL{Scheme: "postgres", Path: "/postgres", RawQuery: query.Encode()}, dir: dir, data: data, as: as,
		options: options,
	}
	p.Start(t)
	t.Cleanup(func() { p.Stop(t) })
	return p
}

// initialise fills the data directory of a new server. The result of initdb is kept in the user's cache, for each
// version of it, and copied: that takes a tenth of its time.
func initialise(as *syscall.SysProcAttr, dir, data, initdb string) error {
	args := []string{"-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-N"}
	version, err := exec.Command(initdb, "--version").Output()
	if err != nil {
		return err
	}
	key := sha256.Sum256(fmt.Append(version, args, os.Getenv("TZ")))
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	kept := filepath.Join(cache, "quatuor-tests", fmt.Sprintf("initdb-%x", key[:8]))
	if _, err := os.Stat(kept); err != nil {
		if err := run(as, dir, initdb, append(args, "-D", data)...); err != nil {
			return err
		}
		return keep(data, kept)
	}
	if err := os.CopyFS(data, os.DirFS(kept)); err != nil {
		return err
	}
	if err := os.Chmod(data, 0o700); err != nil || as == nil {
		return err
	}
	return filepath.WalkDir(data, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, int(as.Credential.Uid), int(as.Credential.Gid)))
	})
}

// keep copies a data directory to the cache, whole or not at all. Another process may be faster.
func keep(data, kept string) error {
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return err
	}
	unfinished, err := os.MkdirTemp(filepath.Dir(kept), "unfinished-")
	if err != nil {
		return err
	}
	err = os.CopyFS(unfinished, os.DirFS(data))
	if err == nil {
		err = os.Rename(unfinished, kept)
	}
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return errors.Join(err, os.RemoveAll(unfinished)) // does nothing once it is renamed
}

// Start starts the server again after Stop; it returns when the server answers. A server that was named to the tests
// cannot be stopped: the test is skipped.
func (p *Postgres) Start(t testing.TB) {
	t.Helper()
	p.owned(t)
	err := run(p.as, p.dir, program("pg_ctl"), "-D", p.data, "-l", filepath.Join(p.dir, "server.log"), "-o", p.options,
		"-w", "start")
	if err != nil {
		t.Fatalf("pg_ctl start: %v", err)
	}
}

// Stop stops the server at once, as a crash would. It does nothing to a stopped server.
func (p *Postgres) Stop(t testing.TB) {
	t.Helper()
	p.owned(t)
	if !p.running() {
		return
	}
	if err := run(p.as, p.dir, program("pg_ctl"), "-D", p.data, "-m", "immediate", "-w", "stop"); err != nil {
		t.Errorf("pg_ctl stop: %v", err)
	}
}

// Socket returns the folder of the socket where a server that was started here answers user postgres.
func (p *Postgres) Socket(t testing.TB) string {
	t.Helper()
	p.owned(t)
	return p.dsn.Query().Get("host")
}

// Log returns the server's log so far.
func (p *Postgres) Log(t testing.TB) string {
	t.Helper()
	p.owned(t)
	text, err := os.ReadFile(filepath.Join(p.dir, "server.log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// running reports whether the server was not stopped.
func (p *Postgres) running() bool {
	if p.data == "" {
		return true
	}
	_, err := os.Stat(filepath.Join(p.data, "postmaster.pid"))
	return err == nil
}

func (p *Postgres) owned(t testing.TB) {
	t.Helper()
	if p.data == "" {
		t.Skipf("the server that %s names is not stopped", envServer)
	}
}

// debian is Debian's folder of PostgreSQL's programs, with a folder for each version, outside the PATH.
const debian = "/usr/lib/postgresql"

// program finds a program of PostgreSQL; "" if it is not there.
func program(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, err := filepath.Glob(filepath.Join(debian, "*", "bin", name))
	if err != nil || len(found) == 0 {
		return ""
	}
	return slices.MaxFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) // 9 before 15
	})
}

func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv(envRequire) == "1" {
		t.Fatalf("PostgreSQL is required by %s, but %s", envRequire, what)
	}
	t.Skipf("no test on PostgreSQL: %s; install it, or name a server in %s", what, envServer)
}

// ServerFolder makes a folder that PostgreSQL's user owns, for servers that a test starts by itself. Where that user or
// its programs are missing, the test is skipped or fails as with Cluster.
func ServerFolder(t testing.TB) string {
	t.Helper()
	if program("initdb") == "" || program("pg_basebackup") == "" {
		missing(t, "initdb and pg_basebackup are not there")
	}
	dir, _ := clusterDir(t)
	return dir
}

// clusterDir makes a directory for a new server and chooses its user: PostgreSQL refuses to run as root, so then the
// user postgres runs it.
func clusterDir(t testing.TB) (string, *syscall.SysProcAttr) {
	t.Helper()
	dir, err := os.MkdirTemp("", "quatuor-pg-") // not t.TempDir: another user may not enter its parent
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		return dir, nil
	}
	uid, gid, err := postgresUser()
	if err != nil {
		missing(t, err.Error())
	}
	for _, d := range []string{dir, filepath.Join(dir, "run")} {
		if err := os.Chown(d, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return dir, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

func postgresUser() (uid, gid int, err error) {
	u, err := user.Lookup("postgres")
	if err != nil {
		return 0, 0, fmt.Errorf("this is root, and there is no user postgres to run a server as")
	}
	uid, e1 := strconv.Atoi(u.Uid)
	gid, e2 := strconv.Atoi(u.Gid)
	return uid, gid, errors.Join(e1, e2)
}

// run runs a program with its output in a file: the server inherits it, and a pipe would never be closed.
func run(as *syscall.SysProcAttr, dir, program string, args ...string) error {
	out, err := os.Create(filepath.Join(dir, filepath.Base(program)+".log"))
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = as
	cmd.Stdout = out
	cmd.Stderr = out
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

// Schema makes an empty schema and returns the address of a database that uses it. The schema is dropped when the test
// ends.
func (p *Postgres) Schema(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test_%d_%d_%d", os.Getpid(), time.Now().UnixNano(), p.next.Add(1))
	p.exec(t, "CREATE SCHEMA "+name)
	t.Cleanup(func() {
		if p.running() {
			p.exec(t, "DROP SCHEMA "+name+" CASCADE")
		}
	})
	u := *p.dsn
	query := u.Query()
	query.Set("search_path", name)
	u.RawQuery = query.Encode()
	return u.String()
}

func (p *Postgres) exec(t testing.TB, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", p.dsn.String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := db.ExecContext(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
