package command

import (
	"context"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/hooks"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
)

// NewToken is an API token that was just made. Its secret is shown only now.
type NewToken struct {
	account.Credential
	Secret string
}

// CreateToken makes an API token. A token for a single tournament takes the right to make tokens there.
var CreateToken = ClubAct[auth.NewToken, NewToken]{
	Name: "create-token",
	Do: func(c ClubCall, in auth.NewToken) (made NewToken, err error) {
		if in.Tournament != "" {
			t, _, err := access.Tournament(c.Ctx, c, in.Tournament, c.Who)
			if err == nil {
				err = c.Who.Demand(c.Who.LevelIn(t), auth.MakeTokens)
			}
			if err != nil {
				return made, err
			}
		}
		made.Secret, made.Credential, err = c.Guard.NewAPIToken(c.Ctx, c.Who, in)
		return made, err
	},
}

// TournamentName returns the name of a tournament, "" if the identity in the context may not see it.
func (s *Service) TournamentName(ctx context.Context, tournament string) string {
	t, _, err := access.Tournament(ctx, s, tournament, auth.From(ctx))
	if err != nil {
		return ""
	}
	return t.Name
}

// CreateWebhook makes a webhook. Its secret is shown only now.
var CreateWebhook = onHooks("create-webhook", (*hooks.Service).Create)

// What identities do with a webhook of theirs; the input is its id.
var (
	DeleteWebhook = onHooks("delete-webhook", (*hooks.Service).Delete)
	EnableWebhook = onHooks("enable-webhook", (*hooks.Service).Enable)
	RotateWebhook = onHooks("rotate-webhook", (*hooks.Service).Rotate)
	TestWebhook   = onHooks("test-webhook", (*hooks.Service).Test)
)

// RedeliverWebhook sends a delivery once more; the input names it and its webhook.
var RedeliverWebhook = onHooks("redeliver-webhook",
	func(s *hooks.Service, ctx context.Context, d hook.Delivery) (hook.Delivery, error) {
		return s.Redeliver(ctx, d.HookID, d.ID)
	})

func onHooks[In, Out any](name string, do func(*hooks.Service, context.Context, In) (Out, error)) ClubAct[In, Out] {
	return ClubAct[In, Out]{Name: name, May: auth.ManageHooks, Do: func(c ClubCall, in In) (Out, error) {
		return do(c.Hooks, c.Ctx, in)
	}}
}
