package rest

import (
	"context"

	"quatuor/engine/table"
)

// Sender is where a request comes from, and when it came.
type Sender struct {
	Address string
	// Arrival is that of a request which acts on a game, nil for all others. It is made as soon as the request has been
	// read, long before the operation begins.
	Arrival *table.Arrival
}

// SenderKey is the type of the key under which a request's context holds its [Sender], as a pointer.
type SenderKey struct{}

func senderOf(ctx context.Context) Sender {
	if s, ok := ctx.Value(SenderKey{}).(*Sender); ok {
		return *s
	}
	return Sender{}
}

// Address returns the address that a request comes from, "" if it is not known.
func Address(ctx context.Context) string { return senderOf(ctx).Address }

// seating returns a game as it was last known; who sits in it never changes once it has begun.
func (a *API) seating(ctx context.Context, game string) (*table.Snapshot, error) {
	if stamped := senderOf(ctx).Arrival; stamped != nil {
		if s := stamped.Known(); s != nil && s.Game.Status != table.Waiting {
			return s, nil
		}
	}
	return a.Tables.Snapshot(ctx, game)
}

// arrival returns the request's arrival; one that was not stamped earlier is stamped now.
func (a *API) arrival(ctx context.Context, game string) *table.Arrival {
	return Arrival(ctx, a.Tables, game)
}

// Arrival returns the arrival of the request at a game; one that was not stamped earlier is stamped now.
func Arrival(ctx context.Context, tables *table.Tables, game string) *table.Arrival {
	if stamped := senderOf(ctx).Arrival; stamped != nil {
		return stamped
	}
	return tables.Arrive(game)
}
