package engine

import (
	"errors"

	"quatuor/engine/sentence"
)

// The kinds of refusal, in the order of their tests.
var (
	ErrSetup    = errors.New("setup")    // unknown variant, seats, seed or option
	ErrOver     = errors.New("over")     // anything after the end
	ErrNotation = errors.New("notation") // not a token of this variant
	ErrTurn     = errors.New("turn")     // a seat that is not awaited, has chosen already, or is out
	ErrIllegal  = errors.New("illegal")  // well-formed, but not legal now
)

// MoveError is a refused event. Its message names the mistake and, where that is short, the correct form; it
// reveals nothing that the seat which sent the event may not know.
type MoveError struct {
	Kind    error // any of the kinds above
	Message string
	said    sentence.Sentence
}

// Error returns the message for people.
func (e *MoveError) Error() string { return e.Message }

// Sentence returns the message with its values apart.
func (e *MoveError) Sentence() sentence.Sentence { return e.said }

// Unwrap returns the kind, for errors.Is.
func (e *MoveError) Unwrap() error { return e.Kind }

// Refuse returns a MoveError of a kind, with a formatted message.
func Refuse(kind error, format string, args ...any) *MoveError {
	said := sentence.New(format, args...)
	return &MoveError{Kind: kind, Message: said.String(), said: said}
}

// KindOf returns the kind of a refusal as the command line spells it, or "" for other errors.
func KindOf(err error) string {
	var refused *MoveError
	if !errors.As(err, &refused) {
		return ""
	}
	return refused.Kind.Error()
}
