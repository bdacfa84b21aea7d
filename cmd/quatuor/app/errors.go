package app

import "fmt"

// UsageError is a fault of the operator's: a command or a setting was used in a way that it cannot take. The command
// line ends with an exit status of its own for it.
type UsageError struct{ err error }

// Error explains the fault, and the remedy.
func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.err }

// UsageErrorf returns a UsageError; its arguments are those of [fmt.Errorf].
func UsageErrorf(format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...)}
}
