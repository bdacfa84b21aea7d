package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Ready returns the version of a server that is ready; otherwise its error explains why it is not.
func Ready(ctx context.Context, url string) (version string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(url, "/")+"/readyz", nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fmt.Errorf("not ready: it does not answer: %w", err)
	}
	defer answer.Body.Close()
	var reply struct{ Version, Detail string }
	if err := json.NewDecoder(answer.Body).Decode(&reply); err != nil {
		return "", fmt.Errorf("not ready: %s is no quatuor: it answers %s", url, answer.Status)
	}
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("not ready: %s", reply.Detail)
	}
	return reply.Version, nil
}

// ListeningOn precedes the address in the start-up line of `quatuor serve`.
const ListeningOn = " listening on "

// StartTimeout bounds the time until a server listens, and until it has stopped.
const StartTimeout = 30 * time.Second

// Server is `quatuor serve` as a process of its own.
type Server struct {
	URL string
	Cmd *exec.Cmd

	ended chan error // how the process ended
}

// StartServer starts a command that runs `quatuor serve`, and returns when the server listens.
func StartServer(cmd *exec.Cmd) (*Server, error) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &Server{Cmd: cmd, ended: make(chan error, 1)}
	ready := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if _, url, found := strings.Cut(lines.Text(), ListeningOn); found {
				ready <- url
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
		s.ended <- cmd.Wait()
	}()
	timeout := time.NewTimer(StartTimeout)
	defer timeout.Stop()
	select {
	case s.URL = <-ready:
		return s, nil
	case err := <-s.ended:
		return nil, fmt.Errorf("the server ended at once: %v", err)
	case <-timeout.C:
		_ = s.Kill()
		return nil, fmt.Errorf("the server did not print its address within %s", StartTimeout)
	}
}

// Stop interrupts the server, where the system has signals, and waits for it. The error is set if it did not end, or
// not cleanly.
func (s *Server) Stop() error {
	if err := s.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return s.Kill()
	}
	timeout := time.NewTimer(StartTimeout)
	defer timeout.Stop()
	select {
	case err := <-s.ended:
		return err
	case <-timeout.C:
		return errors.Join(errors.New("the server did not end"), s.Kill())
	}
}

// Kill ends the server as a power cut would, and waits for it. The error is set if it had ended cleanly before.
func (s *Server) Kill() error {
	_ = s.Cmd.Process.Kill() // unless it has ended
	if err := <-s.ended; err == nil {
		return errors.New("the server ended cleanly before it was killed")
	}
	return nil
}

// RateEveryGame is a ratings.json that lets every casual game count, however short it is and however often the same two
// meet, as in tests and measurements of a server.
const RateEveryGame = `{"lists": [{"list": "*", "system": "elo-club", "casual": {"pair_day": 0, "pair_month": 0, "moves": 0}}]}`
