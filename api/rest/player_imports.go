package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/roster"
)

// maxLineFaults is the maximum number of invalid lines listed in a response.
const maxLineFaults = 100

// ImportPlayers creates many players, all or none.
func (a *API) ImportPlayers(
	ctx context.Context, r gen.ImportPlayersRequestObject,
) (gen.ImportPlayersResponseObject, error) {
	who := auth.From(ctx)
	if err := command.CreatePlayers.Check(ctx, a.commands, nil); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	players, err := roster.ReadTable(text)
	var faults roster.Faults
	if errors.As(err, &faults) {
		return nil, refusedLines(faults)
	}
	if err != nil {
		return nil, err
	}
	if base := idOf(who, "players", r.Params.IdempotencyKey, string(text)); base != "" {
		for i := range players {
			players[i].ID = uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, base, i)).String()
		}
	}
	if players, err = command.CreatePlayers.Run(ctx, a.commands, players); err != nil {
		return nil, err
	}
	out := gen.ImportPlayers201JSONResponse{Items: make([]gen.Player, len(players))}
	for i, p := range players {
		out.Items[i] = player(who, p)
	}
	return out, nil
}

// refusedLines returns the error for a table of players with invalid lines.
func refusedLines(faults roster.Faults) error {
	if len(faults) == 1 && !strings.HasPrefix(faults[0].Detail, "line ") {
		return command.Invalid(faults[0].Pointer, faults[0].Detail)
	}
	refusal := &command.Refusal{Err: fmt.Errorf("%w: %w", command.ErrInvalid, faults)}
	for _, f := range faults[:min(len(faults), maxLineFaults)] {
		refusal.Fields = append(refusal.Fields, command.FieldError{Pointer: f.Pointer, Detail: f.Detail})
	}
	return refusal
}
