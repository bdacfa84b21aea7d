// Package problem turns errors into problem documents (RFC 9457). A table (kinds.go) has the public form of each error;
// any other is an internal error, and its details are not shown to clients.
package problem

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/gen"
	"quatuor/api/internal/clip"
	"quatuor/api/internal/limit"
	"quatuor/api/settings"
	"quatuor/engine"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/slip"
)

// Of returns the problem document for an error, echo's own included, of a request for path. requestID may be empty.
func Of(err error, path, requestID string) gen.Problem {
	var known *echo.HTTPError
	p := documentOf(err)
	if p.Status == http.StatusInternalServerError && errors.As(err, &known) &&
		known.Code != http.StatusInternalServerError {
		p = statusProblem(known.Code)
	}
	if path != "" && len(path) <= maxDetail { // a part of a path would be another path
		p.Instance = &path
	}
	if requestID != "" {
		p.RequestID = &requestID
	}
	return p
}

// kindOf returns the public form of an error.
func kindOf(err error) kind {
	for _, k := range kinds {
		if errors.Is(err, k.is) {
			return k
		}
	}
	if cursor := invalidCursor(nil); errors.As(err, &cursor) {
		return kind{is: cursor, slug: cursorSlug, status: http.StatusBadRequest, title: "Bad cursor", plain: true}
	}
	return internal(err)
}

// cursorSlug is the slug of [invalidCursor], which several errors share.
const cursorSlug = "bad-cursor"

// invalidCursor is implemented by the errors of lists for a cursor that is not theirs.
type invalidCursor interface {
	error
	InvalidCursor()
}

// detail returns the text for the client.
func (k kind) detail(err error) string {
	switch {
	case k.status == http.StatusInternalServerError:
		return errInternal.Error()
	case errors.Is(k.is, context.DeadlineExceeded), errors.Is(k.is, context.Canceled):
		return "the request was given up before it was answered; try again"
	case k.plain:
		return k.is.Error()
	}
	return strings.ReplaceAll(err.Error(), "\n", ": ") // errors.Join puts each on a line of its own
}

// documentOf returns the problem document for an error in the table.
func documentOf(err error) gen.Problem {
	k := kindOf(err)
	detail := k.detail(err)
	detail = clip.Text(detail, maxDetail)
	p := gen.Problem{Type: "/problems/" + k.slug, Title: k.title, Status: k.status, Detail: &detail}
	var refusal *command.Refusal
	if errors.As(err, &refusal) && k.status != http.StatusInternalServerError {
		p.Errors = fieldErrors(refusal.Fields)
		if refusal.Turn > 0 {
			p.Turn = &refusal.Turn
		}
		if errors.Is(k.is, engine.ErrIllegal) {
			legal := make([]gen.MoveToken, min(len(refusal.Legal), maxLegal))
			for i, m := range refusal.Legal[:len(legal)] {
				legal[i] = string(m)
			}
			p.Legal = &legal
		}
	}
	if fields := fieldsOf(err); p.Errors == nil {
		p.Errors = fieldErrors(fields)
	}
	return p
}

// fieldsOf returns the field errors that an error wraps.
func fieldsOf(err error) []command.FieldError {
	var malformed *contract.Error
	if errors.As(err, &malformed) {
		fields := make([]command.FieldError, len(malformed.Fields))
		for i, f := range malformed.Fields {
			fields[i] = command.FieldError{Pointer: f.Pointer, Parameter: f.Parameter, In: f.In, Detail: f.Detail}
		}
		return fields
	}
	var field *table.FieldError
	if errors.As(err, &field) {
		return []command.FieldError{{Pointer: field.Pointer, Detail: field.Detail}}
	}
	var invalid *auth.InvalidField
	if errors.As(err, &invalid) {
		return []command.FieldError{{Pointer: "/" + invalid.Field, Detail: invalid.Detail}}
	}
	var setting *settings.Invalid
	if errors.As(err, &setting) {
		return []command.FieldError{{Pointer: "/" + setting.Field, Detail: setting.Detail}}
	}
	if cursor := invalidCursor(nil); errors.As(err, &cursor) {
		return []command.FieldError{{Parameter: "cursor", In: "query", Detail: cursor.Error()}}
	}
	var faults tournament.FieldErrors
	if errors.As(err, &faults) {
		fields := make([]command.FieldError, len(faults))
		for i, f := range faults {
			fields[i] = command.FieldError{Pointer: "/" + f.Field, Detail: f.Detail}
		}
		return fields
	}
	return nil
}

func fieldErrors(fields []command.FieldError) *[]gen.FieldError {
	if len(fields) == 0 {
		return nil
	}
	out := make([]gen.FieldError, 0, len(fields))
	for i, f := range fields {
		if len(out) == maxFieldErrors {
			break
		}
		if slices.ContainsFunc(fields[:i], func(g command.FieldError) bool {
			return f.Pointer == g.Pointer && f.Parameter == g.Parameter && f.Detail == g.Detail
		}) {
			continue
		}
		one := gen.FieldError{Pointer: clip.Text(f.Pointer, maxPointer), Detail: clip.Text(f.Detail, maxPointer)}
		if f.Parameter != "" {
			name, in := clip.Text(f.Parameter, maxPointer), f.In
			one.Parameter, one.In = &name, &in
		}
		out = append(out, one)
	}
	return &out
}

// Limits of a problem document, as in openapi.yaml; a test compares.
const (
	maxDetail      = 4000  // characters of detail and instance
	maxPointer     = 1000  // characters of a field's pointer and detail
	maxFieldErrors = 100   // fields at fault
	maxLegal       = 10000 // legal moves
)

// SetHeaders adds the headers that go with an error: every 429 has Retry-After.
func SetHeaders(header http.Header, err error, status int) {
	var limited *auth.LimitError
	var called *slip.CalledError
	switch {
	case errors.As(err, &limited):
		limited.Verdict.SetHeaders(header)
	case errors.As(err, &called):
		header.Set("Retry-After", limit.Seconds(called.RetryIn))
	case errors.Is(err, ErrTooManyStreams):
		header.Set("Retry-After", "5")
	case errors.Is(err, ErrKeyPending), status == http.StatusServiceUnavailable:
		header.Set("Retry-After", "1")
	case status == http.StatusUnauthorized:
		header.Set("WWW-Authenticate", `Bearer realm="quatuor"`)
	}
}

// statusSlugs are the slugs of echo's own errors, and of statuses without an error in the table.
var statusSlugs = map[int]string{
	http.StatusBadRequest:            "malformed",
	http.StatusUnauthorized:          "unauthorized",
	http.StatusForbidden:             "forbidden",
	http.StatusNotFound:              "not-found",
	http.StatusMethodNotAllowed:      "method-not-allowed",
	http.StatusRequestEntityTooLarge: "too-large",
	http.StatusUnsupportedMediaType:  "unsupported-media-type",
	http.StatusServiceUnavailable:    "unavailable",
}

var statusDetails = map[int]string{
	http.StatusNotFound:         "there is nothing at this address; the addresses are in /openapi.yaml",
	http.StatusMethodNotAllowed: "this address does not take this method; the header Allow says which it takes",
}

// statusProblem returns the document for an error of the framework. Its own texts are not meant for clients.
func statusProblem(status int) gen.Problem {
	slug, known := statusSlugs[status]
	switch {
	case known:
	case status < http.StatusInternalServerError:
		slug = statusSlugs[http.StatusBadRequest]
	default:
		slug = internal(nil).slug
	}
	p := gen.Problem{Type: "/problems/" + slug, Title: http.StatusText(status), Status: status}
	if detail, ok := statusDetails[status]; ok {
		p.Detail = &detail
	}
	return p
}

// Type is a type of problem, as documents name it in their member of that name: /problems/ and the slug.
type Type struct {
	Slug   string
	Status int // of the answers
}

// Types lists every type that a document can have, by slug.
func Types() []Type {
	statuses := map[string]int{cursorSlug: http.StatusBadRequest}
	for status, slug := range statusSlugs {
		statuses[slug] = status
	}
	for _, k := range kinds {
		statuses[k.slug] = k.status
	}
	types := make([]Type, 0, len(statuses))
	for _, slug := range slices.Sorted(maps.Keys(statuses)) {
		types = append(types, Type{slug, statuses[slug]})
	}
	return types
}

// Refusal is an error as a form shows it. It has the same status as over REST.
type Refusal struct {
	Status int
	Name   string // of its text among those of the page
	Input  string // of the form that it is about, "" for the form as a whole
}

// RefusalOf returns an error as a form shows it; internal errors have status 500.
func RefusalOf(err error) Refusal {
	k := kindOf(err)
	r := Refusal{Status: k.status, Name: k.name, Input: k.input}
	var field *auth.InvalidField
	var setting *settings.Invalid
	switch {
	case errors.As(err, &field):
		r.Name, r.Input = field.Reason, field.Field
	case errors.As(err, &setting):
		r.Name, r.Input = setting.Field, setting.Field
	case r.Name == "":
		r.Name = strings.ReplaceAll(k.slug, "-", "_")
	}
	return r
}

// Explain returns the status of a refused command, its message and those about single fields. They disclose no more
// than the problem document of the REST API; the message of an internal error is empty.
func Explain(err error) (status int, why sentence.Sentence, fields []FieldFault) {
	known := Of(err, "", "")
	detail := ""
	if known.Detail != nil {
		detail = *known.Detail
	}
	why, ok := sentence.In(err)
	if !ok || !strings.Contains(detail, why.String()) { // the sentence was not disclosed
		why = sentence.Fixed(detail)
	}
	return known.Status, why, fieldFaults(err, known.Errors)
}

func fieldFaults(err error, known *[]gen.FieldError) (fields []FieldFault) {
	var faults tournament.FieldErrors
	var field *table.FieldError
	var refusal *command.Refusal
	switch {
	case errors.As(err, &faults):
		for _, f := range faults {
			fields = append(fields, FieldFault{f.Field, f.Sentence()})
		}
	case errors.As(err, &field):
		fields = append(fields, FieldFault{strings.TrimPrefix(field.Pointer, "/"), field.Sentence()})
	case errors.As(err, &refusal):
		for _, f := range refusal.Fields {
			if f.Said.IsZero() {
				f.Said = sentence.Fixed(f.Detail)
			}
			fields = append(fields, FieldFault{strings.TrimPrefix(f.Pointer, "/"), f.Said})
		}
	case known != nil:
		for _, f := range *known {
			fields = append(fields, FieldFault{strings.TrimPrefix(f.Pointer, "/"), sentence.Fixed(f.Detail)})
		}
	}
	return fields
}

// MessageOf returns the status and the message of a refused command, without its fields. The status of an internal
// error is 0.
func MessageOf(err error) (status int, why sentence.Sentence) {
	status, why, _ = Explain(err)
	if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
		return 0, sentence.Sentence{}
	}
	return status, why
}

// Reason returns the status of a refused command, and the message about its first field, or its own if it has none.
func Reason(err error) (status int, why sentence.Sentence) {
	status, why, fields := Explain(err)
	if len(fields) > 0 {
		why = fields[0].Said
	}
	return status, why
}

// FieldFault is the message about a field of a refused form.
type FieldFault struct {
	Field string
	Said  sentence.Sentence
}
