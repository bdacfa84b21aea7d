package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// benchServer is the server that is measured.
type benchServer struct {
	url  string
	pid  int // 0 where it was not started here
	stop func()
}

// startServer runs `quatuor serve` as a process of its own on a temporary folder.
func (c benchCmd) startServer(ctx context.Context, s streams) (benchServer, error) {
	self, err := os.Executable()
	if err != nil {
		return benchServer{}, err
	}
	data, err := os.MkdirTemp("", "quatuor-bench-")
	if err != nil {
		return benchServer{}, err
	}
	args := []string{
		"serve", "--data", data, "--listen", "127.0.0.1:0", "--registration", "open", "--rate-limit", "10000000",
		"--log-level", "warn",
	}
	if c.NoGroup {
		args = append(args, "--max-batch", "1")
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stderr = s.Err
	out, err := cmd.StdoutPipe()
	if err != nil {
		return benchServer{}, err
	}
	if err := cmd.Start(); err != nil {
		return benchServer{}, err
	}
	stop := func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		_ = os.RemoveAll(data)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), listeningOn)
	if err != nil || !found {
		stop()
		return benchServer{}, fmt.Errorf("the server did not start: %q %w", line, err)
	}
	return benchServer{url: url, pid: cmd.Process.Pid, stop: stop}, nil
}

// cpuTime is the time that server and client have spent on the processor so far.
type cpuTime struct{ server, client time.Duration }

// since gives what a request cost, in µs; nil where the server's share cannot be read.
func (t cpuTime) since(before cpuTime, requests int) map[string]float64 {
	if t.server == 0 || requests == 0 {
		return nil
	}
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()/1000) / float64(requests) }
	return map[string]float64{"server": each(t.server - before.server), "client": each(t.client - before.client)}
}

func (b benchServer) cpu() cpuTime {
	if b.pid == 0 {
		return cpuTime{}
	}
	return cpuTime{server: processTime(b.pid), client: ownCPU()}
}

// ownCPU is the user and system time of this process.
func ownCPU() time.Duration {
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		return 0
	}
	return time.Duration(own.Utime.Nano() + own.Stime.Nano())
}

// processTime is the user and system time of another process; 0 where there is no /proc to ask.
func processTime(pid int) time.Duration {
	const tick = 10 * time.Millisecond // of Linux's figures for programs, on every architecture that Go knows
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name of the program, in brackets, may hold anything; utime and stime are the 12th and 13th field after it.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, err := strconv.Atoi(fields[11])
	system, also := strconv.Atoi(fields[12])
	if err != nil || also != nil {
		return 0
	}
	return time.Duration(user+system) * tick
}
