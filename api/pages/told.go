package pages

import (
	"errors"
	"html/template"
	"strings"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/message"
	"quatuor/api/problem"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// fieldFault is what a refused form says of one field.
type fieldFault struct {
	Field string
	Said  sentence.Sentence
}

// fieldLabel returns what people call a field of a form, or its name where it has no other.
func fieldLabel(in *message.Printer, field string) template.HTML {
	if text := in.TextOr("", "new."+field); text != "" {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	return template.HTML("<code>" + template.HTMLEscapeString(field) + "</code>") //nolint:gosec // it is escaped
}

// tell returns markup of what the domain tells people, marked as English where it is not there in the reader's
// language.
func tell(in *message.Printer, said sentence.Sentence) template.HTML {
	text, own := in.Tell(said)
	if own {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	return template.HTML(`<span lang="en">` + template.HTMLEscapeString(text) + `</span>`) //nolint:gosec // it is escaped
}

// told returns what the domain tells people as plain text.
func told(in *message.Printer, said sentence.Sentence) string {
	text, _ := in.Tell(said)
	return text
}

// refusalOf returns the status of the answer to a refused command, what is told of it, and of single fields. It tells
// no more than REST does; nothing for a fault of the server.
func refusalOf(err error) (status int, said sentence.Sentence, fields []fieldFault) {
	known := problem.Of(err, "", "")
	detail := ""
	if known.Detail != nil {
		detail = *known.Detail
	}
	said, ok := sentence.In(err)
	if !ok || !strings.Contains(detail, said.String()) { // what wraps it is for the log
		said = sentence.Fixed(detail)
	}
	return known.Status, said, fieldFaults(err, known.Errors)
}

// fieldFaults returns the faults of single fields.
func fieldFaults(err error, known *[]gen.FieldError) (fields []fieldFault) {
	var faults tournament.FieldErrors
	var field *table.FieldError
	var refusal *command.Refusal
	switch {
	case errors.As(err, &faults):
		for _, f := range faults {
			fields = append(fields, fieldFault{f.Field, f.Sentence()})
		}
	case errors.As(err, &field):
		fields = append(fields, fieldFault{strings.TrimPrefix(field.Pointer, "/"), field.Sentence()})
	case errors.As(err, &refusal):
		for _, f := range refusal.Fields {
			if f.Said.IsZero() {
				f.Said = sentence.Fixed(f.Detail)
			}
			fields = append(fields, fieldFault{strings.TrimPrefix(f.Pointer, "/"), f.Said})
		}
	case known != nil:
		for _, f := range *known {
			fields = append(fields, fieldFault{strings.TrimPrefix(f.Pointer, "/"), sentence.Fixed(f.Detail)})
		}
	}
	return fields
}
