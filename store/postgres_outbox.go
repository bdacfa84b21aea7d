package store

import (
	"context"
	"errors"
	"time"

	"quatuor/store/internal/postgres"
)

// givePlaces numbers the rows of the outbox that have no place yet.
const givePlaces = `UPDATE outbox SET seq = ended.place FROM (
		SELECT seq AS was, (SELECT coalesce(max(seq), 0) FROM outbox WHERE seq > 0) + row_number() OVER (ORDER BY seq DESC) AS place
		FROM outbox WHERE seq < 0
	) ended WHERE outbox.seq = ended.was`

// Ended is which games had ended at a moment, and how far each consumer had come, as far as the consumers of one pass
// need it. It starts empty; on SQLite it stays so.
type Ended struct {
	known bool
	last  int64 // place in the outbox
	reach [len(queues)]struct {
		at     int64 // the cursor
		behind bool  // there are games for it up to the last place
	}
}

const lookForEnds = "look for games that have ended"

// endedQuery asks for the last place, and for each consumer's cursor and whether that is behind.
var endedQuery = func() string {
	columns := "last"
	for _, q := range queues {
		cursor := "(SELECT seq FROM cursors WHERE consumer = '" + q.consumer + "')"
		columns += ", " + cursor + ", EXISTS (SELECT FROM outbox WHERE " + q.rows + " AND seq > " + cursor + " AND seq <= last)"
	}
	return "SELECT " + columns + " FROM (SELECT coalesce(max(seq), 0) AS last FROM outbox WHERE seq > 0) ended"
}()

// assignPlaces gives all games that have ended a place in the outbox, and returns which these are, in one round trip
// with the commit: the lock never waits for this program.
func (c *cluster) assignPlaces(ctx context.Context) (e Ended, err error) {
	e.known = true
	into := []any{&e.last}
	for i := range e.reach {
		into = append(into, &e.reach[i].at, &e.reach[i].behind)
	}
	err = c.db.InOnePiece(ctx, []postgres.Call{{Text: givePlaces, Lock: outboxLock}}, endedQuery, into...)
	return e, err
}

// leaseWait is how long another instance may hold a lease without taking a game. A stalled holder loses the lease only
// with its connection.
const leaseWait = 500 * time.Millisecond

// consume runs catchUp under the consumer's lease, unless another instance has taken the games meanwhile. If the holder
// of the lease is stalled, catchUp runs without it, and the cursor decides whose work counts.
func (c *cluster) consume(ctx context.Context, e *Ended, consumer string, catchUp func(context.Context) error) error {
	if !e.known {
		all, err := c.assignPlaces(ctx)
		if err != nil {
			return about(lookForEnds, err)
		}
		*e = all
	}
	q := queueOf(consumer)
	r := e.reach[q]
	const behind = "SELECT seq < $2 FROM cursors WHERE consumer = $1"
	lease := postgres.Lease{Lock: queues[q].lease, Wait: leaseWait, Due: behind, Args: []any{consumer, e.last}}
	for r.behind {
		worked, err := c.db.WithLease(ctx, lease, catchUp)
		switch {
		case worked:
			return err
		case !errors.Is(err, postgres.ErrTaken):
			return about(lookForEnds, err)
		}
		before := r.at
		err = c.db.Pool().QueryRowContext(ctx, "SELECT seq, seq < $2 FROM cursors WHERE consumer = $1", consumer, e.last).Scan(&r.at, &r.behind)
		switch {
		case err != nil:
			return about(lookForEnds, err)
		case r.behind && r.at == before:
			return catchUp(ctx)
		}
	}
	return nil
}

// pending assigns places, and returns a consumer's cursor and whether there are games after it.
func (c *cluster) pending(ctx context.Context, consumer string) (from int64, some bool, err error) {
	e, err := c.assignPlaces(ctx)
	r := e.reach[queueOf(consumer)]
	return r.at, r.behind, about(lookForEnds, err)
}
