//go:build unix

package crashtest

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"quatuor/api/client"
)

// Cluster holds several servers that share a database, and balances the load of clients: as a [http.RoundTripper] it
// sends each request to a server drawn by chance. A killed server is sent requests all the same. A frozen server is
// not, as with a load balancer, and its requests under way are cut off.
type Cluster struct {
	Instances []*Instance

	t           testing.TB
	command     Command
	args        []string
	connections *http.Transport
}

// Instance is a server of the cluster.
type Instance struct {
	URL string

	cluster *Cluster
	address string

	mu     sync.Mutex
	server *Server
	logs   []*Buffer
	away   bool            // clients leave it alone
	flow   context.Context // ends when clients leave it
	cut    context.CancelFunc
}

const (
	// attempt is a client's timeout before it retries.
	attempt = 10 * time.Second
	// peerSecret authenticates the servers to each other.
	peerSecret = "a secret of the instances on trial, and of no others"
)

// StartCluster starts a number of servers on a database. The account of [CreateAdmin] is made.
func StartCluster(t testing.TB, command Command, database string, count int, args ...string) *Cluster {
	t.Helper()
	c := &Cluster{
		t: t, command: command, connections: &http.Transport{MaxIdleConnsPerHost: 256},
		args: append([]string{
			"--database", database, "--registration", "open", "--rate-limit", "0", "--stream-limit", "0",
			"--log-level", "error",
		}, args...),
	}
	t.Cleanup(c.connections.CloseIdleConnections)
	createAdmin(t, command, "--database", database)
	for range count {
		in := &Instance{cluster: c, address: freeAddress(t)}
		in.URL = "http://" + in.address
		c.Instances = append(c.Instances, in)
		in.Start()
	}
	c.AwaitReady()
	return c
}

// freeAddress finds a free address below those that the system hands out by itself, so that it stays free while its
// server is dead.
func freeAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		address := fmt.Sprint("127.0.0.1:", 15000+rand.IntN(15000))
		if listener, err := net.Listen("tcp", address); err == nil { //nolint:noctx // closed at once
			_ = listener.Close()
			return address
		}
	}
	t.Fatal("no address is free")
	return ""
}

// Start starts the server, and returns when it listens.
func (in *Instance) Start() {
	in.cluster.t.Helper()
	run := in.cluster.command
	s := start(in.cluster.t, func(args ...string) *exec.Cmd {
		cmd := run(args...)
		if cmd.Env == nil {
			cmd.Env = os.Environ()
		}
		cmd.Env = append(cmd.Env, "QUATUOR_PEER_ADDRESS="+in.URL, "QUATUOR_PEER_SECRET="+peerSecret)
		return cmd
	}, append([]string{"--listen", in.address}, in.cluster.args...))
	in.mu.Lock()
	in.server, in.logs = s, append(in.logs, s.Stderr)
	in.mu.Unlock()
	in.reach()
}

// PID returns the number of the server's process.
func (in *Instance) PID() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.server.Cmd.Process.Pid
}

// Kill ends the server as a power cut would.
func (in *Instance) Kill() {
	in.cluster.t.Helper()
	in.server.Kill()
}

// Stop ends the server as its operator would; clients leave it first.
func (in *Instance) Stop() {
	in.cluster.t.Helper()
	in.leave()
	in.server.Stop()
}

// Freeze suspends the server's process; Thaw resumes it.
func (in *Instance) Freeze() {
	in.cluster.t.Helper()
	in.signal(syscall.SIGSTOP)
	in.leave()
}

// Thaw lets a frozen server go on.
func (in *Instance) Thaw() {
	in.cluster.t.Helper()
	in.signal(syscall.SIGCONT)
	in.reach()
}

func (in *Instance) signal(s syscall.Signal) {
	in.cluster.t.Helper()
	if err := in.server.Cmd.Process.Signal(s); err != nil {
		in.cluster.t.Error(err)
	}
}

// leave cuts off the requests under way to the server; clients leave it alone from now on.
func (in *Instance) leave() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.away = true
	in.cut()
}

// reach lets clients come again.
func (in *Instance) reach() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.away = false
	in.flow, in.cut = context.WithCancel(context.Background())
}

// Ready reports whether the server is ready, and if not, why.
func (in *Instance) Ready(ctx context.Context) (ok bool, why string) {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, in.URL+"/readyz", nil)
	if err != nil {
		return false, err.Error()
	}
	answer, err := in.cluster.connections.RoundTrip(request)
	if err != nil {
		return false, err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode == http.StatusOK, string(text)
}

// AwaitReady returns when every server that runs is ready.
func (c *Cluster) AwaitReady() {
	c.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		waits := ""
		for _, in := range c.Instances {
			if ok, why := in.Ready(context.Background()); !ok && !in.isAway() {
				waits = why
			}
		}
		if waits == "" {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("an instance does not become ready: %s\n%s", waits, c.Logs())
		}
		rest(context.Background(), 20*time.Millisecond)
	}
}

func (in *Instance) isAway() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.away
}

// Logs returns the servers' logs.
func (c *Cluster) Logs() string {
	var all strings.Builder
	for _, in := range c.Instances {
		in.mu.Lock()
		for _, b := range in.logs {
			all.WriteString(b.String())
		}
		in.mu.Unlock()
	}
	return all.String()
}

// Client returns an anonymous client of all servers.
func (c *Cluster) Client() *client.Client { return client.New("http://cluster", c) }

// At returns a client of this server for the account of another client.
func (in *Instance) At(as *client.Client) *client.Client {
	c := client.New(in.URL, in.cluster.connections)
	c.Token = as.Token
	return c
}

// any picks a server that clients do not leave alone.
func (c *Cluster) any() *Instance {
	all := rand.Perm(len(c.Instances))
	for _, i := range all {
		if in := c.Instances[i]; !in.isAway() {
			return in
		}
	}
	return c.Instances[all[0]]
}

// RoundTrip sends a request to a server drawn by chance.
func (c *Cluster) RoundTrip(r *http.Request) (*http.Response, error) {
	in := c.any()
	in.mu.Lock()
	flow := in.flow
	in.mu.Unlock()
	ctx, stop := context.WithTimeout(r.Context(), attempt)
	ctx, cancel := context.WithCancelCause(ctx)
	leave := context.AfterFunc(flow, func() { cancel(errCut) })
	end := func() {
		leave()
		cancel(nil)
		stop()
	}
	sent := r.Clone(ctx)
	sent.URL.Host, sent.Host = in.address, in.address
	answer, err := c.connections.RoundTrip(sent)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		end()
		return nil, err
	}
	answer.Body = &ending{answer.Body, end}
	return answer, nil
}

// ending is a body that signals when it is closed.
type ending struct {
	io.ReadCloser
	end func()
}

// Close closes the body.
func (e *ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}
