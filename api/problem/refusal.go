package problem

import (
	"errors"
	"net/http"
	"strings"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/settings"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
)

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
