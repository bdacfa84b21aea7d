package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// EditRound changes the pairings of the latest round by hand; a dry run returns the result without storing it.
func (a *API) EditRound(ctx context.Context, r gen.EditRoundRequestObject) (gen.EditRoundResponseObject, error) {
	in := command.RoundEdit{Round: r.Round, Why: valueOf(r.Body.Reason), DryRun: valueOf(r.Body.DryRun)}
	for _, e := range r.Body.Edits {
		in.Edits = append(in.Edits, tournament.Edit{
			Kind: tournament.EditKind(e.Kind), Board: valueOf(e.Board),
			Entries: valueOf(e.Entries), Bye: tournament.Bye(valueOf(e.Bye)),
		})
	}
	next, err := command.EditRound.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, in)
	if err != nil {
		return nil, err
	}
	stored := next
	if in.DryRun {
		if stored, err = a.visible(ctx, r.TournamentID); err != nil {
			return nil, err
		}
	}
	return gen.EditRound200JSONResponse{
		Body:    a.roundShown(next, r.Round, true),
		Headers: gen.EditRound200ResponseHeaders{ETag: command.Tag(stored.Rounds[r.Round-1])},
	}, nil
}

// PublishRound publishes a draft round and opens its games.
func (a *API) PublishRound(
	ctx context.Context, r gen.PublishRoundRequestObject,
) (gen.PublishRoundResponseObject, error) {
	in := command.Publication{Round: r.Round}
	if r.Body != nil {
		in.After, in.Together = valueOf(r.Body.StartInMs), valueOf(r.Body.Together)
	}
	t, err := command.Publish.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, in)
	if err != nil {
		return nil, err
	}
	return gen.PublishRound200JSONResponse{
		Body:    a.roundShown(t, r.Round, true),
		Headers: gen.PublishRound200ResponseHeaders{ETag: command.Tag(t.Rounds[r.Round-1])},
	}, nil
}

// DeleteRound deletes the latest round while none of its games has been played.
func (a *API) DeleteRound(ctx context.Context, r gen.DeleteRoundRequestObject) (gen.DeleteRoundResponseObject, error) {
	_, err := command.DropRound.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, r.Round)
	return gen.DeleteRound204Response{}, err
}

func warningViews(warnings []pairing.Warning) *gen.Warnings {
	if len(warnings) == 0 {
		return nil
	}
	out := make(gen.Warnings, len(warnings))
	for i, w := range warnings {
		out[i] = gen.Warning{
			Code: string(w.Breach), Article: optional(w.Article), Board: optional(w.Board), Text: w.Text.String(),
		}
		if len(w.Entries) > 0 {
			out[i].Entries = &w.Entries
		}
	}
	return &out
}
