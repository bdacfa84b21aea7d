package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
)

// SetByes sets the rounds with a bye that an entry requests.
func (a *API) SetByes(ctx context.Context, r gen.SetByesIn) (gen.SetByesOut, error) {
	byes := make([]tournament.RequestedBye, len(r.Body.Items))
	for i, b := range r.Body.Items {
		byes[i] = tournament.RequestedBye{Round: b.Round, Bye: tournament.Bye(b.Bye)}
	}
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	changed, err := changeEntry(ctx, a, command.RequestByes, on, r.EntryID, command.Byes{Entry: r.EntryID, Byes: byes})
	return gen.SetByes200JSON{EntryChangedJSON: changed}, err
}

func byesView(byes []tournament.RequestedBye) *[]gen.EntryBye {
	if len(byes) == 0 {
		return nil
	}
	out := make([]gen.EntryBye, len(byes))
	for i, b := range byes {
		out[i] = gen.EntryBye{Round: b.Round, Bye: gen.ByeCode(b.Bye)}
	}
	return &out
}

// GetForbiddenPairs lists the forbidden pairs.
func (a *API) GetForbiddenPairs(ctx context.Context, r gen.GetForbiddenPairsIn) (gen.GetForbiddenPairsOut, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.SeeArbiters)
	if err != nil {
		return nil, err
	}
	return gen.GetForbiddenPairs200JSON{
		Body: forbiddenView(t), Headers: gen.GetForbiddenPairs200Headers{ETag: command.Tag(t.Forbidden)},
	}, nil
}

// SetForbiddenPairs replaces the forbidden pairs.
func (a *API) SetForbiddenPairs(ctx context.Context, r gen.SetForbiddenPairsIn) (gen.SetForbiddenPairsOut, error) {
	bans := make([]tournament.Ban, len(r.Body.Items))
	for i, b := range r.Body.Items {
		bans[i] = tournament.Ban{
			Entries: b.Entries, First: valueOf(b.FirstRound), Last: valueOf(b.LastRound), Why: valueOf(b.Reason),
		}
	}
	changed, err := command.SetForbidden.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, bans)
	if err != nil {
		return nil, err
	}
	return gen.SetForbiddenPairs200JSON{
		Body: forbiddenView(changed), Headers: gen.SetForbiddenPairs200Headers{ETag: command.Tag(changed.Forbidden)},
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
