package dbtest

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// PID returns the number of the server's first process, the parent of all others; 0 if it was not started here.
func (p *Postgres) PID() int {
	text, err := os.ReadFile(filepath.Join(p.data, "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// Crash kills the server's processes, first of all the first. Unlike a power cut it keeps the writes that the system
// has yet to flush. It needs Linux.
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
			time.Sleep(time.Millisecond) // only a parent can wait for a process
		}
	}
	// A process without a waiting parent still counts as alive for the next server, which finds its number in these.
	lock := filepath.Join(p.dsn.Query().Get("host"), ".s.PGSQL.5432.lock")
	if err := errors.Join(os.Remove(filepath.Join(p.data, "postmaster.pid")), os.Remove(lock)); err != nil {
		t.Fatal(err)
	}
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
