package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/postgres"
	"quatuor/store/members"
	"quatuor/tournament/account"
)

// beatStatement stores a heartbeat and, by the server's clock, whether it continues a run. It returns the living
// instances.
const beatStatement = `WITH clock AS MATERIALIZED (SELECT ` + db.ServerTime + ` / 1000 AS ms),
	mine AS (INSERT INTO heartbeats (instance, at, seen_at, run_at, ended_at, address, epoch)
		SELECT $1, $2::bigint, ms, ms, 0, $4, ms FROM clock
		ON CONFLICT (instance) DO UPDATE SET at = excluded.at, seen_at = excluded.seen_at,
			run_at = CASE WHEN excluded.seen_at - heartbeats.seen_at < $3 THEN heartbeats.run_at ELSE excluded.seen_at END,
			ended_at = CASE WHEN excluded.seen_at - heartbeats.seen_at < $3 THEN heartbeats.ended_at ELSE heartbeats.seen_at END
		RETURNING instance, address, epoch, seen_at)
	SELECT instance, address, epoch, seen_at FROM mine WHERE epoch > 0
	UNION ALL SELECT instance, address, epoch, seen_at FROM heartbeats
	WHERE instance <> $1 AND epoch > 0 AND seen_at > (SELECT ms FROM clock) - $5`

// deadFor is the time in ms that the heartbeat of a dead instance is kept: longer than any outage is settled.
const deadFor = 24 * 60 * 60 * 1000

// forgetDead removes the heartbeats of instances that ended long ago; each start leaves a heartbeat.
func (c *cluster) forgetDead(ctx context.Context) error {
	return c.db.Promptly(ctx, func(ctx context.Context, conn *sql.DB) error {
		_, err := conn.ExecContext(ctx, "DELETE FROM heartbeats WHERE seen_at > 0 AND seen_at < "+db.ServerTime+
			" / 1000 - $1", deadFor)
		return err
	})
}

// leave retracts the heartbeat of an instance.
func (c *cluster) leave(ctx context.Context, instance string) error {
	return c.db.Promptly(ctx, func(ctx context.Context, conn *sql.DB) error {
		_, err := conn.ExecContext(ctx, "UPDATE heartbeats SET epoch = 0 WHERE instance = $1", instance)
		return err
	})
}

// peers is the knowledge of each other that instances share through the database.
type peers struct{ db *postgres.DB }

// Clock returns the time by the clock of the database's server.
func (p peers) Clock(ctx context.Context) (time.Time, error) {
	var at int64
	err := p.db.Promptly(ctx, func(ctx context.Context, conn *sql.DB) error {
		return conn.QueryRowContext(ctx, "SELECT "+db.ServerTime).Scan(&at)
	})
	return time.UnixMicro(at).UTC(), db.About("ask for the time", err)
}

// Runs lists when instances were alive.
func (p peers) Runs(ctx context.Context) (runs []table.Run, err error) {
	err = p.db.Promptly(ctx, func(ctx context.Context, conn *sql.DB) error {
		rows, err := conn.QueryContext(ctx, "SELECT run_at, seen_at, ended_at FROM heartbeats WHERE seen_at > 0")
		runs, err = db.Collect(rows, err, func(r *table.Run) []any { return []any{&r.From, &r.To, &r.Before} })
		return err
	})
	return runs, db.About("read the heartbeats", err)
}

func (c *cluster) beat(ctx context.Context, self members.Member, at int64) (living []members.Beat, err error) {
	err = c.db.Promptly(ctx, func(ctx context.Context, conn *sql.DB) error {
		rows, err := conn.QueryContext(ctx, beatStatement, self.Instance, at, table.MaxSilence.Milliseconds(), self.Address,
			members.Window.Milliseconds())
		living, err = db.Collect(rows, err, func(b *members.Beat) []any {
			return []any{&b.Instance, &b.Address, &b.Epoch, &b.SeenAt}
		})
		return err
	})
	if err == nil && !c.tidied.Swap(true) {
		_ = c.forgetDead(ctx) // else the next start does it
	}
	return living, err
}

// Attempts limits the rate of attempts over all instances, by the server's clock.
type Attempts struct{ db *postgres.DB }

// Charge counts attempts, each if those before it were counted and it is allowed itself. Concurrent instances do not
// exceed the limit; the order of the keys prevents deadlocks.
func (a *Attempts) Charge(ctx context.Context, charges ...account.Charge) ([]account.Debt, error) {
	args := make([]any, 0, 3*len(charges))
	for _, c := range charges {
		args = append(args, c.Key, c.Interval, c.Tolerance)
	}
	type attempt struct {
		now          int64
		paid, before sql.NullInt64
	}
	rows, err := a.db.Pool().QueryContext(ctx, chargeStatement(len(charges)), args...)
	attempts, err := db.Collect(rows, err, func(t *attempt) []any { return []any{&t.now, &t.paid, &t.before} })
	if err != nil {
		return nil, db.About("count an attempt", err)
	}
	return db.Map(attempts, func(t *attempt) account.Debt {
		owed := t.before.Int64
		if t.paid.Valid {
			owed = t.paid.Int64
		}
		return account.Debt{Counted: t.paid.Valid, Ahead: max(0, owed-t.now)}
	}), nil
}

// chargeStatement counts a number of attempts. A rejected attempt locks its row without writing it; concurrent attempts
// with the same key wait for each other.
func chargeStatement(count int) string {
	var counted, asked strings.Builder
	for i := range count {
		key, cost, room, after := 3*i+1, 3*i+2, 3*i+3, ""
		if i > 0 {
			after = fmt.Sprintf(" WHERE EXISTS (SELECT FROM c%d)", i-1)
			asked.WriteString(" UNION ALL ")
		}
		fmt.Fprintf(&counted, `, c%d AS (INSERT INTO attempts AS a (key, paid_at) SELECT $%d, n.at + $%d::bigint FROM n%s
			ON CONFLICT (key) DO UPDATE SET paid_at = greatest(a.paid_at + $%d, excluded.paid_at)
			WHERE a.paid_at + 2 * $%d <= excluded.paid_at + $%d::bigint RETURNING paid_at)`, i, key, cost, after, cost, cost, room)
		fmt.Fprintf(&asked, "SELECT %d AS i, n.at, (SELECT paid_at FROM c%d) AS paid, (SELECT paid_at FROM attempts WHERE "+
			"key = $%d) AS before FROM n", i, i, key)
	}
	return "WITH n AS MATERIALIZED (SELECT " + db.ServerTime + " AS at)" + counted.String() +
		" SELECT at, paid, before FROM (" + asked.String() + ") asked ORDER BY i"
}

// TakeBack takes back attempts that were counted.
func (a *Attempts) TakeBack(ctx context.Context, charges ...account.Charge) error {
	keys, costs := make([]string, len(charges)), make([]int64, len(charges))
	for i, c := range charges {
		keys[i], costs[i] = c.Key, c.Interval
	}
	_, err := a.db.Pool().ExecContext(ctx, `WITH those AS MATERIALIZED (SELECT key FROM attempts WHERE key = ANY($1) ORDER BY key FOR UPDATE)
		UPDATE attempts a SET paid_at = a.paid_at - c.cost FROM those, unnest($1::text[], $2::bigint[]) AS c (key, cost)
		WHERE a.key = those.key AND c.key = those.key`, keys, costs)
	return db.About("take an attempt back", err)
}

// Forget removes keys without a debt, and returns their number. It waits for no attempt.
func (a *Attempts) Forget(ctx context.Context) (int64, error) {
	r, err := a.db.Pool().ExecContext(ctx, `DELETE FROM attempts WHERE key IN (
		SELECT key FROM attempts WHERE paid_at <= `+db.ServerTime+` FOR UPDATE SKIP LOCKED)`)
	if err != nil {
		return 0, db.About("forget attempts", err)
	}
	return r.RowsAffected()
}

type attemptRow struct {
	Key    string `gorm:"primaryKey"`
	PaidAt int64
}

func (attemptRow) TableName() string { return "attempts" }
