package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"quatuor/store/internal/db"
	"quatuor/store/internal/postgres"
	"quatuor/tournament/account"
)

// Attempts counts attempts of which only so many are allowed at all instances together, by the clock of the database's
// server.
type Attempts struct{ db *postgres.DB }

// Charge counts attempts, each if those before it were counted and it is allowed itself. Of those that come to several
// instances at the same time no more are counted than are allowed. The order of the keys keeps them from waiting for
// each other in a circle.
func (a *Attempts) Charge(ctx context.Context, charges ...account.Charge) ([]account.Debt, error) {
	args := make([]any, 0, 3*len(charges))
	for _, c := range charges {
		args = append(args, c.Key, c.Cost, c.Room)
	}
	rows, err := a.db.Pool().QueryContext(ctx, chargeStatement(len(charges)), args...)
	if err != nil {
		return nil, db.About("count an attempt", err)
	}
	defer rows.Close()
	debts := make([]account.Debt, 0, len(charges))
	for rows.Next() {
		var now int64
		var paid, before sql.NullInt64
		if err := rows.Scan(&now, &paid, &before); err != nil {
			return nil, db.About("count an attempt", err)
		}
		owed := before.Int64
		if paid.Valid {
			owed = paid.Int64
		}
		debts = append(debts, account.Debt{Counted: paid.Valid, Owed: max(0, owed-now)})
	}
	if err := rows.Err(); err != nil {
		return nil, db.About("count an attempt", err)
	}
	return debts, nil
}

// chargeStatement counts a number of attempts. A row that is not counted is locked and looked at, not written; one that
// two make at the same time, the second finds when the first has ended.
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
		fmt.Fprintf(&asked, "SELECT %d AS i, n.at, (SELECT paid_at FROM c%d) AS paid, (SELECT paid_at FROM attempts WHERE key = $%d) AS before FROM n", i, i, key)
	}
	return "WITH n AS MATERIALIZED (SELECT " + db.ServerTime + " AS at)" + counted.String() +
		" SELECT at, paid, before FROM (" + asked.String() + ") asked ORDER BY i"
}

// TakeBack takes back attempts that were counted.
func (a *Attempts) TakeBack(ctx context.Context, charges ...account.Charge) error {
	keys, costs := make([]string, len(charges)), make([]int64, len(charges))
	for i, c := range charges {
		keys[i], costs[i] = c.Key, c.Cost
	}
	_, err := a.db.Pool().ExecContext(ctx, `WITH those AS MATERIALIZED (SELECT key FROM attempts WHERE key = ANY($1) ORDER BY key FOR UPDATE)
		UPDATE attempts a SET paid_at = a.paid_at - c.cost FROM those, unnest($1::text[], $2::bigint[]) AS c (key, cost)
		WHERE a.key = those.key AND c.key = those.key`, keys, costs)
	return db.About("take an attempt back", err)
}

// Forget removes what is paid for, and returns how many keys that were. It waits for no attempt.
func (a *Attempts) Forget(ctx context.Context) (int64, error) {
	r, err := a.db.Pool().ExecContext(ctx, `DELETE FROM attempts WHERE key IN (
		SELECT key FROM attempts WHERE paid_at <= `+db.ServerTime+` FOR UPDATE SKIP LOCKED)`)
	if err != nil {
		return 0, db.About("forget attempts", err)
	}
	return r.RowsAffected()
}

// attemptRow is a row of attempts.
type attemptRow struct {
	Key    string `gorm:"primaryKey"`
	PaidAt int64
}

func (attemptRow) TableName() string { return "attempts" }
