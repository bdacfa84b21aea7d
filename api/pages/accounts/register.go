package accounts

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/tournament/wording"
)

// registerBody holds the data of the page for opening an account.
type registerBody struct {
	Typed  map[string]string
	Fault  *Fault
	Due    bool // the installation is not set up yet
	Closed bool // people cannot open accounts here by themselves
	Invite bool // it takes an invitation, or the code of a player
}

// registerFields are the inputs that keep their text when a registration is refused, and the page to return to.
var registerFields = []string{"login", "name", "invitation", "claim", "bot", "next"}

func (p *Pages) registerForm(c echo.Context) error {
	if !auth.Session(c).Anonymous() {
		target := "/me"
		if code := c.QueryParam("claim"); code != "" {
			target += "?claim=" + code
		}
		return p.Back(c, target, "")
	}
	body, err := p.registerBody(c, map[string]string{
		"invitation": c.QueryParam("invitation"), "claim": c.QueryParam("claim"), "next": c.QueryParam("next"),
	})
	if err != nil {
		return err
	}
	return p.Answer(c, http.StatusOK, "register", kit.Frame{Secret: true, Body: body})
}

func (p *Pages) registerBody(c echo.Context, typed map[string]string) (*registerBody, error) {
	ctx := c.Request().Context()
	due, err := p.Accounts.NeedsSetup(ctx)
	who := p.Accounts.Registration(ctx)
	return &registerBody{Typed: typed, Due: due, Closed: who == auth.RegistrationClosed, Invite: who == auth.RegistrationInvite}, err
}

func (p *Pages) register(c echo.Context) error {
	given, err := TypedAll(c, registerFields...)
	if err != nil {
		return err
	}
	password := c.FormValue("password")
	if err := p.opened(c, given, password); err != nil {
		fault, status, fatal := p.Fault(c, err)
		if fatal != nil {
			return fatal
		}
		body, err := p.registerBody(c, given)
		if err != nil {
			return err
		}
		body.Fault = fault
		return p.Answer(c, status, "register", kit.Frame{Secret: true, Body: body})
	}
	if err := p.Enter(c, given["login"], password); err != nil {
		return err
	}
	if next := local(given["next"]); next != "/" {
		return p.Back(c, next, "registered")
	}
	return p.Back(c, "/me", "registered")
}

// opened opens the account of a form.
func (p *Pages) opened(c echo.Context, given map[string]string, password string) (err error) {
	name, bot := "", given["bot"] != ""
	switch {
	case bot && given["claim"] != "":
		return InvalidInput("claim", "bot_claim")
	case given["claim"] == "":
		if name, err = CleanName(given["name"]); err != nil {
			return err
		}
	}
	_, err = p.Accounts.Register(c.Request().Context(), auth.NewAccount{
		Login: given["login"], Password: password, PlayerName: name, Invitation: given["invitation"],
		ClaimCode: strings.TrimSpace(given["claim"]), Address: c.RealIP(), Bot: bot,
	})
	return err
}

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
