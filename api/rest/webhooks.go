package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/hooks"
	"quatuor/tournament"
	"quatuor/tournament/hook"
)

// ListWebhooks lists the account's webhooks.
func (a *API) ListWebhooks(ctx context.Context, _ gen.ListWebhooksIn) (gen.ListWebhooksOut, error) {
	have, err := a.Hooks.List(ctx)
	return gen.WebhookList{Items: a.webhooks(ctx, have)}, err
}

// CreateWebhook makes a webhook.
func (a *API) CreateWebhook(ctx context.Context, r gen.CreateWebhookIn) (gen.CreateWebhookOut, error) {
	n := hooks.NewHook{
		Name: r.Body.Name, URL: r.Body.URL, Tournament: valueOf(r.Body.TournamentID),
		Format: hook.Format(valueOf(r.Body.Format)), Kinds: retyped[tournament.NewsKind](r.Body.Kinds),
	}
	h, err := command.CreateWebhook.Run(ctx, a.commands, n)
	return a.webhookSecret(ctx, h), err
}

// GetWebhook shows a webhook.
func (a *API) GetWebhook(ctx context.Context, r gen.GetWebhookIn) (gen.GetWebhookOut, error) {
	h, _, err := a.Hooks.Deliveries(ctx, r.WebhookID)
	return a.webhook(ctx, h), err
}

// DeleteWebhook deletes a webhook.
func (a *API) DeleteWebhook(ctx context.Context, r gen.DeleteWebhookIn) (gen.DeleteWebhookOut, error) {
	return done(command.DeleteWebhook.Run(ctx, a.commands, r.WebhookID))
}

// EnableWebhook enables a webhook that was disabled.
func (a *API) EnableWebhook(ctx context.Context, r gen.EnableWebhookIn) (gen.EnableWebhookOut, error) {
	h, err := command.EnableWebhook.Run(ctx, a.commands, r.WebhookID)
	return a.webhook(ctx, h), err
}

// RotateWebhookSecret replaces the secret of a webhook.
func (a *API) RotateWebhookSecret(
	ctx context.Context, r gen.RotateWebhookSecretIn,
) (gen.RotateWebhookSecretOut, error) {
	h, err := command.RotateWebhook.Run(ctx, a.commands, r.WebhookID)
	return a.webhookSecret(ctx, h), err
}

// TestWebhook queues a delivery that tries a webhook out.
func (a *API) TestWebhook(ctx context.Context, r gen.TestWebhookIn) (gen.TestWebhookOut, error) {
	d, err := command.TestWebhook.Run(ctx, a.commands, r.WebhookID)
	return delivery(d), err
}

// ListWebhookDeliveries lists the last deliveries of a webhook.
func (a *API) ListWebhookDeliveries(
	ctx context.Context, r gen.ListWebhookDeliveriesIn,
) (gen.ListWebhookDeliveriesOut, error) {
	_, have, err := a.Hooks.Deliveries(ctx, r.WebhookID)
	return gen.WebhookDeliveryList{Items: each(have, delivery)}, err
}

// RedeliverWebhook sends a delivery once more.
func (a *API) RedeliverWebhook(ctx context.Context, r gen.RedeliverWebhookIn) (gen.RedeliverWebhookOut, error) {
	d, err := command.RedeliverWebhook.Run(ctx, a.commands, hook.Delivery{HookID: r.WebhookID, ID: r.DeliveryID})
	return delivery(d), err
}

func (a *API) webhookSecret(ctx context.Context, h hook.Hook) gen.WebhookSecret {
	return gen.WebhookSecret{Webhook: a.webhook(ctx, h), Secret: hooks.SecretText(h.Secret)}
}

func (a *API) webhooks(ctx context.Context, list []hook.Hook) []gen.Webhook {
	return each(list, func(h hook.Hook) gen.Webhook { return a.webhook(ctx, h) })
}

// webhook returns a webhook as its owner sees it: without its secrets.
func (a *API) webhook(ctx context.Context, h hook.Hook) gen.Webhook {
	v := gen.Webhook{
		ID: h.ID, Name: h.Name, URL: h.URL, Kinds: retyped[gen.NewsKind](h.Kinds), Format: gen.WebhookFormat(h.Format),
		CreatedAt: command.Moment(h.CreatedAt), Disabled: h.DisabledAt != 0,
		DisabledAt: command.OptionalMoment(h.DisabledAt), DisabledBecause: optional(h.DisabledWhy),
		FailingSince: command.OptionalMoment(h.FailingSince), Tournament: a.tournamentRef(ctx, h.Tournament),
	}
	if h.Failures > 0 && h.DisabledAt == 0 {
		v.NextAttemptAt = command.OptionalMoment(h.NextAt)
	}
	return v
}

func delivery(d hook.Delivery) gen.WebhookDelivery {
	v := gen.WebhookDelivery{
		ID: d.ID, WebhookID: hooks.MessageID(d), Kind: string(d.Kind), TournamentID: optional(d.Tournament),
		At: command.Moment(d.At), State: gen.WebhookDeliveryState(d.State), Attempts: d.Attempts,
		TriedAt: command.OptionalMoment(d.TriedAt), Status: optional(d.Status), Error: optional(d.Error),
	}
	if d.TriedAt != 0 {
		v.TookMs = &d.TookMs
	}
	return v
}
