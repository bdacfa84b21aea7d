package rest

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/chance"
	"quatuor/engine/table"
)

// VisitSitDownResponse writes the answer, as does its sibling.
func (g *gameAnswer) VisitSitDownResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitLeaveSeatResponse writes the response.
func (g *gameAnswer) VisitLeaveSeatResponse(w http.ResponseWriter) error { return g.write(w) }

// SitDown takes a seat of an open game.
func (a *API) SitDown(ctx context.Context, r gen.SitDownIn) (gen.SitDownOut, error) {
	var in command.Seat
	if r.Body != nil {
		in = command.Seat{Number: valueOf(r.Body.Seat), Code: valueOf(r.Body.Code)}
	}
	s, err := command.Sit.Run(ctx, a.commands, a.at(r.GameID, nil), in)
	return a.done(ctx, s, err)
}

// LeaveSeat leaves an open game before it begins.
func (a *API) LeaveSeat(ctx context.Context, r gen.LeaveSeatIn) (gen.LeaveSeatOut, error) {
	s, err := command.LeaveSeat.Run(ctx, a.commands, a.at(r.GameID, nil), wordOf(r.Body))
	return a.done(ctx, s, err)
}

// ListBlocks lists the players blocked by the client's player.
func (a *API) ListBlocks(ctx context.Context, _ gen.ListBlocksIn) (gen.ListBlocksOut, error) {
	player, err := a.commands.OwnPlayer(ctx)
	if err != nil {
		return nil, err
	}
	list, err := a.blocks(ctx, player.ID)
	return gen.ListBlocks200JSON(list), err
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
	names, err := a.commands.Names.Of(ctx, ids...)
	if err != nil {
		return gen.BlockList{}, err
	}
	list := gen.BlockList{Items: make([]gen.Block, len(blocks))}
	for i, b := range blocks {
		list.Items[i] = gen.Block{Player: *playerRef(b.Blocked, names), At: command.Moment(b.At)}
	}
	return list, nil
}

// BlockPlayer blocks challenges from a player.
func (a *API) BlockPlayer(ctx context.Context, r gen.BlockPlayerIn) (gen.BlockPlayerOut, error) {
	if _, err := command.Block.Run(ctx, a.commands, r.Body.PlayerID); err != nil {
		return nil, err
	}
	list, err := a.blocks(ctx, auth.From(ctx).PlayerID)
	return gen.BlockPlayer200JSON(list), err
}

// UnblockPlayer unblocks challenges from a player.
func (a *API) UnblockPlayer(ctx context.Context, r gen.UnblockPlayerIn) (gen.UnblockPlayerOut, error) {
	_, err := command.Unblock.Run(ctx, a.commands, r.PlayerID)
	return gen.UnblockPlayer204Response{}, err
}

// SendNonce accepts a seat's nonce for the game's seed, or its commitment to a nonce.
func (a *API) SendNonce(ctx context.Context, r gen.SendNonceIn) (gen.SendNonceOut, error) {
	sent, do := table.Nonce{}, command.SendNonce
	var err error
	switch {
	case (r.Body.Nonce == nil) == (r.Body.Commitment == nil):
		return nil, command.Invalid("", "send either nonce or commitment, its SHA-256, which comes first")
	case r.Body.Nonce != nil:
		if sent.Nonce, err = chance.ParseNonce(*r.Body.Nonce); err != nil {
			return nil, command.Invalid("/nonce", err.Error())
		}
	default:
		do = command.CommitNonce
		if sent.Commitment, err = readDigest(*r.Body.Commitment); err != nil {
			return nil, command.Invalid("/commitment", err.Error())
		}
	}
	s, err := do.Run(ctx, a.commands, a.at(r.GameID, &r.Body.Seat), sent)
	return a.done(ctx, s, err)
}

// readDigest parses a SHA-256 in hex and returns it in lower case.
func readDigest(text string) (string, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(chance.Nonce{}) {
		return "", fmt.Errorf("the SHA-256 of a nonce is 64 hexadecimal digits, not %q", text)
	}
	return hex.EncodeToString(raw), nil
}
