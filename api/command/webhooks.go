package command

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/hooks"
	"quatuor/tournament/hook"
)

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

func onHooks[In, Out any](
	name string, do func(*hooks.Service, context.Context, In) (Out, error),
) ClubAct[In, Out] {
	return ClubAct[In, Out]{Name: name, May: auth.ManageHooks, Do: func(c ClubCall, in In) (Out, error) {
		return do(c.Hooks, c.Ctx, in)
	}}
}
