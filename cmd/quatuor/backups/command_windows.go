package backups

import (
	"context"
	"os/exec"
)

// shell returns a command for the system's shell.
func shell(ctx context.Context, text string) *exec.Cmd { return shellOf(ctx, "cmd", "/c", text) }
