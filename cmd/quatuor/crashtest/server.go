package crashtest

import (
	"bytes"
	"context"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
)

// Password is the password of all accounts that tests open.
const Password = "correct horse battery"

// Command returns a command that runs quatuor with these arguments in a process of its own.
type Command func(args ...string) *exec.Cmd

// Server is a running `quatuor serve`.
type Server struct {
	*harness.Server
	Stderr *Buffer

	t testing.TB
}

// Buffer collects a process's output, safe for concurrent use.
type Buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write appends p.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// String returns the bytes written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// Start starts a server on a data folder and returns when it listens. It is killed at the end of the test at the
// latest.
func Start(t testing.TB, command Command, data string, args ...string) *Server {
	t.Helper()
	return start(t, command, append([]string{"--data", data, "--listen", "127.0.0.1:0"}, args...))
}

// start starts a server with these arguments.
func start(t testing.TB, command Command, args []string) *Server {
	t.Helper()
	s := &Server{t: t, Stderr: &Buffer{}}
	cmd := command(append([]string{"serve"}, args...)...)
	cmd.Stderr = s.Stderr
	var err error
	if s.Server, err = harness.StartServer(cmd); err != nil {
		t.Fatalf("%v\n%s", err, s.Stderr)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return s
}

// Client returns an anonymous client of the server.
func (s *Server) Client() *client.Client {
	return client.New(s.URL, &http.Transport{MaxIdleConnsPerHost: 4})
}

// Stop interrupts the server and demands a clean end.
func (s *Server) Stop() {
	s.t.Helper()
	if err := s.Server.Stop(); err != nil {
		s.t.Fatalf("%v\n%s", err, s.Stderr)
	}
}

// Kill ends the server as a power cut would.
func (s *Server) Kill() {
	s.t.Helper()
	if err := s.Server.Kill(); err != nil {
		s.t.Error(err)
	}
}

// Register opens an account with a player over the API and logs it in.
func (s *Server) Register(ctx context.Context, login, name string) harness.Player {
	s.t.Helper()
	p, err := harness.Register(ctx, s.Client(), login, Password, name)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// CreateAdmin creates the first account of a data folder by the command line: olga, the organiser.
func CreateAdmin(t testing.TB, command Command, data string) {
	t.Helper()
	createAdmin(t, command, "--data", data)
}

func createAdmin(t testing.TB, command Command, where ...string) {
	t.Helper()
	cmd := command(append([]string{"admin", "create", "--login", organiser, "--password-stdin"}, where...)...)
	cmd.Stdin = strings.NewReader(Password + "\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// organiser is the login of the tournaments' organiser.
const organiser = "olga"
