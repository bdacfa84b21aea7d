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
	byes := each(r.Body.Items, func(b gen.RequestedBye) tournament.RequestedBye {
		return tournament.RequestedBye{Round: b.Round, Bye: tournament.Bye(b.Bye)}
	})
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	return changeEntry(ctx, a, command.RequestByes, on, r.EntryID, command.Byes{Entry: r.EntryID, Byes: byes})
}

func byesView(byes []tournament.RequestedBye) *[]gen.EntryBye {
	return some(each(byes, func(b tournament.RequestedBye) gen.EntryBye {
		return gen.EntryBye{Round: b.Round, Bye: gen.ByeCode(b.Bye)}
	}))
}

// GetForbiddenPairs lists the forbidden pairs.
func (a *API) GetForbiddenPairs(ctx context.Context, r gen.GetForbiddenPairsIn) (gen.GetForbiddenPairsOut, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.SeeArbiters)
	if err != nil {
		return nil, err
	}
	return forbidden(ctx, t)
}

// SetForbiddenPairs replaces the forbidden pairs.
func (a *API) SetForbiddenPairs(ctx context.Context, r gen.SetForbiddenPairsIn) (gen.SetForbiddenPairsOut, error) {
	bans := each(r.Body.Items, func(b gen.ForbiddenGroup) tournament.Ban {
		return tournament.Ban{
			Entries: b.Entries, First: valueOf(b.FirstRound), Last: valueOf(b.LastRound), Why: valueOf(b.Reason),
		}
	})
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	return after(ctx, a, command.SetForbidden, on, bans, forbidden)
}

func forbidden(_ context.Context, t *tournament.Tournament) (gen.TaggedForbiddenPairsJSON, error) {
	items := each(t.Forbidden, func(b tournament.Ban) gen.ForbiddenGroup {
		return gen.ForbiddenGroup{
			Entries: b.Entries, FirstRound: optional(b.First), LastRound: optional(b.Last), Reason: optional(b.Why),
		}
	})
	return gen.TaggedForbiddenPairsJSON{
		Body: gen.ForbiddenPairs{Items: items}, Headers: gen.Tagged{ETag: command.Tag(t.Forbidden)},
	}, nil
}
