package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/pairing"
)

// roundTags returns the tag of a round, published or not, for changes that build on it.
func roundTags(n int) func(*tournament.Tournament) ([]string, error) {
	return func(t *tournament.Tournament) ([]string, error) {
		if n < 1 || n > len(t.Rounds) {
			return nil, noRound(n)
		}
		return []string{contentTag(t.Rounds[n-1])}, nil
	}
}

// EditRound changes the pairings of the latest round by hand, or says what would come of it.
func (a *API) EditRound(ctx context.Context, r gen.EditRoundRequestObject) (gen.EditRoundResponseObject, error) {
	edits := make([]tournament.Edit, len(r.Body.Edits))
	for i, e := range r.Body.Edits {
		edits[i] = tournament.Edit{
			Kind: tournament.EditKind(e.Kind), Board: valueOf(e.Board), Entries: valueOf(e.Entries), Bye: tournament.Bye(valueOf(e.Bye)),
		}
	}
	var answer gen.EditRound200JSONResponse
	err := a.guarded(ctx, r.TournamentID, auth.PairRounds, r.Params.IfMatch, roundTags(r.Round),
		func(t *tournament.Tournament, o director.Order) error {
			next, err := a.edit(ctx, t.ID, r.Round, edits, *r.Body, o)
			if err != nil {
				return err
			}
			stored := next
			if valueOf(r.Body.DryRun) {
				stored = t
			}
			answer.Body = a.roundShown(next, r.Round, true)
			answer.Headers.ETag = contentTag(stored.Rounds[r.Round-1])
			return nil
		})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func (a *API) edit(ctx context.Context, id string, round int, edits []tournament.Edit, sent gen.RoundPatch, o director.Order) (*tournament.Tournament, error) {
	if valueOf(sent.DryRun) {
		return a.Tournaments.TryEdit(ctx, id, round, edits, o)
	}
	return a.Tournaments.EditRound(ctx, id, round, edits, valueOf(sent.Reason), o)
}

// PublishRound opens the games of the round that is drawn up.
func (a *API) PublishRound(ctx context.Context, r gen.PublishRoundRequestObject) (gen.PublishRoundResponseObject, error) {
	var changed *tournament.Tournament
	var start struct {
		after    int64
		together bool
	}
	if r.Body != nil {
		start.after, start.together = valueOf(r.Body.StartInMs), valueOf(r.Body.Together)
	}
	err := a.guarded(ctx, r.TournamentID, auth.PairRounds, ifSent(r.Params.IfMatch), roundTags(r.Round),
		func(t *tournament.Tournament, o director.Order) (err error) {
			if t.Rounds[r.Round-1].Status != tournament.Paired {
				return tournament.Refuse(tournament.ErrState, "round %d is published already", r.Round)
			}
			changed, err = a.Tournaments.PublishStarting(ctx, t.ID, start.after, start.together, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	return gen.PublishRound200JSONResponse{
		Body:    a.roundShown(changed, r.Round, true),
		Headers: gen.PublishRound200ResponseHeaders{ETag: contentTag(changed.Rounds[r.Round-1])},
	}, nil
}

// DeleteRound deletes the latest round while nothing was played in it.
func (a *API) DeleteRound(ctx context.Context, r gen.DeleteRoundRequestObject) (gen.DeleteRoundResponseObject, error) {
	err := a.guarded(ctx, r.TournamentID, auth.PairRounds, r.Params.IfMatch, roundTags(r.Round),
		func(t *tournament.Tournament, o director.Order) error {
			_, err := a.Tournaments.DropRound(ctx, t.ID, r.Round, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	return gen.DeleteRound204Response{}, nil
}

func warningViews(warnings []pairing.Warning) *gen.Warnings {
	if len(warnings) == 0 {
		return nil
	}
	out := make(gen.Warnings, len(warnings))
	for i, w := range warnings {
		out[i] = gen.Warning{Code: string(w.Breach), Article: optional(w.Article), Board: optional(w.Board), Text: w.Text.String()}
		if len(w.Entries) > 0 {
			out[i].Entries = &w.Entries
		}
	}
	return &out
}
