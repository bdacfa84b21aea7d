package rest

import (
	"context"
	"slices"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// ListGames lists games, newest first.
func (a *API) ListGames(ctx context.Context, r gen.ListGamesIn) (gen.ListGamesOut, error) {
	p := r.Params
	f := table.Filter{
		Status: retyped[table.Status](valueOf(p.Status)), Player: valueOf(p.Player), Variant: valueOf(p.Variant),
		Tournament: valueOf(p.Tournament),
	}
	if valueOf(p.Open) {
		if f.Tournament != "" || slices.ContainsFunc(f.Status, func(s table.Status) bool { return s != table.Waiting }) {
			return nil, command.InvalidQuery("open", "open games wait, and belong to no tournament")
		}
		f.Invited = true
		f.Listed = true
		f.Status = nil
	}
	return a.listGames(ctx, f, p.Limit, p.Cursor)
}

// ListPlayerGames lists a player's games, newest first.
func (a *API) ListPlayerGames(ctx context.Context, r gen.ListPlayerGamesIn) (gen.ListPlayerGamesOut, error) {
	if _, err := a.People.Player(ctx, r.PlayerID); err != nil {
		return nil, err
	}
	f := table.Filter{Status: retyped[table.Status](valueOf(r.Params.Status)), Player: r.PlayerID}
	return a.listGames(ctx, f, r.Params.Limit, r.Params.Cursor)
}

func (a *API) listGames(
	ctx context.Context, f table.Filter, limit *gen.Limit, cursor *gen.Cursor,
) (list gen.PagedGamesJSON, err error) {
	wanted := f.Status
	if slices.ContainsFunc(wanted, func(s table.Status) bool { return !s.Over() }) {
		// A delayed game may be seen in a state other than the current.
		f.Delayed = true
	}
	page, next, err := a.GameList.List(ctx, f, pageLength(limit), valueOf(cursor))
	if err == nil {
		page, err = a.seenRows(ctx, page, wanted)
	}
	if err != nil {
		return list, err
	}
	var ids []string
	for _, g := range page {
		ids = append(ids, g.Players...)
	}
	names, err := a.commands.Names.Of(ctx, ids...)
	list.Headers = a.linked(next)
	list.Body.NextCursor = optional(next)
	list.Body.Items = each(page, func(g table.Game) gen.GameSummary { return gameSummary(g, names) })
	return list, err
}

func gameSummary(g table.Game, names map[string]string) gen.GameSummary {
	summary := gen.GameSummary{
		ID: g.ID, Variant: g.Variant, Status: gen.GameStatus(g.Status), Turn: g.Turn, Plies: g.Plies,
		Awaited: g.Awaited, Seats: make([]gen.SummarySeat, g.Seats), TimeControl: g.Controls[0], Rated: g.Rated,
		Outcome: outcome(g.Outcome), Tournament: place(g.Tournament), CreatedAt: command.Moment(g.CreatedAt),
		StartedAt: command.OptionalMoment(g.StartedAt), FinishedAt: command.OptionalMoment(g.FinishedAt),
	}
	summary.Open, summary.Private = optional(g.Open), optional(g.Code != "")
	if g.Awaited == nil || g.Status == table.Waiting {
		summary.Awaited = []gen.Seat{}
	}
	var info engine.Info
	if rules, err := catalog.Find(g.Variant); err == nil {
		info = rules.Info()
	}
	if g.Hall {
		summary.Venue = optional(gen.Venue(tournament.InHall))
	}
	for i := range summary.Seats {
		summary.Seats[i] = gen.SummarySeat{
			Seat: int8(i + 1), Side: int8(info.SideOf(engine.Seat(i + 1))), Player: playerRef(g.Players[i], names),
		}
		if level := table.BotLevel(g.Players[i]); level > 0 {
			summary.Seats[i].Bot = &level
		}
		if g.Status == table.Waiting && g.Invited != 0 {
			accepted := !g.Invited.Has(int8(i + 1))
			summary.Seats[i].Accepted, summary.Seats[i].Open = &accepted, optional(g.Players[i] == "")
		}
	}
	return summary
}
