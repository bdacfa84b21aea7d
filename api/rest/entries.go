package rest

import (
	"context"
	"fmt"
	"slices"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/roster"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// ListEntries lists a tournament's entries.
func (a *API) ListEntries(ctx context.Context, r gen.ListEntriesRequestObject) (gen.ListEntriesResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	page, next, err := cut(t.Entries, r.Params.Limit, r.Params.Cursor, func(e tournament.Entry) string { return e.ID })
	if err != nil {
		return nil, err
	}
	items, err := a.entryViews(ctx, page...)
	return gen.ListEntries200JSONResponse{
		Body:    gen.EntryList{Items: items, NextCursor: optional(next)},
		Headers: gen.ListEntries200ResponseHeaders{Link: nextLink("/tournaments/"+t.ID+"/entries", next, r.Params.Limit, nil)},
	}, err
}

// GetEntry shows an entry.
func (a *API) GetEntry(ctx context.Context, r gen.GetEntryRequestObject) (gen.GetEntryResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	changed, err := a.entryAnswer(ctx, t, r.EntryID)
	if err != nil {
		return nil, err
	}
	return gen.GetEntry200JSONResponse{
		Body: changed.Body, Headers: gen.GetEntry200ResponseHeaders{ETag: changed.Headers.ETag},
	}, nil
}

// CreateEntry registers a player or a team.
func (a *API) CreateEntry(ctx context.Context, r gen.CreateEntryRequestObject) (gen.CreateEntryResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	if r.Body.Bot != nil {
		return a.createBot(ctx, t, *r.Body)
	}
	who := auth.From(ctx)
	e, err := a.entry(ctx, t, *r.Body)
	if err != nil {
		return nil, err
	}
	if (r.Body.Rating != nil || r.Body.Club != nil) && !auth.May(who.LevelIn(t), auth.EnterOthers) {
		return nil, command.Invalid("/rating", "only the organiser can set rating and club")
	}
	enter, action := a.Tournaments.AddEntry, auth.EnterOthers
	if !auth.May(who.LevelIn(t), auth.EnterOthers) && who.PlayerID != "" && slices.Contains(e.Members, who.PlayerID) {
		enter, action = a.Tournaments.Register, auth.EnterTournament
		e.Awaiting = slices.DeleteFunc(slices.Clone(e.Members), func(id string) bool { return id == who.PlayerID })
	}
	if err := who.Demand(who.LevelIn(t), action); err != nil {
		return nil, err
	}
	t, e, err = enter(ctx, t.ID, e, order(ctx))
	if err != nil {
		return nil, err
	}
	return a.entryCreated(ctx, t, e.ID)
}

// entryCreated answers with an entry that was just made.
func (a *API) entryCreated(ctx context.Context, t *tournament.Tournament, id string) (gen.CreateEntryResponseObject, error) {
	answer, err := a.entryAnswer(ctx, t, id)
	return gen.CreateEntry201JSONResponse{
		Body: answer.Body, Headers: gen.CreateEntry201ResponseHeaders{ETag: answer.Headers.ETag},
	}, err
}

// createBot enters a bot.
func (a *API) createBot(ctx context.Context, t *tournament.Tournament, sent gen.NewEntry) (gen.CreateEntryResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.LevelIn(t), auth.EnterOthers); err != nil {
		return nil, err
	}
	if sent.PlayerID != nil || sent.Members != nil || sent.Name != nil || sent.Club != nil {
		return nil, command.Invalid("/bot", "a bot has no players, name or club; send nothing but a rating with it")
	}
	t, e, err := a.Tournaments.AddBot(ctx, t.ID, *sent.Bot, valueOf(sent.Rating), order(ctx))
	if err != nil {
		return nil, err
	}
	return a.entryCreated(ctx, t, e.ID)
}

// entry makes an entry of what a client sent: one player, or a team by name.
func (a *API) entry(ctx context.Context, t *tournament.Tournament, sent gen.NewEntry) (tournament.Entry, error) {
	var e tournament.Entry
	members, pointer := valueOf(sent.Members), "/members"
	switch {
	case sent.PlayerID != nil && sent.Members != nil:
		return e, command.Invalid("/player_id", "name one player with player_id, or several with members, not both")
	case sent.PlayerID != nil:
		members, pointer = []string{*sent.PlayerID}, "/player_id"
	case sent.Name == nil:
		return e, command.Invalid("/name", "a team needs a name")
	}
	players, err := a.People.Players(ctx, members)
	if err != nil {
		return e, err
	}
	for i, id := range members {
		if _, ok := players[id]; !ok {
			if sent.PlayerID == nil {
				pointer = fmt.Sprintf("/members/%d", i)
			}
			return e, command.Invalid(pointer, "there is no such player")
		}
	}
	if e, err = roster.EntryOf(ctx, a.Ratings, t, valueOf(sent.Name), members, players); err != nil {
		return e, err
	}
	command.Set(&e.Club, sent.Club)
	command.Set(&e.Rating, sent.Rating)
	return e, nil
}

// entryTags returns the tag of an entry, for changes that build on it.
func entryTags(id string) func(*tournament.Tournament) ([]string, error) {
	return func(t *tournament.Tournament) ([]string, error) {
		e, err := entryOf(t, id)
		return []string{contentTag(e)}, err
	}
}

// knownMembers returns an error that names the first player whom there is not.
func (a *API) knownMembers(ctx context.Context, ids []string) error {
	players, err := a.People.Players(ctx, ids)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if _, ok := players[id]; !ok {
			return command.Invalid(fmt.Sprintf("/members/%d", i), "there is no such player")
		}
	}
	return nil
}

// UpdateEntry corrects an entry's name, rating, club or players.
func (a *API) UpdateEntry(ctx context.Context, r gen.UpdateEntryRequestObject) (gen.UpdateEntryResponseObject, error) {
	var changed *tournament.Tournament
	err := a.guarded(ctx, r.TournamentID, auth.PairRounds, r.Params.IfMatch, entryTags(r.EntryID),
		func(t *tournament.Tournament, o director.Order) error {
			e, err := entryOf(t, r.EntryID)
			if err != nil {
				return err
			}
			command.Set(&e.Name, r.Body.Name)
			command.Set(&e.Rating, r.Body.Rating)
			command.Set(&e.Club, r.Body.Club)
			if r.Body.Members != nil {
				if err := a.knownMembers(ctx, *r.Body.Members); err != nil {
					return err
				}
				e.Members = *r.Body.Members
			}
			changed, err = a.Tournaments.UpdateEntry(ctx, t.ID, e, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	answer, err := a.entryAnswer(ctx, changed, r.EntryID)
	return gen.UpdateEntry200JSONResponse{EntryChangedJSONResponse: answer}, err
}

// DeleteEntry strikes an entry out before the start.
func (a *API) DeleteEntry(ctx context.Context, r gen.DeleteEntryRequestObject) (gen.DeleteEntryResponseObject, error) {
	err := a.guarded(ctx, r.TournamentID, auth.RunTournament, r.Params.IfMatch, entryTags(r.EntryID),
		func(t *tournament.Tournament, o director.Order) error {
			_, err := a.Tournaments.RemoveEntry(ctx, t.ID, r.EntryID, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	return gen.DeleteEntry204Response{}, nil
}

// ConfirmEntry confirms that an entry takes part.
func (a *API) ConfirmEntry(ctx context.Context, r gen.ConfirmEntryRequestObject) (gen.ConfirmEntryResponseObject, error) {
	if _, err := a.allowed(ctx, r.TournamentID, auth.RunTournament); err != nil {
		return nil, err
	}
	changed, err := a.changeEntry(ctx, r.TournamentID, r.EntryID, a.Tournaments.ConfirmEntry)
	return gen.ConfirmEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// WithdrawEntry takes an entry out: its own members may, and who runs the tournament.
func (a *API) WithdrawEntry(ctx context.Context, r gen.WithdrawEntryRequestObject) (gen.WithdrawEntryResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	e, err := entryOf(t, r.EntryID)
	if err != nil {
		return nil, err
	}
	who, action := auth.From(ctx), auth.RunTournament
	if who.PlayerID != "" && slices.Contains(e.Members, who.PlayerID) {
		action = auth.EnterTournament
	}
	if err := who.Demand(who.LevelIn(t), action); err != nil {
		return nil, err
	}
	changed, err := a.changeEntry(ctx, r.TournamentID, r.EntryID, a.Tournaments.Withdraw)
	return gen.WithdrawEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}

// ReinstateEntry takes a withdrawn entry back.
func (a *API) ReinstateEntry(ctx context.Context, r gen.ReinstateEntryRequestObject) (gen.ReinstateEntryResponseObject, error) {
	if _, err := a.allowed(ctx, r.TournamentID, auth.RunTournament); err != nil {
		return nil, err
	}
	changed, err := a.changeEntry(ctx, r.TournamentID, r.EntryID, a.Tournaments.Reinstate)
	return gen.ReinstateEntry200JSONResponse{EntryChangedJSONResponse: changed}, err
}

func (a *API) changeEntry(ctx context.Context, id, entry string,
	do func(ctx context.Context, id, entry string, o director.Order) (*tournament.Tournament, error),
) (gen.EntryChangedJSONResponse, error) {
	t, err := do(ctx, id, entry, order(ctx))
	if err != nil {
		return gen.EntryChangedJSONResponse{}, err
	}
	return a.entryAnswer(ctx, t, entry)
}

func (a *API) entryAnswer(ctx context.Context, t *tournament.Tournament, id string) (gen.EntryChangedJSONResponse, error) {
	e, err := entryOf(access.View(auth.From(ctx), t), id)
	if err != nil {
		return gen.EntryChangedJSONResponse{}, err
	}
	views, err := a.entryViews(ctx, e)
	if err != nil {
		return gen.EntryChangedJSONResponse{}, err
	}
	return gen.EntryChangedJSONResponse{
		Body: views[0], Headers: gen.EntryChangedResponseHeaders{ETag: contentTag(e)},
	}, nil
}

func entryOf(t *tournament.Tournament, id string) (tournament.Entry, error) {
	e, ok := t.Entry(id)
	if !ok {
		return e, tournament.Refuse(tournament.ErrNotFound, "entry %q", id)
	}
	return e, nil
}

func (a *API) entryViews(ctx context.Context, entries ...tournament.Entry) ([]gen.Entry, error) {
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.Members...)
	}
	names, err := a.playerNames(ctx, ids...)
	if err != nil {
		return nil, err
	}
	views := make([]gen.Entry, len(entries))
	for i, e := range entries {
		views[i] = gen.Entry{
			ID: e.ID, Number: optional(e.Number), Name: e.Name, Members: []gen.PlayerRef{}, Bot: optional(e.Bot()),
			Rating: optional(e.Rating), Club: optional(e.Club), Status: gen.EntryStatus(e.Status),
			WithdrawnFrom: optional(e.WithdrawnFrom), Byes: byesView(e.Byes), Present: optional(e.Present),
		}
		for _, id := range e.Members {
			if e.Bot() == 0 {
				views[i].Members = append(views[i].Members, *playerRef(id, names))
			}
		}
		if e.Waits() {
			awaiting := make([]gen.PlayerRef, len(e.Awaiting))
			for j, id := range e.Awaiting {
				awaiting[j] = *playerRef(id, names)
			}
			views[i].Awaiting = &awaiting
		}
	}
	return views, nil
}
