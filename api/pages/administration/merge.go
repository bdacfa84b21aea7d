package administration

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/kit"
	"quatuor/tournament/club"
)

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
