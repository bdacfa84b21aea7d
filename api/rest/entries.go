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
	"quatuor/tournament/club"
	"quatuor/tournament/presence"
)

// ListEntries lists a tournament's entries.
func (a *API) ListEntries(ctx context.Context, r gen.ListEntriesIn) (gen.ListEntriesOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	page, next, err := cut(t.Entries, r.Params.Limit, r.Params.Cursor, func(e tournament.Entry) string { return e.ID })
	if err != nil {
		return nil, err
	}
	items, err := a.entryViews(ctx, t, page...)
	return gen.ListEntries200JSON{
		Body: gen.EntryList{Items: items, NextCursor: optional(next)},
		Headers: gen.ListEntries200Headers{
			Link: nextLink("/tournaments/"+t.ID+"/entries", next, r.Params.Limit, nil),
		},
	}, err
}

// GetEntry shows an entry.
func (a *API) GetEntry(ctx context.Context, r gen.GetEntryIn) (gen.GetEntryOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	changed, err := a.entryAnswer(ctx, t, r.EntryID)
	if err != nil {
		return nil, err
	}
	return gen.GetEntry200JSON{Body: changed.Body, Headers: gen.GetEntry200Headers{ETag: changed.Headers.ETag}}, nil
}

// CreateEntry registers a player or a team.
func (a *API) CreateEntry(ctx context.Context, r gen.CreateEntryIn) (gen.CreateEntryOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	on, who := command.On{ID: t.ID}, auth.From(ctx)
	if r.Body.Entries != nil {
		return a.createEntries(ctx, on, *r.Body)
	}
	if r.Body.Bot != nil {
		return a.createBot(ctx, on, *r.Body)
	}
	e, err := a.entry(ctx, t, *r.Body)
	if err != nil {
		return nil, err
	}
	if (r.Body.Rating != nil || r.Body.Club != nil) && !auth.May(who.LevelIn(t), auth.EnterOthers) {
		return nil, command.Invalid("/rating", "only the organiser can set rating and club")
	}
	if t, err = command.AddEntry.Run(ctx, a.commands, on, &e); err != nil {
		return nil, err
	}
	return a.entryCreated(ctx, t, e.ID)
}

// entryCreated returns the response for an entry just created.
func (a *API) entryCreated(ctx context.Context, t *tournament.Tournament, id string) (gen.CreateEntryOut, error) {
	answer, err := a.entryAnswer(ctx, t, id)
	return gen.CreateEntry201JSON{Body: answer.Body, Headers: gen.CreateEntry201Headers{ETag: answer.Headers.ETag}}, err
}

// createBot enters a bot.
func (a *API) createBot(ctx context.Context, on command.On, sent gen.NewEntry) (gen.CreateEntryOut, error) {
	in := command.Bot{Level: *sent.Bot, Rating: valueOf(sent.Rating), Entry: new(tournament.Entry)}
	if _, err := command.AddBot.Check(ctx, a.commands, on.ID, in); err != nil {
		return nil, err
	}
	if sent.PlayerID != nil || sent.Members != nil || sent.Name != nil || sent.Club != nil {
		return nil, command.Invalid("/bot", "a bot has no players, name or club; send nothing but a rating with it")
	}
	t, err := command.AddBot.Run(ctx, a.commands, on, in)
	if err != nil {
		return nil, err
	}
	return a.entryCreated(ctx, t, in.Entry.ID)
}

// entry builds an entry from a request: a player, or a named team.
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
	if who := auth.From(ctx); t.Teams != nil && slices.Contains(members, who.PlayerID) {
		e.Captain = who.PlayerID
	}
	return e, a.setCaptain(ctx, &e, sent.Captain, sent.Deputies)
}

// setCaptain sets the captain and the deputies that were sent; they must be players.
func (a *API) setCaptain(ctx context.Context, e *tournament.Entry, captain *string, deputies *[]string) error {
	command.Set(&e.Captain, captain)
	command.Set(&e.Deputies, deputies)
	var ids []string
	if captain != nil {
		ids = append(ids, *captain)
	}
	players, err := a.People.Players(ctx, append(ids, valueOf(deputies)...))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, ok := players[id]; !ok {
			return command.Invalid("/captain", "there is no such player")
		}
	}
	for i, id := range valueOf(deputies) {
		if _, ok := players[id]; !ok {
			return command.Invalid(fmt.Sprintf("/deputies/%d", i), "there is no such player")
		}
	}
	return nil
}

// knownMembers returns an error that names the first unknown player.
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
func (a *API) UpdateEntry(ctx context.Context, r gen.UpdateEntryIn) (gen.UpdateEntryOut, error) {
	change := func(ctx context.Context, e *tournament.Entry) ([]club.Player, error) {
		command.Set(&e.Name, r.Body.Name)
		command.Set(&e.Rating, r.Body.Rating)
		command.Set(&e.Club, r.Body.Club)
		if err := a.setCaptain(ctx, e, r.Body.Captain, r.Body.Deputies); err != nil || r.Body.Members == nil {
			return nil, err
		}
		e.Members = *r.Body.Members
		return nil, a.knownMembers(ctx, e.Members)
	}
	on := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}
	changed, err := changeEntry(ctx, a, command.UpdateEntry, on, r.EntryID, command.EntryChange{
		ID: r.EntryID, Change: change,
	})
	return gen.UpdateEntry200JSON{EntryChangedJSON: changed}, err
}

// DeleteEntry deletes an entry before the start.
func (a *API) DeleteEntry(ctx context.Context, r gen.DeleteEntryIn) (gen.DeleteEntryOut, error) {
	_, err := command.RemoveEntry.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, r.EntryID)
	return gen.DeleteEntry204Response{}, err
}

// ConfirmEntry confirms that an entry takes part.
func (a *API) ConfirmEntry(ctx context.Context, r gen.ConfirmEntryIn) (gen.ConfirmEntryOut, error) {
	changed, err := changeEntry(ctx, a, command.ConfirmEntry, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.ConfirmEntry200JSON{EntryChangedJSON: changed}, err
}

// WithdrawEntry withdraws an entry; its members and the tournament's staff may.
func (a *API) WithdrawEntry(ctx context.Context, r gen.WithdrawEntryIn) (gen.WithdrawEntryOut, error) {
	changed, err := changeEntry(ctx, a, command.WithdrawEntry, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.WithdrawEntry200JSON{EntryChangedJSON: changed}, err
}

// ReinstateEntry reinstates a withdrawn entry.
func (a *API) ReinstateEntry(ctx context.Context, r gen.ReinstateEntryIn) (gen.ReinstateEntryOut, error) {
	changed, err := changeEntry(ctx, a, command.ReinstateEntry, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.ReinstateEntry200JSON{EntryChangedJSON: changed}, err
}

// changeEntry executes a command on an entry.
func changeEntry[In any](
	ctx context.Context, a *API, c command.Command[In], on command.On, id string, in In,
) (gen.EntryChangedJSON, error) {
	t, err := c.Run(ctx, a.commands, on, in)
	if err != nil {
		return gen.EntryChangedJSON{}, err
	}
	return a.entryAnswer(ctx, t, id)
}

func (a *API) entryAnswer(ctx context.Context, t *tournament.Tournament, id string) (gen.EntryChangedJSON, error) {
	e, err := command.Entry(access.View(auth.From(ctx), t), id)
	if err != nil {
		return gen.EntryChangedJSON{}, err
	}
	views, err := a.entryViews(ctx, t, e)
	if err != nil {
		return gen.EntryChangedJSON{}, err
	}
	return gen.EntryChangedJSON{Body: views[0], Headers: gen.EntryChangedHeaders{ETag: command.Tag(e)}}, nil
}

func (a *API) entryViews(
	ctx context.Context, t *tournament.Tournament, entries ...tournament.Entry,
) ([]gen.Entry, error) {
	var ids []string
	for _, e := range entries {
		ids = append(append(append(ids, e.Members...), e.Captain), e.Deputies...)
	}
	names, err := a.commands.Names.Of(ctx, ids...)
	if err != nil {
		return nil, err
	}
	views := make([]gen.Entry, len(entries))
	for i, e := range entries {
		views[i] = gen.Entry{
			ID: e.ID, Number: optional(e.Number), Name: e.Name, Members: []gen.PlayerRef{}, Bot: optional(e.Bot()),
			Rating: optional(e.Rating), Club: optional(e.Club), Status: gen.EntryStatus(e.Status),
			WithdrawnFrom: optional(e.WithdrawnFrom), Byes: byesView(e.Byes), Present: optional(presence.Here(t, e)),
		}
		if e.Bot() == 0 {
			views[i].Members = playerRefs(e.Members, names)
		}
		if e.Captain != "" {
			views[i].Captain = playerRef(e.Captain, names)
		}
		if len(e.Deputies) > 0 {
			views[i].Deputies = new(playerRefs(e.Deputies, names))
		}
		if e.Waits() {
			views[i].Awaiting = new(playerRefs(e.Awaiting, names))
		}
	}
	return views, nil
}

// AgreeToEntry confirms a player's place in a team entered by another account.
func (a *API) AgreeToEntry(ctx context.Context, r gen.AgreeToEntryIn) (gen.AgreeToEntryOut, error) {
	changed, err := changeEntry(ctx, a, command.Agree, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.AgreeToEntry200JSON{EntryChangedJSON: changed}, err
}

// DeclineEntry declines a player's place in a team entered by another account.
func (a *API) DeclineEntry(ctx context.Context, r gen.DeclineEntryIn) (gen.DeclineEntryOut, error) {
	changed, err := changeEntry(ctx, a, command.Decline, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
	return gen.DeclineEntry200JSON{EntryChangedJSON: changed}, err
}
