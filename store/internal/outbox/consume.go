package outbox

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/store/internal/postgres"
)

// Consumers divides the work of the consumers among the instances.
type Consumers interface {
	// Pending assigns places to all games that have ended, and returns a consumer's cursor and whether there may be
	// games after it.
	Pending(ctx context.Context, consumer string) (from int64, some bool, err error)
	// Consume returns when a consumer has taken the games that had ended: by catchUp here or, if another instance holds
	// the consumer's lease, there.
	Consume(ctx context.Context, e *Ended, consumer string, catchUp func(context.Context) error) error
}

// Alone is the consumers of the only instance on a database.
type Alone struct{ Reads *gorm.DB }

// Shared runs the consumers of an instance that shares PostgreSQL with others.
type Shared struct{ DB *postgres.DB }

var _, _ Consumers = Alone{}, Shared{}

// Pending returns a consumer's cursor and whether there are games after it.
func (a Alone) Pending(ctx context.Context, consumer string) (from int64, some bool, err error) {
	err = a.Reads.WithContext(ctx).Raw(`SELECT seq, EXISTS (SELECT 1 FROM outbox WHERE `+queues[queueOf(consumer)].rows+`
		AND seq > cursors.seq) FROM cursors WHERE consumer = ?`, consumer).Row().Scan(&from, &some)
	return from, some, db.About("read the place in the outbox", err)
}

// Consume calls catchUp.
func (Alone) Consume(ctx context.Context, _ *Ended, _ string, catchUp func(context.Context) error) error {
	return catchUp(ctx)
}

// Ended is the set of games that had ended at a moment, and the position of each consumer, as far as the consumers of a
// pass need it. It starts empty; on SQLite it stays so.
type Ended struct {
	Known bool
	last  int64 // place in the outbox
	reach [len(queues)]struct {
		at     int64 // the cursor
		behind bool  // there are games for it up to the last place
	}
}

// LookForEnds names the task of consumers in their errors.
const LookForEnds = "look for games that have ended"

// endedQuery returns the last place, and for each consumer its cursor and whether that is behind.
var endedQuery = func() string {
	columns := "last"
	for _, q := range queues {
		cursor := "(SELECT seq FROM cursors WHERE consumer = '" + q.consumer + "')"
		columns += ", " + cursor + ", EXISTS (SELECT FROM outbox WHERE " + q.rows + " AND seq > " + cursor +
			" AND seq <= last)"
	}
	return "SELECT " + columns + " FROM (SELECT coalesce(max(seq), 0) AS last FROM outbox WHERE seq > 0) ended"
}()

// Others is a condition that holds while consumers other than consumer have something to do, on PostgreSQL.
func Others(consumer string) string {
	others := "FALSE"
	for _, q := range queues {
		if q.consumer != consumer {
			others += " OR EXISTS (SELECT FROM outbox WHERE " + q.rows + " AND seq < 0) OR EXISTS (SELECT FROM outbox WHERE " +
				q.rows +
				" AND seq > (SELECT seq FROM cursors WHERE consumer = '" + q.consumer + "'))"
		}
	}
	return others
}

// Waiting returns how many games have ended that a consumer has not taken yet.
func Waiting(reads *gorm.DB, consumer string) (n int64, err error) {
	err = reads.Raw(`SELECT count(*) FROM outbox
		WHERE `+queues[queueOf(consumer)].rows+` AND (seq < 0 OR seq > (SELECT seq FROM cursors WHERE consumer = ?))`, consumer).Scan(&n).Error
	return n, db.About("count what waits in the outbox", err)
}

// AssignPlaces assigns places to all games that have ended, and returns these, in the same round trip as the commit:
// the lock never waits for this program.
func (s Shared) AssignPlaces(ctx context.Context) (e Ended, err error) {
	e.Known = true
	into := []any{&e.last}
	for i := range e.reach {
		into = append(into, &e.reach[i].at, &e.reach[i].behind)
	}
	err = s.DB.InOnePiece(ctx, []postgres.Call{{Text: givePlaces, Lock: PlacesLock}}, endedQuery, into...)
	return e, err
}

// Pending assigns places, and returns a consumer's cursor and whether there are games after it.
func (s Shared) Pending(ctx context.Context, consumer string) (from int64, some bool, err error) {
	e, err := s.AssignPlaces(ctx)
	r := e.reach[queueOf(consumer)]
	return r.at, r.behind, db.About(LookForEnds, err)
}

// LeaseWait is the maximum time that another instance may hold a lease without taking a game. A stalled holder loses
// the lease only with its connection.
const LeaseWait = 500 * time.Millisecond

// Consume runs catchUp under the consumer's lease, unless another instance takes the games first. If the holder of the
// lease is stalled, catchUp runs without it, and the cursor decides which work counts.
func (s Shared) Consume(ctx context.Context, e *Ended, consumer string, catchUp func(context.Context) error) error {
	if !e.Known {
		all, err := s.AssignPlaces(ctx)
		if err != nil {
			return db.About(LookForEnds, err)
		}
		*e = all
	}
	q := queueOf(consumer)
	r := e.reach[q]
	const behind = "SELECT seq < $2 FROM cursors WHERE consumer = $1"
	lease := postgres.Lease{Lock: queues[q].lease, Wait: LeaseWait, Due: behind, Args: []any{consumer, e.last}}
	for r.behind {
		worked, err := s.DB.WithLease(ctx, lease, catchUp)
		switch {
		case worked:
			return err
		case !errors.Is(err, postgres.ErrTaken):
			return db.About(LookForEnds, err)
		}
		before := r.at
		err = s.DB.Pool().QueryRowContext(ctx, "SELECT seq, seq < $2 FROM cursors WHERE consumer = $1", consumer, e.last).
			Scan(&r.at, &r.behind)
		switch {
		case err != nil:
			return db.About(LookForEnds, err)
		case r.behind && r.at == before:
			return catchUp(ctx)
		}
	}
	return nil
}
