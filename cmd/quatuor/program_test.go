package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"quatuor/cmd/quatuor/client"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// asProgram, set in the environment, makes the test binary behave as quatuor itself, so that tests can start and kill
// the real program as a process of its own.
const asProgram = "QUATUOR_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// command makes a command that runs quatuor in a process of its own.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// program is a running `quatuor serve`.
type program struct {
	t      testing.TB
	cmd    *exec.Cmd
	url    string
	stderr *lockedBuffer
	ended  chan error
}

// lockedBuffer takes what a process says while a test may look at it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// startTimeout bounds how long a server may take until it says where it listens.
const startTimeout = 30 * time.Second

// serve starts the program on a data folder and waits until it says where it listens.
func serve(t testing.TB, data string, args ...string) *program {
	t.Helper()
	p := &program{t: t, stderr: &lockedBuffer{}, ended: make(chan error, 1)}
	p.cmd = command(t, append([]string{"serve", "--data", data, "--listen", "127.0.0.1:0"}, args...)...)
	p.cmd.Stderr = p.stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if _, url, found := strings.Cut(lines.Text(), client.ListeningOn); found {
				said <- url
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
		p.ended <- p.cmd.Wait()
	}()
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	select {
	case p.url = <-said:
	case err := <-p.ended:
		t.Fatalf("the server ended at once: %v\n%s", err, p.stderr)
	case <-time.After(startTimeout):
		t.Fatalf("the server did not say where it listens\n%s", p.stderr)
	}
	return p
}

// client returns a client of the program for one account, without logging in.
func (p *program) client() *client.Client {
	return client.New(p.url, &http.Transport{MaxIdleConnsPerHost: 4})
}

// stop asks the program to end and demands that it does so cleanly.
func (p *program) stop() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case err := <-p.ended:
		if err != nil {
			p.t.Fatalf("the server did not end cleanly: %v\n%s", err, p.stderr)
		}
	case <-time.After(startTimeout):
		p.t.Fatalf("the server did not end\n%s", p.stderr)
	}
}

// kill ends the program as a power cut would.
func (p *program) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	if err := <-p.ended; err == nil {
		p.t.Error("the program ended cleanly before it was killed")
	}
}

// adminByCommand makes the first account of a data folder by the command line.
func adminByCommand(t *testing.T, data string) {
	t.Helper()
	cmd := command(t, "admin", "create", "--data", data, "--login", "olga", "--password-stdin")
	cmd.Stdin = strings.NewReader("correct horse battery\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// register opens an account over the API and logs it in.
func (p *program) register(ctx context.Context, login, name string) client.Player {
	p.t.Helper()
	s, err := client.Register(ctx, p.client(), login, "club-evening", name)
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}
