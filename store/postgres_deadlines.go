package store

import (
	"cmp"
	"context"
	"slices"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
)

const (
	// duePage is the number of games checked together.
	duePage = 1000
	// duePages is the maximum of pages checked in a sweep.
	duePages = 10
)

// overdue checks the games that are due in the sweep index, and re-arms those without a fallen flag.
func (c *cluster) overdue(ctx context.Context, before int64, limit int) (overdue []table.Armed, err error) {
	for range duePages {
		list, err := c.due(ctx, before)
		if err != nil {
			return nil, err
		}
		overdue = overdue[:0]
		var moved []movedDue
		for _, r := range list {
			switch next := r.next(before); {
			case next > 0 && next < before && r.free:
				overdue = append(overdue, table.Armed{ID: r.game.GameID, Deadline: r.game.Deadline})
			case next == 0 || next >= before:
				moved = append(moved, movedDue{r.game.GameID, r.due, next})
			}
		}
		if err := c.moveDue(ctx, moved); err != nil {
			return nil, err
		}
		if len(list) < duePage || len(moved) == 0 {
			break
		}
	}
	slices.SortFunc(overdue, func(a, b table.Armed) int {
		return cmp.Or(cmp.Compare(a.Deadline, b.Deadline), cmp.Compare(a.ID, b.ID))
	})
	return overdue[:min(limit, len(overdue))], nil
}

// dueGame is a game that is due in the sweep index.
type dueGame struct {
	game liveRow
	due  int64
	free bool // no transaction is writing it
}

// next returns the deadline, if it lies before a time; otherwise when to check again, 0 for never.
func (r *dueGame) next(before int64) int64 {
	switch status := r.game.Status; {
	case r.game.Deadline == 0 || status != table.Running && status != table.Waiting:
		return 0
	case r.game.Deadline < before || status == table.Waiting:
		return r.game.Deadline
	}
	if earliest, ok := r.game.Clock.Earliest(before); ok {
		return max(before, min(earliest, r.game.Deadline))
	}
	return r.game.Deadline
}

func (c *cluster) due(ctx context.Context, before int64) ([]dueGame, error) {
	rows, err := c.db.Pool().QueryContext(ctx, `WITH due AS MATERIALIZED (SELECT game_id, due_at FROM deadlines WHERE due_at < $1 ORDER BY due_at LIMIT $2),
		free AS (SELECT game_id FROM live_games WHERE game_id IN (SELECT game_id FROM due) AND deadline > 0 AND deadline < $1 FOR UPDATE SKIP LOCKED)
		SELECT due.game_id, due.due_at, coalesce(status, ''), coalesce(deadline, 0), clock, free.game_id IS NOT NULL
		FROM due LEFT JOIN live_games USING (game_id) LEFT JOIN free USING (game_id)`, before, duePage)
	return db.Collect(rows, err, func(r *dueGame) []any {
		return []any{&r.game.GameID, &r.due, &r.game.Status, &r.game.Deadline, db.FromText{Into: &r.game.Clock}, &r.free}
	})
}

// movedDue re-arms a game; 0 for never.
type movedDue struct {
	game      string
	from, due int64
}

// moveDue re-arms games, unless another instance has done so or is about to.
func (c *cluster) moveDue(ctx context.Context, moved []movedDue) error {
	if len(moved) == 0 {
		return nil
	}
	ids, from, due := make([]string, len(moved)), make([]int64, len(moved)), make([]int64, len(moved))
	for i, m := range moved {
		ids[i], from[i], due[i] = m.game, m.from, m.due
	}
	_, err := c.db.Pool().ExecContext(ctx, `WITH given AS (SELECT game_id, was, due_at FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS given (game_id, was, due_at)),
		free AS (SELECT game_id, given.due_at FROM deadlines JOIN given USING (game_id) WHERE deadlines.due_at = was FOR UPDATE OF deadlines SKIP LOCKED),
		gone AS (DELETE FROM deadlines USING free WHERE deadlines.game_id = free.game_id AND free.due_at = 0)
		UPDATE deadlines SET due_at = free.due_at FROM free WHERE deadlines.game_id = free.game_id AND free.due_at > 0`, ids, from, due)
	return err
}

// deadlineRow is a game in the sweep index.
type deadlineRow struct {
	GameID string `gorm:"primaryKey"`
	DueAt  int64
}

func (deadlineRow) TableName() string { return "deadlines" }

// watch adds games to the sweep index; nil backfills missing games.
func (c *cluster) watch(ctx context.Context, games []table.Armed) error {
	if games == nil {
		_, err := c.db.Pool().ExecContext(ctx, `INSERT INTO deadlines (game_id, due_at)
			SELECT game_id, 0 FROM live_games WHERE deadline > 0 AND NOT EXISTS (SELECT 1 FROM deadlines d WHERE d.game_id = live_games.game_id)
			ORDER BY game_id ON CONFLICT DO NOTHING`)
		return err
	}
	ids, due := make([]string, len(games)), make([]int64, len(games))
	for i, one := range games {
		ids[i], due[i] = one.ID, one.Deadline
	}
	_, err := c.db.Pool().ExecContext(ctx, `INSERT INTO deadlines (game_id, due_at)
		SELECT game_id, due_at FROM unnest($1::text[], $2::bigint[]) AS given (game_id, due_at) ORDER BY game_id
		ON CONFLICT (game_id) DO UPDATE SET due_at = excluded.due_at WHERE excluded.due_at < deadlines.due_at`, ids, due)
	return err
}
