package storetest

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

	dir, data string // of one that was started here
	as        *syscall.SysProcAttr
	options   string
}

// Cluster returns a PostgreSQL server for this test and those below it: the one that QUATUOR_TEST_POSTGRES names, or a
// new one that is stopped and deleted afterwards. Settings such as "fsync=off" are for a new one. Where neither is to
// be had, the test is skipped, or fails if QUATUOR_REQUIRE_POSTGRES is 1. With -short it is skipped in any case.
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

// initialise fills the data directory of a new server. What initdb makes is kept in the user's cache, for each version
// of it, and copied: that takes a tenth of its time.
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
	return errors.Join(err, os.RemoveAll(unfinished)) // of which nothing is left once it is renamed
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

// Stop stops the server at once, as a crash would. It does nothing to one that has stopped.
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

// Socket returns the folder of the socket at which a server that was started here answers user postgres.
func (p *Postgres) Socket(t testing.TB) string {
	t.Helper()
	p.owned(t)
	return p.dsn.Query().Get("host")
}

// PID returns the number of the server's first process, of which all others are children; 0 where it was not started
// here.
func (p *Postgres) PID() int {
	text, err := os.ReadFile(filepath.Join(p.data, "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// Crash kills the server's processes, first of all the first, as a power cut would but for what the system has yet to
// write. It needs Linux.
func (p *Postgres) Crash(t testing.TB) {
	t.Helper()
	p.owned(t)
	_ = syscall.Kill(p.PID(), syscall.SIGSTOP) // so that it starts no more
	pids := p.Processes(t)
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
	}
	for _, pid := range pids {
		for parent := 1; parent != 0; parent = parentOf(pid) {
			time.Sleep(time.Millisecond) // there is no one to wait for a process that is not a child
		}
	}
	// A process that no one has waited for still counts as alive for the next server, which finds its number in these.
	lock := filepath.Join(p.dsn.Query().Get("host"), ".s.PGSQL.5432.lock")
	if err := errors.Join(os.Remove(filepath.Join(p.data, "postmaster.pid")), os.Remove(lock)); err != nil {
		t.Fatal(err)
	}
}

// Log returns what the server has logged so far.
func (p *Postgres) Log(t testing.TB) string {
	t.Helper()
	p.owned(t)
	text, err := os.ReadFile(filepath.Join(p.dir, "server.log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Processes lists the server's processes, the first and its children. It needs Linux.
func (p *Postgres) Processes(t testing.TB) []int {
	t.Helper()
	all := []int{p.PID()}
	found, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || all[0] == 0 || len(found) == 0 {
		t.Fatalf("the server's processes cannot be told: %v", err)
	}
	for _, name := range found {
		if pid, err := strconv.Atoi(filepath.Base(name)); err == nil && parentOf(pid) == all[0] {
			all = append(all, pid)
		}
	}
	return all
}

// parentOf returns the number of a process's parent; 0 for a process that has ended.
func parentOf(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // the name may hold anything
	if len(fields) < 2 || fields[0] == "Z" {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// Standby starts a second server that follows this one, which from now on acknowledges nothing that the second has not
// stored. It returns it with the address of a database by the names of both.
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

// Replace makes a server that has stopped the synchronous standby of this one, from nothing but its address.
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

// follow copies this server to the place of another one, which follows it from then on.
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

// debian is where Debian keeps PostgreSQL's programs, one folder a version, away from the PATH.
const debian = "/usr/lib/postgresql"

// program finds one of PostgreSQL's programs; "" if it is not there.
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

// clusterDir makes a directory for a new server and says as whom to run it: PostgreSQL refuses to run as root, so
// then the user postgres does.
func clusterDir(t testing.TB) (string, *syscall.SysProcAttr) {
	t.Helper()
	dir, err := os.MkdirTemp("", "quatuor-pg-") // not t.TempDir, whose parent another user may not enter
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
	cmd.Dir, cmd.SysProcAttr, cmd.Stdout, cmd.Stderr = dir, as, out, out
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

// Schema makes an empty schema and returns the address of a database in which everything happens there. The schema is
// dropped when the test ends.
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

// CPU returns the CPU time that the server's processes have taken, those that have ended included. It is for Linux, and
// for a server that was started here.
func (p *Postgres) CPU(t testing.TB) time.Duration {
	t.Helper()
	p.owned(t)
	text, err := os.ReadFile(filepath.Join(p.data, "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	postmaster, _, _ := strings.Cut(string(text), "\n")
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("there is no /proc to read CPU times from")
	}
	ticks := 0
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// After the name, which may hold anything: the state, the parent, and with proc(5)'s number 14 the times.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		own, parent := filepath.Base(filepath.Dir(path)) == postmaster, fields[1] == postmaster
		for i, field := range fields[11:15] { // user, system, and the same of children that have ended
			if n, err := strconv.Atoi(field); err == nil && (own || parent && i < 2) {
				ticks += n
			}
		}
	}
	const ticksPerSecond = 100 // USER_HZ
	return time.Duration(ticks) * time.Second / ticksPerSecond
}

// Commits returns how many transactions the server has committed of sessions that have ended; it waits until all others
// have.
func (p *Postgres) Commits(t testing.TB) (n int64) {
	t.Helper()
	p.exec(t, `DO $$ BEGIN WHILE EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) LOOP
		PERFORM pg_sleep(0.01);
		PERFORM pg_stat_clear_snapshot();
	END LOOP; END $$`)
	db, err := sql.Open("pgx", p.dsn.String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()").
		Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// OwnCPU returns the CPU time of this process.
func OwnCPU(t testing.TB) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
