package rest

import (
	"context"

	"quatuor/engine/table"
)

type senderKey struct{}

// sender is where a request comes from, and when it came.
type sender struct {
	address string
	arrival *table.Arrival
}

// WithSender puts into the context of a request the address that it comes from and, if it acts on a game, its arrival,
// nil for none. The arrival is made as soon as the request has been read, long before the operation begins.
func WithSender(ctx context.Context, address string, arrival *table.Arrival) context.Context {
	return context.WithValue(ctx, senderKey{}, &sender{address, arrival})
}

func senderOf(ctx context.Context) sender {
	if s, ok := ctx.Value(senderKey{}).(*sender); ok {
		return *s
	}
	return sender{}
}

// Address gives the address that a request comes from, as far as it is known.
func Address(ctx context.Context) string { return senderOf(ctx).address }

// arrival gives the request's arrival; one that was not stamped earlier arrives now.
func (a *API) arrival(ctx context.Context, game string) *table.Arrival {
	if stamped := senderOf(ctx).arrival; stamped != nil {
		return stamped
	}
	return a.Tables.Arrive(game)
}
