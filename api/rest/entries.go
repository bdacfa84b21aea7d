package rest

import (
	"context"
	"slices"
	"strconv"
	"strings"

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
		Body: gen.EntryList{Items: items, NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
}

// GetEntry shows an entry.
func (a *API) GetEntry(ctx context.Context, r gen.GetEntryIn) (gen.GetEntryOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return a.entryAnswer(ctx, t, r.EntryID)
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
	return a.entryAnswer(ctx, t, e.ID)
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
	return a.entryAnswer(ctx, t, in.Entry.ID)
}

// entry builds an entry from a request: a player, or a named team.
func (a *API) entry(ctx context.Context, t *tournament.Tournament, sent gen.NewEntry) (tournament.Entry, error) {
	var e tournament.Entry
	members, pointer := valueOf(sent.Members), "/members/"
	switch {
	case sent.PlayerID != nil && sent.Members != nil:
		return e, command.Invalid("/player_id", "name one player with player_id, or several with members, not both")
	case sent.PlayerID != nil:
		members, pointer = []string{*sent.PlayerID}, "/player_id"
	case sent.Name == nil:
		return e, command.Invalid("/name", "a team needs a name")
	}
	players, err := a.knownPlayers(ctx, members, pointer)
	if err != nil {
		return e, err
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
	if captain != nil {
		if _, err := a.knownPlayers(ctx, []string{*captain}, "/captain"); err != nil {
			return err
		}
	}
	_, err := a.knownPlayers(ctx, valueOf(deputies), "/deputies/")
	return err
}

// knownPlayers returns players. The error points at the first that is unknown; a pointer to a list ends with a slash.
func (a *API) knownPlayers(ctx context.Context, ids []string, pointer string) (map[string]club.Player, error) {
	players, err := a.People.Players(ctx, ids)
	for i, id := range ids {
		if _, ok := players[id]; !ok && err == nil {
			if strings.HasSuffix(pointer, "/") {
				pointer += strconv.Itoa(i)
			}
			return nil, command.Invalid(pointer, "there is no such player")
		}
	}
	return players, err
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
		_, err := a.knownPlayers(ctx, e.Members, "/members/")
		return nil, err
	}
	on, in := command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, command.EntryChange{ID: r.EntryID, Change: change}
	return changeEntry(ctx, a, command.UpdateEntry, on, r.EntryID, in)
}

// DeleteEntry deletes an entry before the start.
func (a *API) DeleteEntry(ctx context.Context, r gen.DeleteEntryIn) (gen.DeleteEntryOut, error) {
	return done(command.RemoveEntry.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, r.EntryID))
}

// ConfirmEntry confirms that an entry takes part.
func (a *API) ConfirmEntry(ctx context.Context, r gen.ConfirmEntryIn) (gen.ConfirmEntryOut, error) {
	return changeEntry(ctx, a, command.ConfirmEntry, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
}

// WithdrawEntry withdraws an entry; its members and the tournament's staff may.
func (a *API) WithdrawEntry(ctx context.Context, r gen.WithdrawEntryIn) (gen.WithdrawEntryOut, error) {
	return changeEntry(ctx, a, command.WithdrawEntry, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
}

// ReinstateEntry reinstates a withdrawn entry.
func (a *API) ReinstateEntry(ctx context.Context, r gen.ReinstateEntryIn) (gen.ReinstateEntryOut, error) {
	return changeEntry(ctx, a, command.ReinstateEntry, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
}

// changeEntry executes a command on an entry.
func changeEntry[In any](
	ctx context.Context, a *API, c command.Command[In], on command.On, id string, in In,
) (gen.TaggedEntryJSON, error) {
	t, err := c.Run(ctx, a.commands, on, in)
	if err != nil {
		return gen.TaggedEntryJSON{}, err
	}
	return a.entryAnswer(ctx, t, id)
}

func (a *API) entryAnswer(ctx context.Context, t *tournament.Tournament, id string) (gen.TaggedEntryJSON, error) {
	e, err := command.Entry(access.View(auth.From(ctx), t), id)
	if err != nil {
		return gen.TaggedEntryJSON{}, err
	}
	views, err := a.entryViews(ctx, t, e)
	if err != nil {
		return gen.TaggedEntryJSON{}, err
	}
	return gen.TaggedEntryJSON{Body: views[0], Headers: gen.Tagged{ETag: command.Tag(e)}}, nil
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
			Captain: playerRef(e.Captain, names), Deputies: some(playerRefs(e.Deputies, names)),
		}
		if e.Bot() == 0 {
			views[i].Members = playerRefs(e.Members, names)
		}
		if e.Waits() {
			views[i].Awaiting = new(playerRefs(e.Awaiting, names))
		}
	}
	return views, nil
}

// AgreeToEntry confirms a player's place in a team entered by another account.
func (a *API) AgreeToEntry(ctx context.Context, r gen.AgreeToEntryIn) (gen.AgreeToEntryOut, error) {
	return changeEntry(ctx, a, command.Agree, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
}

// DeclineEntry declines a player's place in a team entered by another account.
func (a *API) DeclineEntry(ctx context.Context, r gen.DeclineEntryIn) (gen.DeclineEntryOut, error) {
	return changeEntry(ctx, a, command.Decline, command.On{ID: r.TournamentID}, r.EntryID, r.EntryID)
}
