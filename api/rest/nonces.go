package rest

import (
	"context"
	"encoding/hex"
	"fmt"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/chance"
	"quatuor/engine/table"
)

// SendNonce accepts a seat's nonce for the game's seed, or its commitment to a nonce.
func (a *API) SendNonce(ctx context.Context, r gen.SendNonceRequestObject) (gen.SendNonceResponseObject, error) {
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
