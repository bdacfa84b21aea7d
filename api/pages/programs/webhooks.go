package programs

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/hooks"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
	"quatuor/tournament/hook"
)

// webhooksBody holds the data of the page of webhooks.
type webhooksBody struct {
	Hooks       []listedHook
	Tournaments []choice
	Kinds       []tournament.NewsKind
	Formats     []hook.Format
	Typed       map[string]string
	Fault       *fault
	Secret      string // of a webhook that was just made
}

type listedHook struct {
	hook.Hook
	In string // name of the only tournament that it is for
}

func (p *Pages) listed(ctx context.Context, h hook.Hook) listedHook {
	one := listedHook{Hook: h}
	if h.Tournament != "" {
		one.In = p.Commands.TournamentName(ctx, h.Tournament)
	}
	return one
}

func (p *Pages) webhooksBody(ctx context.Context, given map[string]string) (*webhooksBody, error) {
	body := &webhooksBody{
		Kinds: tournament.NewsKinds(), Formats: hook.Formats(),
		Typed: map[string]string{"name": "", "url": "", "tournament": "", "format": ""},
	}
	for name, text := range given {
		body.Typed[name] = text
	}
	have, err := p.Hooks.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, h := range have {
		body.Hooks = append(body.Hooks, p.listed(ctx, h))
	}
	body.Tournaments, err = p.run(ctx, auth.From(ctx))
	return body, err
}

func (p *Pages) webhooks(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	body, err := p.webhooksBody(c.Request().Context(), nil)
	if err != nil {
		return err
	}
	return p.Show(c, "webhooks", "", body)
}

func (p *Pages) makeWebhook(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	given, err := readable(c, "name", "url", "tournament", "format")
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	n := hooks.NewHook{
		Name: given["name"], URL: given["url"], Tournament: given["tournament"], Format: hook.Format(given["format"]),
	}
	for _, k := range c.Request().PostForm["kinds"] {
		n.Kinds = append(n.Kinds, tournament.NewsKind(k))
	}
	h, err := command.CreateWebhook.Run(ctx, p.Commands, n)
	status, f, secret := http.StatusCreated, (*fault)(nil), ""
	if err != nil {
		if f, status, err = p.refused(c, err); err != nil {
			return err
		}
	} else {
		given, secret = nil, hooks.SecretText(h.Secret)
	}
	body, err := p.webhooksBody(ctx, given)
	if err != nil {
		return err
	}
	body.Secret, body.Fault = secret, f
	return p.Answer(c, status, "webhooks", kit.Frame{Secret: secret != "", Body: body})
}

// webhookBody holds the data of the page of a webhook.
type webhookBody struct {
	Hook       listedHook
	Deliveries []hook.Delivery
	Failing    bool
	Secret     string // a new secret
}

func (p *Pages) webhookBody(c echo.Context) (*webhookBody, error) {
	ctx := c.Request().Context()
	h, list, err := p.Hooks.Deliveries(ctx, c.Param("id"))
	if err != nil {
		return nil, err
	}
	return &webhookBody{Hook: p.listed(ctx, h), Deliveries: list, Failing: h.Failures > 0 && h.DisabledAt == 0}, nil
}

func (p *Pages) webhook(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	body, err := p.webhookBody(c)
	if err != nil {
		return err
	}
	return p.Show(c, "webhook", "", body)
}

// rotate replaces the secret of a webhook, and the answer shows the new secret.
func (p *Pages) rotate(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	h, err := command.RotateWebhook.Run(c.Request().Context(), p.Commands, c.Param("id"))
	if err != nil {
		return err
	}
	body, err := p.webhookBody(c)
	if err != nil {
		return err
	}
	body.Secret = hooks.SecretText(h.Secret)
	return p.Answer(c, http.StatusCreated, "webhook", kit.Frame{Secret: true, Body: body})
}

// after returns the handler of a form that does something with a webhook and leads to a page; "" for its own.
func after[Out any](p *Pages, do command.ClubAct[string, Out], to, done string) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, ok, err := p.Session(c); !ok {
			return err
		}
		if _, err := do.Run(c.Request().Context(), p.Commands, c.Param("id")); err != nil {
			return err
		}
		if to == "" {
			return p.Back(c, "/me/webhooks/"+c.Param("id"), done)
		}
		return p.Back(c, to, done)
	}
}

func (p *Pages) redeliver(c echo.Context) error {
	if _, ok, err := p.Session(c); !ok {
		return err
	}
	in := hook.Delivery{HookID: c.Param("id"), ID: c.Param("delivery")}
	if _, err := command.RedeliverWebhook.Run(c.Request().Context(), p.Commands, in); err != nil {
		return err
	}
	return p.Back(c, "/me/webhooks/"+c.Param("id"), "webhook_queued")
}
