package main

import (
	"context"
	"errors"
)

// errInterrupted is why a command that was told to stop has failed.
var errInterrupted = errors.New("interrupted")

// interruptible carries out work that does not look at its context, such as reading standard input or a long
// computation. When the context ends first, the work is left to end with the process.
func interruptible(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errInterrupted
	}
}
