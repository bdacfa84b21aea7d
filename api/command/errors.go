package command

import (
	"quatuor/engine"
	"quatuor/engine/sentence"
)

// Errors of this package.
var (
	ErrInvalid    = sentence.Errorf("the request is well-formed, but not valid")
	ErrTagMissing = sentence.Errorf("If-Match is missing: send the ETag of what you are changing, so that no one " +
		"else's change is lost")
	ErrTagStale = sentence.Errorf("it has been changed since you read it: read it again, and repeat your change if " +
		"it still makes sense")
	ErrNotInGame    = sentence.Errorf("you do not sit in this game")
	ErrSeatNeeded   = sentence.Errorf("you sit at several seats of this game: name one")
	ErrNoPlayer     = sentence.Errorf("this account has no player; claim one first")
	ErrClaimed      = sentence.Errorf("this player belongs to an account already")
	ErrNotCreator   = sentence.Errorf("only the account that created this open game can break it off; leave your seat")
	ErrTooLate      = sentence.Errorf("every seat has moved; resign, or offer a draw")
	ErrInTournament = sentence.Errorf("only the arbiters of a tournament can break off its games")
	ErrWrongCode    = sentence.Errorf("this is not the code of this player")
)

// FieldError is a fault in a member of a request.
type FieldError struct {
	Pointer   string // JSON pointer into the body; "" for the body as a whole, and for a parameter
	Parameter string // its name; "" for the body
	In        string // the parameter's place: "path", "query" or "header"
	Detail    string
	Said      sentence.Sentence // the same with its values apart; zero where it is in English only
}

// Refusal is an error with what a client should learn beside its message.
type Refusal struct {
	Err    error
	Fields []FieldError
	Legal  []engine.Move // of the seat, with an illegal move
	Turn   int           // the present turn, with a stale turn; 0 = unknown
}

// Error returns the error's message.
func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the error.
func (r *Refusal) Unwrap() error { return r.Err }

// add adds a fault of a member of the body.
func (r *Refusal) add(pointer, detail string) {
	r.Fields = append(r.Fields, FieldError{Pointer: pointer, Detail: detail})
}

// or returns the refusal; nil if it names no fault.
func (r *Refusal) or() error {
	if len(r.Fields) == 0 {
		return nil
	}
	return r
}

// Invalid refuses a member of a request.
func Invalid(pointer, detail string) error {
	return &Refusal{Err: ErrInvalid, Fields: []FieldError{{Pointer: pointer, Detail: detail}}}
}

// InvalidQuery refuses a parameter in the query of a request.
func InvalidQuery(name, detail string) error {
	return &Refusal{Err: ErrInvalid, Fields: []FieldError{{Parameter: name, In: "query", Detail: detail}}}
}
