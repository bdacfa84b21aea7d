package rest

import (
	"context"

	"quatuor/api/gen"
)

// DeleteMe deletes the account of the request and its player.
func (a *API) DeleteMe(ctx context.Context, r gen.DeleteMeRequestObject) (gen.DeleteMeResponseObject, error) {
	return gen.DeleteMe204Response{}, a.commands.DeleteMe(ctx, r.Body.Password)
}

// DeletePlayer deletes a person.
func (a *API) DeletePlayer(
	ctx context.Context, r gen.DeletePlayerRequestObject,
) (gen.DeletePlayerResponseObject, error) {
	return gen.DeletePlayer204Response{}, a.commands.DeletePlayer(ctx, r.PlayerID)
}
