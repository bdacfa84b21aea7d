package tournament

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of the operations on tournaments. They are wrapped with a message that says what was wrong and what to do.
var (
	ErrNotFound   = errors.New("there is no such tournament, entry, round or board")
	ErrState      = errors.New("not possible at this stage of the tournament")
	ErrInvalid    = errors.New("not valid")
	ErrStale      = errors.New("the tournament has been changed meanwhile")
	ErrUnpairable = errors.New("the round cannot be paired")
)

// Refuse returns an error that wraps one of the errors above: the message, a colon, the text of kind.
func Refuse(kind error, format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), kind)
}

// FieldError is a fault in one field of what a caller sent.
type FieldError struct {
	Field  string // as the API spells it, such as "tie_breaks"
	Detail string // what was wrong and what would be right
}

// FieldErrors are all faults of one value; they wrap ErrInvalid.
type FieldErrors []FieldError

// Error joins the faults into one line.
func (e FieldErrors) Error() string {
	parts := make([]string, len(e))
	for i, f := range e {
		parts[i] = f.Field + ": " + f.Detail
	}
	return strings.Join(parts, "; ") + ": " + ErrInvalid.Error()
}

// Unwrap returns ErrInvalid.
func (e FieldErrors) Unwrap() error { return ErrInvalid }

func (e *FieldErrors) add(field, format string, args ...any) {
	*e = append(*e, FieldError{Field: field, Detail: fmt.Sprintf(format, args...)})
}

// or returns the faults as an error; nil if there are none, so that an empty slice does not become a non-nil error.
func (e FieldErrors) or() error {
	if len(e) == 0 {
		return nil
	}
	return e
}
