package tournament

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quatuor/engine/sentence"
)

// Errors of the operations on tournaments. The wrapping message explains what was wrong and what to do.
var (
	ErrNotFound   = sentence.Errorf("there is no such tournament, entry, round or board")
	ErrState      = sentence.Errorf("not possible at this stage of the tournament")
	ErrInvalid    = sentence.Errorf("not valid")
	ErrStale      = sentence.Errorf("the tournament has been changed meanwhile")
	ErrFull       = sentence.Errorf("the tournament is full")
	ErrUnpairable = sentence.Errorf("the round cannot be paired")
)

// kinds are the errors above. They classify a refusal; their text does not explain it.
var kinds = []error{ErrNotFound, ErrState, ErrInvalid, ErrStale, ErrFull, ErrUnpairable}

// Refuse returns an error that wraps kind: the message, a colon, the text of kind. If kind is a refusal itself, its
// message follows the new message.
func Refuse(kind error, format string, args ...any) error {
	said := sentence.New(format, args...)
	r := &refusal{error: fmt.Errorf("%s: %w", said, kind), said: said}
	if !slices.Contains(kinds, kind) {
		r.said = sentence.New("%v: %v", said, sentence.Of(kind))
	}
	return r
}

// NotNow is [Refuse] for a command that does not fit the state of a tournament.
func NotNow(format string, args ...any) error { return Refuse(ErrState, format, args...) }

// InArchive is the refusal of a change of an archived tournament.
func InArchive() error { return NotNow("the tournament is archived and can no longer change") }

// NotValid is [Refuse] for a value that is not possible.
func NotValid(format string, args ...any) error { return Refuse(ErrInvalid, format, args...) }

// refusal is an error of a kind with the message that users see.
type refusal struct {
	error
	said sentence.Sentence
}

// Sentence returns what was wrong, without the kind.
func (r *refusal) Sentence() sentence.Sentence { return r.said }

// Unwrap returns the wrapped error of the same text.
func (r *refusal) Unwrap() error { return r.error }

// FieldError is a fault in a field of a request.
type FieldError struct {
	Field  string            // as the API spells it, for example "tie_breaks"
	Detail string            // what was wrong and what would be right
	Said   sentence.Sentence // the detail with its values apart; the zero value for a detail without values
}

// Sentence returns the detail with its values apart.
func (f FieldError) Sentence() sentence.Sentence {
	if f.Said.IsZero() {
		return sentence.Fixed(f.Detail)
	}
	return f.Said
}

// Fault returns the fault of a single field.
func Fault(field, format string, args ...any) FieldErrors {
	var e FieldErrors
	e.Add(field, format, args...)
	return e
}

// Pointers returns an error whose faults have JSON pointers for the places of their fields.
func Pointers(err error) error {
	var faults FieldErrors
	if errors.As(err, &faults) {
		for i, f := range faults {
			faults[i].Field = strings.NewReplacer("[", "/", "].", "/", "]", "").Replace(f.Field)
		}
	}
	return err
}

// FieldErrors are all faults of a value; they wrap ErrInvalid.
type FieldErrors []FieldError

// Error returns the faults, separated by semicolons.
func (e FieldErrors) Error() string {
	parts := make([]string, len(e))
	for i, f := range e {
		parts[i] = f.Field + ": " + f.Detail
	}
	return strings.Join(parts, "; ") + ": " + ErrInvalid.Error()
}

// Sentence returns the details.
func (e FieldErrors) Sentence() sentence.Sentence {
	list := make([]sentence.Sentence, len(e))
	for i, f := range e {
		list[i] = f.Sentence()
	}
	return sentence.Join("; ", list...)
}

// Unwrap returns ErrInvalid.
func (e FieldErrors) Unwrap() error { return ErrInvalid }

// Add adds a fault of a field.
func (e *FieldErrors) Add(field, format string, args ...any) {
	said := sentence.New(format, args...)
	*e = append(*e, FieldError{Field: field, Detail: said.String(), Said: said})
}

// InRange adds a fault for a value out of its bounds.
func (e *FieldErrors) InRange(field string, value, from, to int) {
	if value < from || value > to {
		*e = append(*e, Fault(field, "%d is not possible; write a number from %d to %d", value, from, to)...)
	}
}

// Err returns the faults as an error; nil for none, so that an empty slice does not become a non-nil error.
func (e FieldErrors) Err() error {
	if len(e) == 0 {
		return nil
	}
	return e
}
