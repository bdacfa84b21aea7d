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

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/message"
	"quatuor/api/pages/qrcode"
	"quatuor/api/problem"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/wording"
)

// AccountList lists accounts and the audit log, page by page.
type AccountList interface {
	ListAccounts(ctx context.Context, f account.Filter, limit int, cursor string) ([]account.Account, string, error)
	AdminLog(ctx context.Context, f adminlog.Filter, limit int, cursor string) ([]adminlog.Entry, string, error)
}

// Fault is the message above a refused form.
type Fault struct {
	Field string // name of the input at fault, "" for the whole form
	Text  string
}

// Fault returns the message and the status for a form refused with err. An err without a message is returned as it is:
// the sender cannot correct it.
func (k *Kit) Fault(c echo.Context, err error) (*Fault, int, error) {
	refusal := problem.RefusalOf(err)
	text := k.Reader(c).TextOr("", "accounts.fault."+refusal.Name)
	if text == "" {
		return nil, 0, err
	}
	problem.SetHeaders(c.Response().Header(), err, refusal.Status)
	return &Fault{refusal.Input, text}, refusal.Status, nil
}

// ErrBlankName refuses an empty or invalid name.
var ErrBlankName = InvalidInput("name", "person")

// InvalidInput returns an error about one input of a form; reason is the key of its message.
func InvalidInput(input, reason string) error {
	return &auth.InvalidField{Field: input, Reason: reason, Detail: reason}
}

// MaxPersonName is the maximum length of a name of a person or a club, characters, as in the API.
const MaxPersonName = 100

// CleanName normalises a name for storage; ErrBlankName if it is empty, too long or invalid.
func CleanName(text string) (string, error) {
	name, err := wording.Line.Clean(text, MaxPersonName)
	if err != nil {
		return "", ErrBlankName
	}
	return name, nil
}

// Link is a URL with its QR code.
type Link struct {
	Address string
	QR      template.HTML
	Until   int64 // expiry, ms UTC; 0 for none
}

// Link returns the absolute URL of a path of this service, with one query parameter unless name is "".
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

// Typed returns the trimmed value of an input; ErrUnreadable unless it is [Readable].
func Typed(c echo.Context, name string) (string, error) {
	text := c.FormValue(name)
	if !Readable(text) {
		return "", ErrUnreadable
	}
	return strings.TrimSpace(text), nil
}

// TypedAll is Typed for several inputs, by name.
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

// maxReason is the maximum length of a reason, characters, as in the API.
const maxReason = 500

// DeskReason normalises an optional reason.
func DeskReason(text string) (string, error) {
	cleaned, err := wording.Paragraph.Optional(text, maxReason)
	if err != nil {
		return "", tournament.Fault("reason", "%v", err)
	}
	return cleaned, nil
}

// DeskRefusal returns the status and the message of a refused command, without its fields. The status of an internal
// error is 0.
func DeskRefusal(err error) (status int, why sentence.Sentence) {
	status, why, _ = RefusalOf(err)
	if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
		return 0, sentence.Sentence{}
	}
	return status, why
}

// FieldFault is the message about one field of a refused form.
type FieldFault struct {
	Field string
	Said  sentence.Sentence
}

// fieldLabel returns the translated label of a field, or its name in <code> without one.
func fieldLabel(in *message.Printer, field string) template.HTML {
	if text := in.TextOr("", "new."+field); text != "" {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	return template.HTML("<code>" + template.HTMLEscapeString(field) + "</code>") //nolint:gosec // it is escaped
}

// Tell returns the translation of a domain message as HTML, in a span with lang="en" if only English exists.
func Tell(in *message.Printer, s sentence.Sentence) template.HTML {
	text, own := in.Tell(s)
	if own {
		return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
	}
	text = `<span lang="en">` + template.HTMLEscapeString(text) + `</span>`
	return template.HTML(text) //nolint:gosec // it is escaped
}

// Told returns the translation of a domain message as plain text.
func Told(in *message.Printer, s sentence.Sentence) string {
	text, _ := in.Tell(s)
	return text
}

// RefusalOf returns the status of a refused command, its message and those about single fields. They disclose no more
// than the problem document of the REST API; the message of an internal error is empty.
func RefusalOf(err error) (status int, why sentence.Sentence, fields []FieldFault) {
	known := problem.Of(err, "", "")
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

// Act is an entry of a tournament's audit trail.
type Act struct {
	Version int64
	At      int64
	Text    string
	Login   string // of the acting account; "" for the server and deleted accounts
}

// Alert is the message above a refused form of a tournament.
type Alert struct {
	Title     string
	Said      sentence.Sentence
	Fields    []FieldFault
	Meanwhile []Act // changes by others since the form was loaded
}

// Number parses a decimal number with a point or a comma; an empty field is 0.
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

// FieldReader parses the fields of a form and collects their faults.
type FieldReader struct {
	Form   url.Values
	Faults tournament.FieldErrors
}

// Refuse adds a fault about a field.
func (r *FieldReader) Refuse(field, format string, args ...any) {
	r.Faults = append(r.Faults, tournament.Fault(field, format, args...)...)
}

// Whole parses a field as a whole number from 0 to limit; an empty field is 0.
func (r *FieldReader) Whole(name string, limit int) int {
	return r.Number(name, strings.TrimSpace(r.Form.Get(name)), limit)
}

// Number parses text as a whole number from 0 to limit, "" as 0, and adds a fault about the field name otherwise.
func (r *FieldReader) Number(name, text string, limit int) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > limit {
		r.Refuse(name, "%q is not possible; write a whole number from 0 to %d", text, limit)
	}
	return n
}
