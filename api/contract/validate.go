package contract

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
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

// param is a parameter of an operation.
type param struct {
	*schema
	name     string
	in       string // openapi3.ParameterInPath, …InQuery or …InHeader
	header   string // its canonical name in a header
	required bool
}

func newParam(p *openapi3.Parameter) (param, error) {
	if p.Schema == nil || p.In == openapi3.ParameterInCookie || p.AllowEmptyValue {
		return param{}, fmt.Errorf("%w: no such parameters are read", errContract)
	}
	s, err := compile(p.Schema.Value, 0)
	if err != nil {
		return param{}, err
	}
	list := s.kind == '['
	if s.kind == '{' || list && (p.In != openapi3.ParameterInQuery || p.Explode == nil || *p.Explode ||
		s.items.kind != '"') {
		return param{}, fmt.Errorf("%w: a parameter may be a list of words with commas between, but no other structure",
			errContract)
	}
	return param{s, p.Name, p.In, http.CanonicalHeaderKey(p.Name), p.Required}, nil
}

// checkParams validates a request's parameters and returns their faults.
func (o *Operation) checkParams(c echo.Context) (faults []FieldError, err error) {
	r := c.Request()
	var query url.Values
	if r.URL.RawQuery != "" {
		if query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
			return nil, fmt.Errorf("%w: the query string cannot be read", ErrMalformed)
		}
		faults = o.unknownParams(query)
	}
	for i := range o.params {
		p := &o.params[i]
		var values []string
		switch p.in {
		case openapi3.ParameterInQuery:
			values = query[p.name]
		case openapi3.ParameterInHeader:
			values = r.Header[p.header]
		default:
			value, err := pathValue(c, p.name)
			if err != nil {
				return nil, err
			}
			if detail := p.judgeParam(value); detail != "" {
				faults = append(faults, FieldError{Parameter: p.name, In: p.in, Detail: detail})
			}
			continue
		}
		if detail := p.judgeAll(values); detail != "" {
			faults = append(faults, FieldError{Parameter: p.name, In: p.in, Detail: detail})
		}
	}
	return faults[:min(len(faults), maxFaults)], nil
}

// pathValue returns the value of a parameter in the path. Echo leaves it as it was sent where the path has escapes.
func pathValue(c echo.Context, name string) (string, error) {
	if c.Request().URL.RawPath == "" {
		return c.Param(name), nil
	}
	value, err := url.PathUnescape(c.Param(name))
	if err != nil {
		return "", fmt.Errorf("%w: the path cannot be read", ErrMalformed)
	}
	return value, nil
}

// judgeAll returns the fault of a parameter's values; "" if they have none.
func (p *param) judgeAll(values []string) string {
	switch {
	case len(values) == 1:
		return p.judgeParam(values[0])
	case len(values) > 1:
		return "it may be given once"
	case p.required:
		return "a value is needed"
	}
	return ""
}

// judgeParam returns the fault of a value of a parameter; "" if it has none.
func (p *param) judgeParam(value string) string {
	switch p.kind {
	case '"':
		return p.judgeText(value)
	case '0':
		return p.judgeNumber(value)
	case 't':
		if _, err := strconv.ParseBool(value); err != nil {
			return "value must be true or false"
		}
		return ""
	}
	words := strings.SplitN(value, ",", p.maxCount+1)
	switch {
	case len(words) > p.maxCount:
		return fmt.Sprintf("maximum number of items is %d", p.maxCount)
	case len(words) < p.minCount:
		return fmt.Sprintf("minimum number of items is %d", p.minCount)
	}
	for _, word := range words {
		if detail := p.items.judgeText(word); detail != "" {
			return detail
		}
	}
	return ""
}

// unknownParams returns the query parameters that the operation does not know.
func (o *Operation) unknownParams(query url.Values) []FieldError {
	var out []FieldError
	for name := range query {
		known := slices.ContainsFunc(o.params, func(p param) bool {
			return p.in == openapi3.ParameterInQuery && p.name == name
		})
		if !known {
			out = append(out, FieldError{
				Parameter: name, In: openapi3.ParameterInQuery, Detail: "this operation has no such parameter",
			})
		}
	}
	slices.SortFunc(out, func(a, b FieldError) int { return strings.Compare(a.Parameter, b.Parameter) })
	return out[:min(len(out), maxFaults)]
}
