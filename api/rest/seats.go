package rest

import (
	"context"
	"errors"
	"net/http"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/table"
	"quatuor/tournament/club"
)

// VisitSitDownResponse writes the answer, as does its sibling.
func (g *gameAnswer) VisitSitDownResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitLeaveSeatResponse writes the answer.
func (g *gameAnswer) VisitLeaveSeatResponse(w http.ResponseWriter) error { return g.write(w) }

// SitDown takes a seat of an open game.
func (a *API) SitDown(ctx context.Context, r gen.SitDownRequestObject) (gen.SitDownResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return nil, err
	}
	if who.PlayerID == "" {
		return nil, command.ErrNoPlayer
	}
	before, err := a.Tables.Snapshot(ctx, r.GameID)
	if err != nil {
		return nil, err
	}
	if err := access.MaySit(ctx, a.People, a.GameList, who.PlayerID, before.Game); err != nil {
		return nil, err
	}
	wanted := table.Sitting{By: who.AccountID, Player: who.PlayerID}
	if r.Body != nil {
		wanted.Seat, wanted.Code = valueOf(r.Body.Seat), valueOf(r.Body.Code)
	}
	s, err := a.Tables.Sit(ctx, a.arrival(ctx, r.GameID), wanted)
	if err != nil {
		return nil, err
	}
	a.Presence.Seen(s, who.PlayerID)
	return a.show(ctx, s, http.StatusOK)
}

// LeaveSeat leaves an open game before it begins.
func (a *API) LeaveSeat(ctx context.Context, r gen.LeaveSeatRequestObject) (gen.LeaveSeatResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return nil, err
	}
	why, err := a.declining(ctx, who, r.Body)
	if err != nil {
		return nil, err
	}
	s, err := a.Tables.LeaveSeat(ctx, a.arrival(ctx, r.GameID), who.AccountID, who.PlayerID, why)
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK)
}

// blocker returns the asker's player, who is to belong to the asker's account.
func (a *API) blocker(ctx context.Context) (string, error) {
	who := auth.From(ctx)
	if who.PlayerID == "" {
		return "", command.ErrNoPlayer
	}
	p, err := a.People.Player(ctx, who.PlayerID)
	if err == nil && p.AccountID != who.AccountID {
		err = command.ErrNoPlayer // another account has claimed it just now
	}
	return p.ID, err
}

// ListBlocks lists the players from whom the asker's player takes no challenges.
func (a *API) ListBlocks(ctx context.Context, _ gen.ListBlocksRequestObject) (gen.ListBlocksResponseObject, error) {
	player, err := a.blocker(ctx)
	if err != nil {
		return nil, err
	}
	list, err := a.blocks(ctx, player)
	return gen.ListBlocks200JSONResponse(list), err
}

func (a *API) blocks(ctx context.Context, player string) (gen.BlockList, error) {
	blocks, err := a.People.Blocks(ctx, player)
	if err != nil {
		return gen.BlockList{}, err
	}
	ids := make([]string, len(blocks))
	for i, b := range blocks {
		ids[i] = b.Blocked
	}
	names, err := a.playerNames(ctx, ids...)
	if err != nil {
		return gen.BlockList{}, err
	}
	list := gen.BlockList{Items: make([]gen.Block, len(blocks))}
	for i, b := range blocks {
		list.Items[i] = gen.Block{Player: *playerRef(b.Blocked, names), At: command.Moment(b.At)}
	}
	return list, nil
}

// BlockPlayer takes no challenges from a player.
func (a *API) BlockPlayer(ctx context.Context, r gen.BlockPlayerRequestObject) (gen.BlockPlayerResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return nil, err
	}
	player, err := a.blocker(ctx)
	if err != nil {
		return nil, err
	}
	if r.Body.PlayerID == player {
		return nil, command.Invalid("/player_id", "a player cannot block themselves")
	}
	err = a.People.Block(ctx, club.Block{Player: player, Blocked: r.Body.PlayerID, At: a.Now().UnixMilli()})
	if errors.Is(err, club.ErrNotFound) {
		return nil, command.Invalid("/player_id", club.ErrNotFound.Error())
	}
	if err != nil {
		return nil, err
	}
	list, err := a.blocks(ctx, player)
	return gen.BlockPlayer200JSONResponse(list), err
}

// UnblockPlayer takes challenges from a player again.
func (a *API) UnblockPlayer(ctx context.Context, r gen.UnblockPlayerRequestObject) (gen.UnblockPlayerResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return nil, err
	}
	player, err := a.blocker(ctx)
	if err != nil {
		return nil, err
	}
	return gen.UnblockPlayer204Response{}, a.People.Unblock(ctx, player, r.PlayerID)
}
