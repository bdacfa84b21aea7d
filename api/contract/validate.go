package contract

import (
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"

	"github.com/labstack/echo/v4"
)

// Errors of this package.
var (
	ErrMalformed = errors.New("the request does not fit the contract")
	ErrMedia     = errors.New("the body must be JSON, with Content-Type: application/json (a report file may be " +
		"text/plain)")
)

// maxPointer is the maximum length of the pointer to a fault, in UTF-16 units.
const maxPointer = 1000

// FieldError is a fault of a request.
type FieldError struct {
	Pointer   string // JSON pointer into the body; "" for the body as a whole, and for a parameter
	Parameter string // its name; "" for the body
	In        string // the parameter's place: openapi3.ParameterInPath, …InQuery or …InHeader
	Detail    string
}

// Error is ErrMalformed with all that is wrong with a request.
type Error struct {
	Fields []FieldError // not empty
}

// Error returns the message for people, with the first fault.
func (e *Error) Error() string {
	f := e.Fields[0]
	return fmt.Sprintf("%v: %s: %s", ErrMalformed, cmp.Or(f.Parameter, f.Pointer, "body"), f.Detail)
}

// Unwrap returns ErrMalformed.
func (*Error) Unwrap() error { return ErrMalformed }

// Validate checks a request's parameters and body and normalises the texts in them. Its body must have been read
// ([Body]).
func (o *Operation) Validate(c echo.Context) error {
	if err := o.check(c); err != nil {
		return err
	}
	return o.texts.normalise(c)
}

// check validates a request's parameters and body.
func (o *Operation) check(c echo.Context) error {
	faults, err := o.checkParams(c)
	if err != nil {
		return err
	}
	if faults, err = o.checkContent(c.Request(), BodyOf(c.Request()), faults); err != nil {
		return err
	}
	if len(faults) == 0 {
		return nil
	}
	return &Error{faults}
}

// checkContent validates a request's body and returns its faults after those that are known already.
func (o *Operation) checkContent(r *http.Request, text []byte, faults []FieldError) ([]FieldError, error) {
	switch {
	case len(faults) >= maxFaults:
		return faults, nil
	case len(text) == 0 && o.bodyNeeded:
		return append(faults, FieldError{Detail: "a body is needed"}), nil
	case len(text) == 0:
		return faults, nil
	case len(o.bodies) == 0:
		return append(faults, FieldError{Detail: "this operation takes no body"}), nil
	}
	kind := r.Header.Get(echo.HeaderContentType)
	s, known := o.bodies[kind]
	if !known {
		var err error
		if kind, _, err = mime.ParseMediaType(kind); err != nil {
			return nil, ErrMedia
		}
		if s, known = o.bodies[kind]; !known {
			return nil, ErrMedia
		}
		r.Header.Set(echo.HeaderContentType, kind) // as the generated handlers spell it
	}
	if s == nil {
		return faults, nil // a table, judged by the operation that reads it
	}
	return s.checkBody(text, faults), nil
}
