package kit

import (
	"context"
	"errors"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/message"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/qrcode"
	"quatuor/api/problem"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/wording"
)

// AccountList is the lists that the pages of accounts show, and what they change.
type AccountList interface {
	ListAccounts(ctx context.Context, f account.Filter, limit int, cursor string) ([]account.Account, string, error)
	AdminLog(ctx context.Context, f adminlog.Filter, limit int, cursor string) ([]adminlog.Entry, string, error)
}

// Fault is what a form says that was not carried out.
type Fault struct {
	Field string // the name of the input it is about, "" for the whole form
	Text  string
}

// Fault returns what to say of an error of a form, and the status of the answer; nil for errors that are not the
// sender's.
func (k *Kit) Fault(c echo.Context, err error) (*Fault, int, error) {
	refusal := problem.RefusalOf(err)
	text := k.Reader(c).TextOr("", "accounts.fault."+refusal.Name)
	if text == "" {
		return nil, 0, err
	}
	problem.SetHeaders(c.Response().Header(), err, refusal.Status)
	return &Fault{refusal.Input, text}, refusal.Status, nil
}

// ErrBlankName refuses a name that cannot be shown.
var ErrBlankName = InvalidInput("name", "person")

// InvalidInput refuses what was typed into an input; reason names the text that says why.
func InvalidInput(input, reason string) error {
	return &auth.InvalidField{Field: input, Reason: reason, Detail: reason}
}

// MaxPersonName is how many characters a person's name, or a club's, has at most, as in the API.
const MaxPersonName = 100

// CleanName returns a name in the form in which it is stored.
func CleanName(text string) (string, error) {
	name, err := wording.Line.Clean(text, MaxPersonName)
	if err != nil {
		return "", ErrBlankName
	}
	return name, nil
}

// Link is an address to hand on, with its QR code.
type Link struct {
	Address string
	QR      template.HTML
	Until   int64 // when it ends, ms UTC; 0 for never
}

// Link returns an address of this service with one parameter in its query, "" for none.
func (k *Kit) Link(c echo.Context, path, name, value string, until time.Time) (*Link, error) {
	l := &Link{Address: k.Address(c) + path}
	if name != "" {
		l.Address += "?" + url.Values{name: {value}}.Encode()
	}
	if !until.IsZero() {
		l.Until = until.UnixMilli()
	}
	title, err := k.Reader(c).Text("accounts.qr")
	if err != nil {
		return nil, err
	}
	l.QR, err = qrcode.SVG(l.Address, title)
	return l, err
}

// Typed returns what was typed into an input, refused where it is no word.
func Typed(c echo.Context, name string) (string, error) {
	text := c.FormValue(name)
	if !Readable(text) {
		return "", ErrUnreadable
	}
	return strings.TrimSpace(text), nil
}

// TypedAll is typed for several inputs.
func TypedAll(c echo.Context, names ...string) (map[string]string, error) {
	all := make(map[string]string, len(names))
	for _, name := range names {
		text, err := Typed(c, name)
		if err != nil {
			return nil, err
		}
		all[name] = text
	}
	return all, nil
}

// maxReason is the maximum length of a reason, in characters, as the API has it.
const maxReason = 500

// DeskReason returns the reason in a form in its normal form; "" is one.
func DeskReason(text string) (string, error) {
	cleaned, err := wording.Paragraph.Optional(text, maxReason)
	if err != nil {
		return "", tournament.Fault("reason", "%v", err)
	}
	return cleaned, nil
}

// DeskRefusal returns how a refused command is told where there is one line for it; status 0 stands for a fault of the
// server.
func DeskRefusal(err error) (status int, said sentence.Sentence) {
	status, said, _ = RefusalOf(err)
	if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
		return 0, sentence.Sentence{}
	}
	return status, said
}

// FieldFault is what a refused form says of one field.
type FieldFault struct {
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

// Tell returns markup of what the domain tells people, marked as English where it is not there in the reader's
// language.
func Tell(in *message.Printer, said sentence.Sentence) template.HTML {
	text, own := in.Tell(said)
	if own {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	return template.HTML(`<span lang="en">` + template.HTMLEscapeString(text) + `</span>`) //nolint:gosec // it is escaped
}

// Told returns what the domain tells people as plain text.
func Told(in *message.Printer, said sentence.Sentence) string {
	text, _ := in.Tell(said)
	return text
}

// RefusalOf returns the status of the answer to a refused command, what is told of it, and of single fields. It tells
// no more than REST does; nothing for a fault of the server.
func RefusalOf(err error) (status int, said sentence.Sentence, fields []FieldFault) {
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

// Act is something that was done with the tournament.
type Act struct {
	Version int64
	At      int64
	Text    string
	Login   string // of the account that did it; "" for the server, or if it is gone
}

// Alert says why a form was not carried out.
type Alert struct {
	Title     string
	Said      sentence.Sentence
	Fields    []FieldFault
	Meanwhile []Act // what others did since the form was loaded
}

// Number reads a number that may have decimals; an empty field is 0.
func Number(text, field string) (float64, error) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", ".")
	if text == "" {
		return 0, nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, tournament.Fault(field, "%q is not a number", text)
	}
	return value, nil
}

// FieldReader reads the fields of a form and collects what is wrong with them.
type FieldReader struct {
	Form   url.Values
	Faults tournament.FieldErrors
}

// Refuse adds a fault of a field.
func (r *FieldReader) Refuse(field, format string, args ...any) {
	r.Faults = append(r.Faults, tournament.Fault(field, format, args...)...)
}

// Whole returns a whole number from 0 to most; 0 for an empty field.
func (r *FieldReader) Whole(name string, most int) int {
	return r.Number(name, strings.TrimSpace(r.Form.Get(name)), most)
}

// Number reads a whole number from 0 to most, 0 for no text.
func (r *FieldReader) Number(name, text string, most int) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		r.Refuse(name, "%q is not possible; write a whole number from 0 to %d", text, most)
	}
	return n
}
