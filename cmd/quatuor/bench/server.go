package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/harness"
)

// target is the server that is measured.
type target struct {
	url     string
	metrics string // where its metrics are; "" where it was not started here
	pid     int    // 0 where it was not started here
	stop    func()
}

// startServer runs `quatuor serve` as a process of its own on a folder; "" takes a temporary folder.
func (c Config) startServer(ctx context.Context, data string) (target, error) {
	temporary, err := os.MkdirTemp("", "quatuor-bench-")
	if err != nil {
		return target{}, err
	}
	if data == "" {
		data = temporary
		err = os.WriteFile(filepath.Join(data, "ratings.json"), []byte(harness.RateEveryGame), 0o600)
	}
	var server target
	if err = errors.Join(err, makeAdmin(ctx, data)); err == nil {
		server, err = c.serve(ctx, data, filepath.Join(temporary, "quatuor.log"))
	}
	if err != nil {
		return target{}, errors.Join(err, os.RemoveAll(temporary))
	}
	end := server.stop
	server.stop = func() {
		end()
		_ = os.RemoveAll(temporary)
	}
	return server, nil
}

// makeAdmin creates an admin in an empty folder; without it no accounts can be opened.
func makeAdmin(ctx context.Context, data string) error {
	db, err := app.Storage{Data: data}.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if has, err := db.People().HasAdmin(ctx); err != nil || has {
		return err
	}
	return app.CreateAdmin(ctx, db, "olga", password)
}

// serve starts the server and waits until it listens. It logs every request, as it does wherever else it runs.
func (c Config) serve(ctx context.Context, data, logFile string) (target, error) {
	self, err := os.Executable()
	if err != nil {
		return target{}, err
	}
	metrics, err := freeAddress(ctx)
	if err != nil {
		return target{}, err
	}
	log, err := os.Create(logFile)
	if err != nil {
		return target{}, err
	}
	defer log.Close()
	args := []string{
		"serve", "--data", data, "--listen", "127.0.0.1:0", "--registration", "open", "--rate-limit", "10000000",
		"--stream-limit", "0", "--metrics-listen", metrics,
	}
	if c.NoGroup {
		args = append(args, "--max-batch", "1")
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Stderr = log
	if c.What == "hall" {
		onSmallMachine(cmd)
	}
	server, err := harness.StartServer(cmd)
	if err != nil {
		text, _ := os.ReadFile(logFile)
		return target{}, fmt.Errorf("%w\n%s", err, text)
	}
	stop := func() { _ = server.Stop() }
	return target{url: server.URL, metrics: "http://" + metrics, pid: cmd.Process.Pid, stop: stop}, nil
}

// freeAddress finds an address that is free.
func freeAddress(ctx context.Context) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// read requests an operator's page of the server: its metrics or a profile.
func (b target) read(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.metrics+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

// metric returns the sum of a metric over all its series.
func (b target) metric(ctx context.Context, name string) (sum float64, err error) {
	text, err := b.read(ctx, "/metrics")
	for line := range strings.Lines(string(text)) {
		series, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if family, _, _ := strings.Cut(series, "{"); family == name {
			n, e := strconv.ParseFloat(value, 64)
			sum, err = sum+n, errors.Join(err, e)
		}
	}
	return sum, err
}

// cpuTime is the time that server and client have spent on the processor so far.
type cpuTime struct{ server, client time.Duration }

func (t cpuTime) plus(u cpuTime) cpuTime { return cpuTime{t.server + u.server, t.client + u.client} }

func (t cpuTime) minus(u cpuTime) cpuTime { return cpuTime{t.server - u.server, t.client - u.client} }

// each returns the cost of a request, in µs; nil where the server's share cannot be read.
func (t cpuTime) each(requests int) map[string]float64 {
	if t.server == 0 || requests == 0 {
		return nil
	}
	share := func(d time.Duration) float64 { return float64(d.Nanoseconds()/1000) / float64(requests) }
	return map[string]float64{"server": share(t.server), "client": share(t.client)}
}

func (b target) cpu() cpuTime {
	if b.pid == 0 {
		return cpuTime{}
	}
	return cpuTime{server: processTime(b.pid), client: ownCPU()}
}

// processTime is the user and system time of another process; 0 without /proc.
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

// checkServers refuses invalid addresses, and a measurement of several instances with a single address.
func (c *Config) checkServers() error {
	servers := make([]string, len(c.Server))
	for i, address := range c.Server {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
			u.RawQuery != "" {
			return app.UsageErrorf("--server takes addresses such as http://127.0.0.1:8080, not %q", address)
		}
		servers[i] = u.Scheme + "://" + u.Host
		if slices.Contains(servers[:i], servers[i]) {
			return app.UsageErrorf("--server names %s twice; each instance counts once", servers[i])
		}
	}
	c.Server = servers
	if c.What == "readers" && len(servers) < 2 {
		return app.UsageErrorf("--what readers measures readers at another instance than the mover's; name two instances " +
			"or more with --server, such as --server http://10.0.0.1:8080,http://10.0.0.2:8080")
	}
	return nil
}

// checkReady checks that each server is ready; its error explains why a server is not.
func (c *Config) checkReady(ctx context.Context) error {
	const answerTimeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	for _, address := range c.Server {
		if _, err := harness.Ready(ctx, address); err != nil {
			return fmt.Errorf("--server %s: %w", address, err)
		}
	}
	return nil
}

// knownEverywhere refuses instances that do not share a database: they do not know a player of the first.
func (l *load) knownEverywhere(ctx context.Context, p harness.Player) error {
	for _, at := range l.instances[1:] {
		c := at.Share()
		c.Token = p.Token
		if err := c.Get(ctx, "/players/"+p.ID, nil); err != nil {
			return fmt.Errorf("%s does not know a player of %s (do both work on one database?): %w", at.Base, l.Base, err)
		}
	}
	return nil
}
