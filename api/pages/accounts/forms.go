package accounts

import (
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/tournament/wording"
)

// Fault is the message above a refused form.
type Fault struct {
	Field string // name of the input at fault, "" for the whole form
	Text  string
}

// Fault returns the message and the status for a form refused with err. An err without a message is returned as it is:
// the sender cannot correct it.
func (p *Pages) Fault(c echo.Context, err error) (*Fault, int, error) {
	refusal := problem.RefusalOf(err)
	text := p.Reader(c).TextOr("", "accounts.fault."+refusal.Name)
	if text == "" {
		return nil, 0, err
	}
	problem.SetHeaders(c.Response().Header(), err, refusal.Status)
	return &Fault{refusal.Input, text}, refusal.Status, nil
}

// errBlankName refuses an empty or invalid name.
var errBlankName = InvalidInput("name", "person")

// InvalidInput returns an error about an input of a form; reason is the key of its message.
func InvalidInput(input, reason string) error {
	return &auth.InvalidField{Field: input, Reason: reason, Detail: reason}
}

// maxPersonName is the maximum length of a name of a person or a club, characters, as in the API.
const maxPersonName = 100

// CleanName normalises a name for storage; errBlankName if it is empty, too long or invalid. Storing a person refuses
// club.ErrReserved.
func CleanName(text string) (string, error) {
	name, err := wording.Line.Clean(text, maxPersonName)
	if err != nil {
		return "", errBlankName
	}
	return name, nil
}

// typed returns the trimmed value of an input; kit.ErrUnreadable unless it is [kit.Readable].
func typed(c echo.Context, name string) (string, error) {
	text := c.FormValue(name)
	if !kit.Readable(text) {
		return "", kit.ErrUnreadable
	}
	return strings.TrimSpace(text), nil
}

// TypedAll is typed for several inputs, by name.
func TypedAll(c echo.Context, names ...string) (map[string]string, error) {
	all := make(map[string]string, len(names))
	for _, name := range names {
		text, err := typed(c, name)
		if err != nil {
			return nil, err
		}
		all[name] = text
	}
	return all, nil
}
