package programs

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
)

// tokensBody holds the data of the page of tokens.
type tokensBody struct {
	Tokens      []listedToken
	Tournaments []choice
	Scopes      []auth.Scope
	Typed       map[string]string
	Fault       *fault
	Secret      string // of a token that was just made
}

type listedToken struct {
	account.Credential
	In string // name of the only tournament that it is for
}

func (p *Pages) tokensBody(ctx context.Context, given map[string]string) (*tokensBody, error) {
	who := auth.From(ctx)
	body := &tokensBody{Scopes: auth.TournamentScopes(), Typed: map[string]string{"name": "", "expires": "", "tournament": ""}}
	for name, text := range given {
		body.Typed[name] = text
	}
	have, err := p.Accounts.APITokens(ctx, who.AccountID)
	if err != nil {
		return nil, err
	}
	for _, c := range have {
		one := listedToken{Credential: c}
		if c.Tournament != "" {
			one.In = p.Commands.TournamentName(ctx, c.Tournament)
		}
		body.Tokens = append(body.Tokens, one)
	}
	body.Tournaments, err = p.run(ctx, who)
	return body, err
}

func (p *Pages) tokens(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	body, err := p.tokensBody(c.Request().Context(), nil)
	if err != nil {
		return err
	}
	return p.Show(c, "tokens", "", body)
}

func (p *Pages) makeToken(c echo.Context) error {
	_, ok, err := p.Session(c)
	if !ok {
		return err
	}
	given, err := readable(c, "name", "expires", "tournament")
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	n := auth.NewToken{Name: given["name"], Tournament: given["tournament"]}
	for _, scope := range c.Request().PostForm["scopes"] {
		n.Scopes = append(n.Scopes, auth.Scope(scope))
	}
	secret, err := p.newToken(ctx, n, given["expires"])
	status, f := http.StatusCreated, (*fault)(nil)
	if err != nil {
		if f, status, err = p.refused(c, err); err != nil {
			return err
		}
	} else {
		given = nil
	}
	body, err := p.tokensBody(ctx, given)
	if err != nil {
		return err
	}
	body.Secret, body.Fault = secret, f
	return p.Answer(c, status, "tokens", kit.Frame{Secret: secret != "", Body: body})
}

func (p *Pages) newToken(ctx context.Context, n auth.NewToken, day string) (string, error) {
	if n.Name == "" || len(n.Scopes) == 0 || n.Tournament == "" {
		return "", hook.ErrInvalid
	}
	if day != "" {
		last, err := time.ParseInLocation(time.DateOnly, day, p.Zone())
		if err != nil {
			return "", auth.ErrExpiry
		}
		n.Expires = last.AddDate(0, 0, 1) // its last day is meant whole
	}
	made, err := command.CreateToken.Run(ctx, p.Commands, n)
	return made.Secret, err
}
