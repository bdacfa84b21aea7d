package store

import (
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
