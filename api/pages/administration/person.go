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

// mergeBody holds the data of the page that merges two records of a person.
type mergeBody struct {
	Query   string
	Players []club.Player // found by the name searched for
	Typed   map[string]string
	Fault   *accounts.Fault
}

func (p *Pages) mergeForm(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.MergePlayers); !ok {
		return err
	}
	body, err := p.mergeBody(c, c.QueryParam("name"), nil)
	if err != nil {
		return err
	}
	return p.Show(c, "merge", "", body)
}

func (p *Pages) mergeBody(c echo.Context, name string, given map[string]string) (*mergeBody, error) {
	body := &mergeBody{Query: name, Typed: given}
	if name == "" {
		return body, nil
	}
	var err error
	body.Players, _, err = p.Players.ListPlayers(c.Request().Context(), club.PlayerFilter{Name: name}, kit.PageLength, "")
	return body, err
}

func (p *Pages) merge(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.MergePlayers); !ok {
		return err
	}
	given, err := accounts.TypedAll(c, "keep", "gone", "both", "name")
	if err != nil {
		return err
	}
	if err := p.merged(c, given); err != nil {
		body, e := p.mergeBody(c, given["name"], given)
		if e != nil {
			return e
		}
		what, status, err := p.accounts.Fault(c, err)
		if err != nil {
			return err
		}
		body.Fault = what
		return p.Answer(c, status, "merge", kit.Frame{Body: body})
	}
	return p.Back(c, "/players/"+given["keep"], "players_merged")
}

func (p *Pages) merged(c echo.Context, given map[string]string) error {
	if given["keep"] == "" || given["gone"] == "" {
		return club.ErrMergeSame
	}
	m := club.Merge{Keep: given["keep"], Gone: given["gone"], BothAccounts: given["both"] != ""}
	_, err := command.MergePlayers.Run(c.Request().Context(), p.Commands, m)
	return err
}
