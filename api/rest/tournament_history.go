package rest

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/scoring"
)

// GetHistory lists the acts on a tournament: all of them for staff, the results of published rounds for others.
func (a *API) GetHistory(ctx context.Context, r gen.GetHistoryIn) (gen.GetHistoryOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	staff := runs(ctx, t)
	acts, err := access.Acts(ctx, a.Tournaments, t, staff)
	if err != nil {
		return nil, err
	}
	page, next, err := pageOf(acts, pageLength(r.Params.Limit), valueOf(r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	h := gen.History{Items: []gen.HistoryItem{}, NextCursor: optional(next)}
	if staff {
		if act, may := command.MayUndo(auth.From(ctx), t, acts, a.Tournaments.Undoable(t, acts)); may {
			h.Undoable = &act.Version
		}
	}
	accounts := map[string]account.Account{}
	for _, act := range page {
		item := historyItem(t, act)
		if staff {
			if err := a.addActor(ctx, t, act, &item, accounts); err != nil {
				return nil, err
			}
		}
		h.Items = append(h.Items, item)
	}
	return gen.GetHistory200JSON{Body: h, Headers: a.linked(next)}, nil
}

// UndoAct undoes the latest act.
func (a *API) UndoAct(ctx context.Context, r gen.UndoActIn) (gen.UndoActOut, error) {
	return stage(ctx, a, command.Undo, r.TournamentID, r.Body.Act)
}

// historyItem returns an act without the person.
func historyItem(t *tournament.Tournament, act tournament.Act) gen.HistoryItem {
	item := gen.HistoryItem{
		Act: optional(act.Version), Kind: string(act.Kind), By: gen.HistoryItemByArbiter, At: command.Moment(act.At),
		Round: optional(act.Round), Board: optional(act.Board), Before: optional(act.Before), After: optional(act.After),
		Reason: optional(act.Why),
	}
	switch act.By {
	case tournament.ServerAccount:
		item.By = gen.HistoryItemByServer
	case scoring.PlayersAccount:
		item.By = gen.HistoryItemByPlayers
	}
	if e, ok := t.Entry(act.Entry); ok {
		item.Entry = new(entryRef(e))
	}
	return item
}

// addActor adds the person behind an act; a deleted account has no name.
func (a *API) addActor(
	ctx context.Context, t *tournament.Tournament, act tournament.Act,
	item *gen.HistoryItem, known map[string]account.Account,
) error {
	if act.By == tournament.ServerAccount || act.By == scoring.PlayersAccount {
		return nil
	}
	owner, ok := known[act.By]
	if !ok {
		var err error
		if owner, err = a.People.Account(ctx, act.By); err != nil && !errors.Is(err, account.ErrNotFound) {
			return err
		}
		known[act.By] = owner
	}
	if owner.ID == "" {
		return nil
	}
	item.Account = &gen.Arbiter{AccountID: owner.ID, Login: owner.Login}
	e, _ := t.Entry(act.Entry)
	if owner.PlayerID != "" && slices.Contains(e.Members, owner.PlayerID) && act.By != t.Organiser &&
		!slices.Contains(t.Arbiters, act.By) {
		item.By = gen.HistoryItemByPlayer
	}
	return nil
}

// badCursor is the error for a cursor not issued by an in-memory list.
type badCursor struct{}

// Error returns the text for the client.
func (badCursor) Error() string { return "this cursor is not from this list" }

// InvalidCursor marks the error as a cursor's, for package problem.
func (badCursor) InvalidCursor() {}

// pageOf returns a page of an append-only list; the cursor is the index where the next page begins.
func pageOf[T any](list []T, limit int, cursor string) (page []T, next string, err error) {
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 1 || from > len(list) {
			return nil, "", badCursor{}
		}
	}
	to := min(len(list), from+limit)
	if to < len(list) {
		next = strconv.Itoa(to)
	}
	return list[from:to], next, nil
}
