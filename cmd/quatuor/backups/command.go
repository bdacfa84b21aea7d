package backups

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// fileVariable is the environment variable with the path of the backup.
const fileVariable = "QUATUOR_BACKUP_FILE"

// runCommand runs the operator's command on a backup, if any. It is killed with all it has started when it takes too
// long.
func (k *Keeper) runCommand(ctx context.Context, path string) error {
	if k.Command == "" {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, k.Limit, errCommandSlow)
	defer cancel()
	var output bytes.Buffer
	c := shell(ctx, k.Command)
	c.Env = append(os.Environ(), fileVariable+"="+path)
	c.Stdout, c.Stderr = &output, &output
	c.WaitDelay = time.Second // for processes that hold its output open
	err := c.Run()
	switch {
	case errors.Is(context.Cause(ctx), errCommandSlow):
		return fmt.Errorf("%w: %s", errCommandSlow, k.Limit)
	case err != nil:
		return fmt.Errorf("%w: %w: %s", errCommand, err, lastLine(output.Bytes()))
	}
	return nil
}

// maxDetail is the length of a shown error in bytes.
const maxDetail = 300

// lastLine returns the last line of a command's output that is not empty, cut.
func lastLine(output []byte) string {
	output = bytes.TrimSpace(output)
	if i := bytes.LastIndexByte(output, '\n'); i >= 0 {
		output = output[i+1:]
	}
	return string(output[:min(len(output), maxDetail)])
}

// shellOf returns a command for a shell.
func shellOf(ctx context.Context, shell, flag, text string) *exec.Cmd {
	return exec.CommandContext(ctx, shell, flag, text) //nolint:gosec // it is the operator's own
}
