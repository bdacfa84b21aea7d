package store

import (
	"context"
	"database/sql"
	"time"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/postgres"
	"quatuor/store/members"
)

// beatStatement stores a heartbeat, and by the server's clock whether it continues a run. It returns the living
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

// deadFor is how long the heartbeat of an instance is kept that has ended, in ms: what it tells about absences is long
// settled then.
const deadFor = 24 * 60 * 60 * 1000

// forgetDead removes the heartbeats of instances that ended long ago. Each start leaves a row, so each start removes
// some.
func (c *cluster) forgetDead(ctx context.Context) error {
	return c.db.Promptly(ctx, func(ctx context.Context, conn *sql.DB) error {
		_, err := conn.ExecContext(ctx, "DELETE FROM heartbeats WHERE seen_at > 0 AND seen_at < "+db.ServerTime+" / 1000 - $1", deadFor)
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

// peers is what instances know of each other through the database.
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
		runs = nil
		rows, err := conn.QueryContext(ctx, "SELECT run_at, seen_at, ended_at FROM heartbeats WHERE seen_at > 0")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r table.Run
			if err := rows.Scan(&r.From, &r.To, &r.Before); err != nil {
				return err
			}
			runs = append(runs, r)
		}
		return rows.Err()
	})
	return runs, db.About("read the heartbeats", err)
}

func (c *cluster) beat(ctx context.Context, self members.Member, at int64) (living []members.Beat, err error) {
	err = c.db.Promptly(ctx, func(ctx context.Context, conn *sql.DB) error {
		living = nil
		rows, err := conn.QueryContext(ctx, beatStatement, self.Instance, at, table.MaxSilence.Milliseconds(), self.Address, members.Window.Milliseconds())
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var b members.Beat
			if err := rows.Scan(&b.Instance, &b.Address, &b.Epoch, &b.SeenAt); err != nil {
				return err
			}
			living = append(living, b)
		}
		return rows.Err()
	})
	if err == nil && !c.tidied.Swap(true) {
		_ = c.forgetDead(ctx) // else the next start does it
	}
	return living, err
}
