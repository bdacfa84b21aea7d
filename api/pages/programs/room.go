// Package programs is the pages for programs' credentials: tokens for a tournament, and webhooks.
package programs

import (
	"context"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/hooks"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Config holds the dependencies of these pages alone.
type Config struct {
	Accounts *auth.Guard
	Hooks    *hooks.Service
}

// Pages are the pages of tokens and webhooks.
type Pages struct {
	*kit.Kit
	Config
}

// New returns the pages.
func New(k *kit.Kit, c Config) *Pages { return &Pages{k, c} }

// Mount adds the pages.
func (p *Pages) Mount(e *echo.Echo) {
	p.Get(e, "/me/tokens", p.tokens)
	post := func(path string, handler echo.HandlerFunc) { p.Post(e, path, command.OnNothing, handler) }
	post("/me/tokens/tournament", p.makeToken)
	p.Get(e, "/me/webhooks", p.webhooks)
	p.Get(e, "/me/webhooks/:id", p.webhook)
	post("/me/webhooks", p.makeWebhook)
	post("/me/webhooks/:id/delete", after(p, command.DeleteWebhook, "/me/webhooks", "webhook_deleted"))
	post("/me/webhooks/:id/enable", after(p, command.EnableWebhook, "", "webhook_enabled"))
	post("/me/webhooks/:id/test", after(p, command.TestWebhook, "", "webhook_queued"))
	post("/me/webhooks/:id/secret", p.rotate)
	post("/me/webhooks/:id/deliveries/:delivery/again", p.redeliver)
}

// fault is the message above a refused form.
type fault struct{ Field, Text string }

// refused returns the message and the status for a form refused with err. An err without a message is returned as it is.
func (p *Pages) refused(c echo.Context, err error) (*fault, int, error) {
	refusal := problem.RefusalOf(err)
	text := p.Reader(c).TextOr("", "programs.fault."+refusal.Name)
	if text == "" {
		return nil, 0, err
	}
	problem.SetHeaders(c.Response().Header(), err, refusal.Status)
	return &fault{refusal.Input, text}, refusal.Status, nil
}

// choice is a tournament that the visitor runs.
type choice struct{ ID, Name string }

// maxListed is the number of the latest tournaments that are searched for those that the visitor runs.
const maxListed = 200

// run returns the tournaments that the visitor runs and that are not over, the latest first.
func (p *Pages) run(ctx context.Context, who auth.Identity) (list []choice, err error) {
	before := director.Filter{Status: []tournament.Status{
		tournament.Draft, tournament.Open, tournament.Closed, tournament.Running,
	}}
	page, _, err := p.TournamentList.List(ctx, before, maxListed, "")
	if err != nil {
		return nil, err
	}
	for _, listed := range page {
		t, err := p.Tournaments.Tournament(ctx, listed.ID)
		if err != nil {
			return nil, err
		}
		if who.Can(who.LevelIn(t), auth.MakeTokens) {
			list = append(list, choice{t.ID, t.Name})
		}
	}
	return list, nil
}

// readable returns the values of inputs; kit.ErrUnreadable unless each is [kit.Readable].
func readable(c echo.Context, names ...string) (map[string]string, error) {
	all := map[string]string{}
	for _, name := range names {
		all[name] = c.FormValue(name)
		if !kit.Readable(all[name]) {
			return nil, kit.ErrUnreadable
		}
	}
	return all, nil
}
