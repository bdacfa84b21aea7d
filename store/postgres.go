package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"gorm.io/gorm"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/postgres"
	"quatuor/store/migrations"
)

// cluster is the backend for PostgreSQL.
type cluster struct {
	outbox.Shared
	db    *postgres.DB
	group *postgres.Group
	orm   *gorm.DB
	ends  ownEnds
	rated atomic.Int64 // the ratings' cursor at the last look

	tidied atomic.Bool // heartbeats of instances that ended long ago were removed
}

func (c *cluster) alone() bool { return false }

func (c *cluster) connections() (sql.DBStats, bool) { return c.db.Pool().Stats(), true }

func (c *cluster) schema(ctx context.Context) (now Schema, err error) {
	if now.Migrating, err = migrations.UnderWay(ctx, c.db.Pool().DB); err != nil {
		return now, db.About("look for a migration", err)
	}
	present, known, err := migrations.Versions(ctx, c.db.Pool().DB)
	now.Older = present < known
	return now, db.About("look at the schema", err)
}

func (c *cluster) close() error {
	c.group.Close()
	return c.db.Close()
}

// run carries out batches on games in groups. The ratings' writes come from a single consumer, as few large batches.
func (c *cluster) run(ctx context.Context, b *batch) error {
	if b.calls[0].id != moveRatings {
		held, err := c.group.Run(ctx, b.write())
		if err == nil && !held {
			return b.refusal
		}
		return err
	}
	return c.db.Run(ctx, &postgres.Batch{Calls: b.many(), Refusal: b.refusal})
}

func (c *cluster) write(ctx context.Context, work func(tx *gorm.DB) error) error {
	return c.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return work(session(ctx, c.orm, tx)) })
}

func (c *cluster) single(ctx context.Context, work func(tx *gorm.DB) error) error {
	return c.db.Single(ctx, func(ctx context.Context, conn *sql.Conn) error { return work(session(ctx, c.orm, conn)) })
}

func (c *cluster) long(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error {
	return c.db.Long(ctx, func(tx *sql.Tx) error { return work(ctx, session(ctx, c.orm, tx)) })
}

// write returns the batch as a part of a group.
func (b *batch) write() postgres.Write {
	ids := make([]byte, len(b.calls))
	for i, c := range b.calls {
		ids[i] = 'a' + byte(c.id)
	}
	w := postgres.Write{
		Statement: together(ids), Args: b.args, Key: b.args[0].Value.(string), Urgent: b.urgent, MayLinger: b.ends &&
			!b.urgent, Until: b.until,
	}
	if b.inviter != "" {
		w.Key, w.Lock = "account "+b.inviter, b.inviter
	}
	return w
}

// statementsTogether are those of together, by the calls of the batches.
var statementsTogether sync.Map

// together returns a single statement for many batches with the same calls, given as the letters of their ids:
//
//	WITH step AS (the arguments, a row for each batch),
//	held AS (the guards, returning the rows of those that held),
//	call1 AS (the next calls, for these rows), …
//
// and returns which of them held (PostgreSQL's manual, "Data-Modifying Statements in WITH"). The calls do not see each
// other's changes, so no row may be changed by two.
func together(calls []byte) *postgres.Statement {
	if known, ok := statementsTogether.Load(string(calls)); ok {
		return known.(*postgres.Statement)
	}
	var arrays []postgres.Element
	for _, id := range calls {
		arrays = append(arrays, statements[id-'a'].takes...)
	}
	step, columns := unnested(arrays)
	guard := &statements[calls[0]-'a']
	after := len(guard.takes)
	rows := strings.Join(append([]string{"i"}, columns[after:]...), ", ")
	text := "WITH step AS (" + step + "), "
	if guard.inserts() { // it hands on nothing but columns of the table
		key := guard.insert.key
		on := make([]string, len(key))
		for n, column := range key {
			on[n] = fmt.Sprintf("added.%s = p%d", column, n+1)
		}
		text += "added AS (" + guard.of("step", 0) + " RETURNING " + strings.Join(key, ", ") + "), held AS (SELECT " + rows +
			" FROM step JOIN added ON " + strings.Join(on, " AND ") + ")"
	} else {
		text += "held AS (" + guard.of("step", 0) + " RETURNING " + rows + ")"
	}
	for i, id := range calls[1:] {
		call := &statements[id-'a']
		text += fmt.Sprintf(", call%d AS (%s)", i+1, call.of("held", after))
		after += len(call.takes)
	}
	s, _ := statementsTogether.LoadOrStore(string(calls), &postgres.Statement{
		Name: "together_" + string(calls), Text: text + " SELECT array_agg(i) FROM held", Arrays: arrays,
	})
	return s.(*postgres.Statement)
}

// many returns the calls of the batch; neighbours of the same statement become a single call with arrays as arguments.
func (b *batch) many() []postgres.Call {
	var calls []postgres.Call
	for from := 0; from < len(b.calls); {
		id, to := b.calls[from].id, from+1
		for to < len(b.calls) && b.calls[to].id == id {
			to++
		}
		if s := &statements[id]; s.inserts() {
			calls = append(calls, postgres.Call{Text: s.ofMany(), Args: b.arrays(b.calls[from:to], s.takes)})
		} else {
			calls = append(calls, postgres.Call{Text: s.forPostgres(), Args: b.argsOf(b.calls[from])})
			to = from + 1
		}
		from = to
	}
	return calls
}

// arrays returns the arguments of calls of a statement: of each parameter those of all calls.
func (b *batch) arrays(calls []call, takes []postgres.Element) []driver.NamedValue {
	args := make([]driver.NamedValue, len(takes))
	for i, of := range takes {
		list := of.List(len(calls), func(n int) driver.Value { return b.args[calls[n].from+i].Value })
		args[i] = driver.NamedValue{Ordinal: i + 1, Value: list}
	}
	return args
}

// ofMany returns the text on PostgreSQL with an array for each parameter, to insert many rows.
func (s *sqlStatement) ofMany() string {
	step, _ := unnested(s.takes)
	return "WITH step AS (" + step + ") " + s.of("step", 0)
}

// unnested returns a query for the rows of arrays, which are its parameters, and their columns.
func unnested(arrays []postgres.Element) (query string, columns []string) {
	params := make([]string, len(arrays))
	for i, of := range arrays {
		params[i] = fmt.Sprintf("$%d::%s[]", i+1, of)
		columns = append(columns, fmt.Sprint("p", i+1))
	}
	all := strings.Join(append(slices.Clone(columns), "i"), ", ")
	return "SELECT " + all + " FROM unnest(" + strings.Join(params, ", ") + ") WITH ORDINALITY AS arguments (" + all + ")",
		columns
}

// parameter matches a parameter of a statement.
var parameter = regexp.MustCompile(`\$\d+`)

// of returns the text as a part of another statement, for each row of a table expression with the arguments as columns
// after a number of others.
func (s *sqlStatement) of(rows string, after int) string {
	text := s.forPostgres()
	if s.inserts() {
		text = s.insert.into + " SELECT " + s.insert.onPG + " FROM " + rows + s.insert.onlyOnPG + " " + s.insert.end
	} else {
		joined := " FROM "
		if strings.HasPrefix(text, "DELETE") {
			joined = " USING "
		}
		at := strings.LastIndex(text, "WHERE ")
		text = text[:at] + joined + rows + " " + text[at:]
	}
	return parameter.ReplaceAllStringFunc(text, func(p string) string {
		n, _ := strconv.Atoi(p[1:])
		return "p" + strconv.Itoa(after+n)
	})
}

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
