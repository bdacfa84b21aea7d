package rest

import (
	"context"
	"errors"
	"net/http"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/club"
)

// VisitSitDownResponse writes the answer, as does its sibling.
func (g *gameAnswer) VisitSitDownResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitLeaveSeatResponse writes the answer.
func (g *gameAnswer) VisitLeaveSeatResponse(w http.ResponseWriter) error { return g.write(w) }

// SitDown takes a seat of an open game.
func (a *API) SitDown(ctx context.Context, r gen.SitDownRequestObject) (gen.SitDownResponseObject, error) {
	var in command.Seat
	if r.Body != nil {
		in = command.Seat{Number: valueOf(r.Body.Seat), Code: valueOf(r.Body.Code)}
	}
	s, err := command.Sit.Run(ctx, a.commands, a.at(ctx, r.GameID, nil), in)
	return a.done(ctx, s, err)
}

// LeaveSeat leaves an open game before it begins.
func (a *API) LeaveSeat(ctx context.Context, r gen.LeaveSeatRequestObject) (gen.LeaveSeatResponseObject, error) {
	s, err := command.LeaveSeat.Run(ctx, a.commands, a.at(ctx, r.GameID, nil), wordOf(r.Body))
	return a.done(ctx, s, err)
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
	names, err := a.commands.PlayerNames(ctx, ids...)
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
