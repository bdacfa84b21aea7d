package rest

import (
	"context"
	"encoding/hex"
	"fmt"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/chance"
	"quatuor/engine/table"
	"quatuor/tournament/club"
)

// SitDown takes a seat of an open game.
func (a *API) SitDown(ctx context.Context, r gen.SitDownIn) (gen.SitDownOut, error) {
	sent := valueOf(r.Body)
	in := command.Seat{Number: valueOf(sent.Seat), Code: valueOf(sent.Code)}
	return act(ctx, a, command.Sit, a.at(r.GameID, nil), in)
}

// LeaveSeat leaves an open game before it begins.
func (a *API) LeaveSeat(ctx context.Context, r gen.LeaveSeatIn) (gen.LeaveSeatOut, error) {
	return act(ctx, a, command.LeaveSeat, a.at(r.GameID, nil), valueOf(valueOf(r.Body).Reason))
}

// ListBlocks lists the players blocked by the client's player.
func (a *API) ListBlocks(ctx context.Context, _ gen.ListBlocksIn) (gen.ListBlocksOut, error) {
	player, err := a.commands.OwnPlayer(ctx)
	if err != nil {
		return nil, err
	}
	return a.blocks(ctx, player.ID)
}

func (a *API) blocks(ctx context.Context, player string) (gen.BlockList, error) {
	blocks, err := a.People.Blocks(ctx, player)
	if err != nil {
		return gen.BlockList{}, err
	}
	ids := each(blocks, func(b club.Block) string { return b.Blocked })
	names, err := a.commands.Names.Of(ctx, ids...)
	return gen.BlockList{Items: each(blocks, func(b club.Block) gen.Block {
		return gen.Block{Player: *playerRef(b.Blocked, names), At: command.Moment(b.At)}
	})}, err
}

// BlockPlayer blocks challenges from a player.
func (a *API) BlockPlayer(ctx context.Context, r gen.BlockPlayerIn) (gen.BlockPlayerOut, error) {
	if _, err := command.Block.Run(ctx, a.commands, r.Body.PlayerID); err != nil {
		return nil, err
	}
	return a.blocks(ctx, auth.From(ctx).PlayerID)
}

// UnblockPlayer unblocks challenges from a player.
func (a *API) UnblockPlayer(ctx context.Context, r gen.UnblockPlayerIn) (gen.UnblockPlayerOut, error) {
	return done(command.Unblock.Run(ctx, a.commands, r.PlayerID))
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
	return act(ctx, a, do, a.at(r.GameID, &r.Body.Seat), sent)
}

// readDigest parses a SHA-256 in hex and returns it in lower case.
func readDigest(text string) (string, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(chance.Nonce{}) {
		return "", fmt.Errorf("the SHA-256 of a nonce is 64 hexadecimal digits, not %q", text)
	}
	return hex.EncodeToString(raw), nil
}
