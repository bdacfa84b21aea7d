//go:build unix

package backups

import (
	"context"
	"os/exec"
	"syscall"
)

// shell returns a command for the system's shell, in a process group of its own, so that cancelling ends all of it.
func shell(ctx context.Context, text string) *exec.Cmd {
	c := shellOf(ctx, "/bin/sh", "-c", text)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}
