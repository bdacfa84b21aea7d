package command

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

// Arrival returns the arrival of the request at a game; one that was not stamped earlier is stamped now.
func Arrival(ctx context.Context, tables *table.Tables, game string) *table.Arrival {
	if stamped := senderOf(ctx).Arrival; stamped != nil {
		return stamped
	}
	return tables.Arrive(game)
}
