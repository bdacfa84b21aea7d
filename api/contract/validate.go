package contract

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"

	"github.com/go-json-experiment/json"
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

// Body is a request's body that has been read to its end. It serves as the Body of an [http.Request].
type Body struct {
	bytes.Reader
	text []byte
}

// Reset puts another text in the place of a body.
func (b *Body) Reset(text []byte) {
	b.text = text
	b.Reader.Reset(text)
}

// Bytes returns the whole body. It must not be changed.
func (b *Body) Bytes() []byte { return b.text }

// Close does nothing.
func (*Body) Close() error { return nil }

// BodyOf returns the body of a request that has been read before ([Body]), and nil for a request without a body.
func BodyOf(r *http.Request) []byte {
	if b, ok := r.Body.(*Body); ok {
		return b.text
	}
	return nil
}

// replaceBody puts another text in the place of a request's body.
func replaceBody(r *http.Request, text []byte) {
	if b, ok := r.Body.(*Body); ok {
		b.Reset(text)
		r.ContentLength = int64(len(text))
	}
}

// Binder decodes the bodies of requests, which [Operation.Validate] has checked before.
type Binder struct{}

// Bind decodes a request's body into target. Without a body it does nothing.
func (Binder) Bind(target any, c echo.Context) error {
	text := BodyOf(c.Request())
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, target); err != nil {
		return fmt.Errorf("%w: the body cannot be read", ErrMalformed)
	}
	return nil
}
