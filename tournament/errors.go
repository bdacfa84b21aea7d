package tournament

import (
	"errors"
	"fmt"
	"strings"
)

// Errors that the operations on tournaments wrap; the message before it says what was wrong and what would be right.
var (
	ErrNotFound   = errors.New("there is no such tournament, entry, round or board")
	ErrState      = errors.New("not possible at this stage of the tournament")
	ErrInvalid    = errors.New("not valid")
	ErrStale      = errors.New("the tournament has been changed meanwhile")
	ErrUnpairable = errors.New("the round cannot be paired")
)

// Refuse makes an error of one of the kinds above: the message, a colon, the kind's own words.
func Refuse(kind error, format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), kind)
}

// FieldError is a fault in one field of what a caller sent.
type FieldError struct {
	Field  string // as the API spells it, such as "tie_breaks"
	Detail string // what was wrong and what would be right
}

// FieldErrors are all faults found in one value; errors.Is(err, ErrInvalid) holds for them.
type FieldErrors []FieldError

// Error joins the faults into one line.
func (e FieldErrors) Error() string {
	parts := make([]string, len(e))
	for i, f := range e {
		parts[i] = f.Field + ": " + f.Detail
	}
	return strings.Join(parts, "; ") + ": " + ErrInvalid.Error()
}

// Unwrap gives ErrInvalid.
func (e FieldErrors) Unwrap() error { return ErrInvalid }

func (e *FieldErrors) add(field, format string, args ...any) {
	*e = append(*e, FieldError{Field: field, Detail: fmt.Sprintf(format, args...)})
}

// or gives nil when nothing was found, so that a nil slice does not become an error.
func (e FieldErrors) or() error {
	if len(e) == 0 {
		return nil
	}
	return e
}
