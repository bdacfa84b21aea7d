package rest

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// SetByes sets the rounds in which an entry asks not to be paired.
func (a *API) SetByes(ctx context.Context, r gen.SetByesRequestObject) (gen.SetByesResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	e, err := entryOf(t, r.EntryID)
	if err != nil {
		return nil, err
	}
	byes := make([]tournament.RequestedBye, len(r.Body.Items))
	full := false
	for i, b := range r.Body.Items {
		byes[i] = tournament.RequestedBye{Round: b.Round, Bye: tournament.Bye(b.Bye)}
		full = full || byes[i].Bye == tournament.FullPoint && !slices.Contains(e.Byes, byes[i])
	}
	who, action := auth.From(ctx), auth.PairRounds
	if who.PlayerID != "" && slices.Contains(e.Members, who.PlayerID) && !full && !who.Can(who.LevelIn(t), action) {
		action = auth.EnterTournament
	}
	var changed *tournament.Tournament
	err = a.guarded(ctx, r.TournamentID, action, r.Params.IfMatch, entryTags(r.EntryID),
		func(t *tournament.Tournament, o director.Order) error {
			changed, err = a.Tournaments.RequestByes(ctx, t.ID, r.EntryID, byes, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	answer, err := a.entryAnswer(ctx, changed, r.EntryID)
	return gen.SetByes200JSONResponse{EntryChangedJSONResponse: answer}, err
}

func byesView(byes []tournament.RequestedBye) *[]gen.RequestedBye {
	if len(byes) == 0 {
		return nil
	}
	out := make([]gen.RequestedBye, len(byes))
	for i, b := range byes {
		out[i] = gen.RequestedBye{Round: b.Round, Bye: gen.RequestedByeBye(b.Bye)}
	}
	return &out
}

// GetForbiddenPairs lists who is not to meet whom.
func (a *API) GetForbiddenPairs(ctx context.Context, r gen.GetForbiddenPairsRequestObject) (gen.GetForbiddenPairsResponseObject, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.SeeArbiters)
	if err != nil {
		return nil, err
	}
	return gen.GetForbiddenPairs200JSONResponse{
		Body: forbiddenView(t), Headers: gen.GetForbiddenPairs200ResponseHeaders{ETag: contentTag(t.Forbidden)},
	}, nil
}

// SetForbiddenPairs says who is not to meet whom.
func (a *API) SetForbiddenPairs(ctx context.Context, r gen.SetForbiddenPairsRequestObject) (gen.SetForbiddenPairsResponseObject, error) {
	bans := make([]tournament.Ban, len(r.Body.Items))
	for i, b := range r.Body.Items {
		bans[i] = tournament.Ban{Entries: b.Entries, First: valueOf(b.FirstRound), Last: valueOf(b.LastRound), Why: valueOf(b.Reason)}
	}
	var changed *tournament.Tournament
	tags := func(t *tournament.Tournament) ([]string, error) { return []string{contentTag(t.Forbidden)}, nil }
	err := a.guarded(ctx, r.TournamentID, auth.PairRounds, r.Params.IfMatch, tags,
		func(t *tournament.Tournament, o director.Order) (err error) {
			changed, err = a.Tournaments.SetForbidden(ctx, t.ID, bans, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	return gen.SetForbiddenPairs200JSONResponse{
		Body: forbiddenView(changed), Headers: gen.SetForbiddenPairs200ResponseHeaders{ETag: contentTag(changed.Forbidden)},
	}, nil
}

func forbiddenView(t *tournament.Tournament) gen.ForbiddenPairs {
	v := gen.ForbiddenPairs{Items: make([]gen.ForbiddenGroup, len(t.Forbidden))}
	for i, b := range t.Forbidden {
		v.Items[i] = gen.ForbiddenGroup{
			Entries: b.Entries, FirstRound: optional(b.First), LastRound: optional(b.Last), Reason: optional(b.Why),
		}
	}
	return v
}
