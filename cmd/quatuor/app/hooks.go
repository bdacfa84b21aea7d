package app

import (
	"context"
	"net/netip"
	"strings"

	"quatuor/api/hooks"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/hook"
)

// hookOwner is the key that assigns the sending of webhooks to an instance: its owner.
const hookOwner = "webhooks"

// hookNetworks returns the networks of private addresses that webhooks may lead to.
func (c Config) hookNetworks() (all []netip.Prefix, err error) {
	for _, text := range c.HookNetworks {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, UsageErrorf("--webhook-networks takes networks such as 10.0.0.0/8, not %q", text)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}

// newHooks makes the service of webhooks.
func (a *App) newHooks() error {
	networks, err := a.config.hookNetworks()
	if err != nil {
		return err
	}
	c := hooks.Config{
		Store: a.Store.Hooks(), People: a.Store.People(), Tournaments: a.Director, Networks: networks,
		Address: strings.TrimRight(a.config.PublicURL, "/"), Club: a.Club.Current, Now: a.Tables.ServiceTime, Logger: a.logger,
		Mine: func() bool { return a.Store.Members().Mine(hookOwner) }, Disabled: a.hookDisabled,
	}
	adapt(&c, a.config.AdaptHooks)
	a.hooks = hooks.New(c)
	a.measures.countHooks(a.hooks.Sent, a.hooks.Failed)
	return nil
}

// hookDisabled has an e-mail sent to the owner of a webhook that was disabled.
func (a *App) hookDisabled(ctx context.Context, h hook.Hook) error {
	if a.mail == nil {
		return nil
	}
	return a.mail.HookDisabled(ctx, h.AccountID, h.Name)
}

// RunHooks sends to webhooks until ctx ends.
func (a *App) RunHooks(ctx context.Context) { a.hooks.Run(ctx) }

// hookWaker wakes the sender of webhooks when a tournament has changed.
type hookWaker struct{ app *App }

// TournamentChanged implements director.Notifier.
func (w hookWaker) TournamentChanged(*tournament.Tournament, director.Topic, director.Audience) {
	if w.app.hooks != nil {
		w.app.hooks.Wake()
	}
}
