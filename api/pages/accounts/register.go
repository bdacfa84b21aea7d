package accounts

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/kit"
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
