package app

import (
	"net"
	"path/filepath"
	"testing"
)

// TestSystemdIsNotified listens as systemd does: the service is ready, feeds the watchdog, and stops.
func TestSystemdIsNotified(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Skip("no datagram sockets here:", err)
	}
	defer l.Close()
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "150000")
	t.Setenv("WATCHDOG_PID", "")
	next := func() string {
		state := make([]byte, 64)
		n, err := l.Read(state)
		if err != nil {
			t.Fatal(err)
		}
		return string(state[:n])
	}
	t.Run("runs", func(t *testing.T) {
		runApp(t, Config{Storage: newData(t), Listen: "127.0.0.1:0"})
		seen := map[string]bool{}
		for !seen["READY=1"] || !seen["WATCHDOG=1"] {
			seen[next()] = true
		}
		if len(seen) != 2 {
			t.Errorf("a running service reports %v", seen)
		}
	})
	for state := next(); state != "STOPPING=1"; state = next() {
		if state != "WATCHDOG=1" {
			t.Errorf("a stopping service reports %q", state)
		}
	}
}
