package rest

import (
	"context"

	"quatuor/engine/table"
)

type arrivalKey struct{}

// WithArrival puts the arrival of a request for a game into its context. It is made as soon as the request has been
// read, long before the operation begins.
func WithArrival(ctx context.Context, a *table.Arrival) context.Context {
	return context.WithValue(ctx, arrivalKey{}, a)
}

// arrival gives the request's arrival; one that was not stamped earlier arrives now.
func (a *API) arrival(ctx context.Context, game string) *table.Arrival {
	if stamped, ok := ctx.Value(arrivalKey{}).(*table.Arrival); ok {
		return stamped
	}
	return a.Tables.Arrive(game)
}
