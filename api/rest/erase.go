package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
)

// DeleteMe deletes the account of the request and its player.
func (a *API) DeleteMe(ctx context.Context, r gen.DeleteMeRequestObject) (gen.DeleteMeResponseObject, error) {
	_, err := command.DeleteMe.Run(ctx, a.commands, r.Body.Password)
	return gen.DeleteMe204Response{}, err
}

// DeletePlayer deletes a person.
func (a *API) DeletePlayer(
	ctx context.Context, r gen.DeletePlayerRequestObject,
) (gen.DeletePlayerResponseObject, error) {
	_, err := command.DeletePlayer.Run(ctx, a.commands, r.PlayerID)
	return gen.DeletePlayer204Response{}, err
}
