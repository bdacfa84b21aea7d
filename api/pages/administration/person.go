package administration

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/kit"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// personBody holds the admins' view of a person.
type personBody struct {
	Player  club.Player
	Account *account.Account // nil for a player without an account
	Own     bool             // it is the visitor's
	Fault   *accounts.Fault
}

// person serves the page of a person for admins.
func (p *Pages) person(c echo.Context) error {
	body, ok, err := p.personBody(c)
	if !ok {
		return err
	}
	return p.Show(c, "admin-player", "", body)
}

// personBody collects the data of the page; otherwise it answers and ok is false.
func (p *Pages) personBody(c echo.Context) (body *personBody, ok bool, err error) {
	who, ok, err := p.allowed(c, auth.DeletePlayers)
	if !ok {
		return nil, false, err
	}
	ctx := c.Request().Context()
	body = &personBody{}
	if body.Player, err = p.Players.Player(ctx, c.Param("id")); err != nil {
		return nil, false, err
	}
	if body.Player.AccountID != "" {
		owner, err := p.Players.Account(ctx, body.Player.AccountID)
		if err != nil {
			return nil, false, err
		}
		body.Account, body.Own = &owner, owner.ID == who.AccountID
	}
	return body, true, nil
}

// deletePerson deletes a person. Its box is ticked, so that a slip of the finger deletes no person.
func (p *Pages) deletePerson(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.DeletePlayers); !ok {
		return err
	}
	err := errUnconfirmed
	if c.FormValue("sure") != "" {
		_, err = command.DeletePlayer.Run(c.Request().Context(), p.Commands, c.Param("id"))
	}
	if err == nil {
		return p.Back(c, "/admin", "person_deleted")
	}
	fault, status, fatal := p.accounts.Fault(c, err)
	if fatal != nil {
		return fatal
	}
	body, ok, err := p.personBody(c)
	if !ok {
		return err
	}
	body.Fault = fault
	return p.Answer(c, status, "admin-player", kit.Frame{Body: body})
}

// errUnconfirmed refuses a deletion without the tick.
var errUnconfirmed = accounts.InvalidInput("sure", "unconfirmed")
