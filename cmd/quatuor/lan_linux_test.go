package main

import (
	"bufio"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestLANWithoutPrivateAddress starts the program for the local network on a machine without any: in a network
// namespace of its own.
func TestLANWithoutPrivateAddress(t *testing.T) {
	cmd := command(t, "serve", "--data", t.TempDir(), "--lan")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip("no network namespace can be made here:", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	for _, want := range []string{
		"quatuor listening on ", "no private IPv4 address",
		"None of its network interfaces is up", "--public-url",
	} {
		if !lines.Scan() || !strings.Contains(lines.Text(), want) {
			t.Fatalf("no %q in the line %q", want, lines.Text())
		}
	}
}
