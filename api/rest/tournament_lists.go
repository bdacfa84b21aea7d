package rest

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/director"
)

// ListTournaments lists tournaments, newest first. Drafts are listed only if the filter is for drafts alone, and only
// the viewer's own.
func (a *API) ListTournaments(
	ctx context.Context, r gen.ListTournamentsRequestObject,
) (gen.ListTournamentsResponseObject, error) {
	p := r.Params
	filter := director.Filter{Variant: valueOf(p.Variant), Player: valueOf(p.Player)}
	list := gen.TournamentList{Items: []gen.TournamentSummary{}}
	if statusFilter(&filter, auth.From(ctx), p.Status) {
		page, next, err := a.TournamentList.List(ctx, filter, pageLength(p.Limit), valueOf(p.Cursor))
		if err != nil {
			return nil, err
		}
		for _, s := range page {
			list.Items = append(list.Items, summary(s))
		}
		list.NextCursor = optional(next)
	}
	return gen.ListTournaments200JSONResponse{Body: list, Headers: gen.ListTournaments200ResponseHeaders{
		Link: nextLink("/tournaments", valueOf(list.NextCursor), p.Limit, map[string]string{
			"status": joined(p.Status), "variant": filter.Variant, "player": filter.Player,
		}),
	}}, nil
}

// statusFilter limits a filter to the named stages that the client may see; it reports whether any remain.
func statusFilter(f *director.Filter, who auth.Identity, named *[]gen.TournamentStatus) bool {
	if named == nil {
		f.Status = director.PublicStatuses
		return true
	}
	for _, s := range *named {
		f.Status = append(f.Status, tournament.Status(s))
	}
	if !slices.Contains(f.Status, tournament.Draft) || who.Role == account.RoleAdmin {
		return true
	}
	if len(f.Status) == 1 {
		f.Organiser = who.AccountID
		return !who.Anonymous()
	}
	f.Status = slices.DeleteFunc(f.Status, func(s tournament.Status) bool { return s == tournament.Draft })
	return len(f.Status) > 0
}

func summary(s director.Summary) gen.TournamentSummary {
	return gen.TournamentSummary{
		ID: s.ID, Name: s.Name, Variant: s.Variant, Format: gen.ShownFormat(s.Format), Rounds: optional(s.RoundCount),
		TimeControl: s.TimeControl, Status: gen.TournamentStatus(s.Status), Entries: s.Entries, RoundsPaired: s.Round,
		CreatedAt: command.Moment(s.CreatedAt),
		StartsAt:  command.OptionalMoment(s.StartsAt), StartedAt: command.OptionalMoment(s.StartedAt),
		FinishedAt: command.OptionalMoment(s.FinishedAt),
	}
}
