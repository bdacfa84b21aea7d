package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
)

// Batch is a list of statements for a transaction. The first statement and those with Guards guard the others: if a
// guard changes no row, nothing is stored and the batch is refused.
type Batch struct {
	Calls   []Call
	Refusal error // where the guard does not hold
}

// Call is a statement of a batch.
type Call struct {
	Text   string // parameters are $1, $2 and so on
	Args   []driver.NamedValue
	Lock   int64 // advisory lock held from then to the end of the transaction; 0 for none
	Guards bool
}

// Run carries out a batch in a transaction and returns when it is durable, or its refusal.
//
// All of it goes to the server in a single piece, with the end of the transaction behind the last statement, and the
// server judges the guard: no lock that the batch takes ever waits for this program.
func (d *DB) Run(ctx context.Context, b *Batch) error {
	return again(ctx, d.pool, func(ctx context.Context, conn *sql.Conn) error {
		return conn.Raw(func(c any) error { return send(ctx, c.(*stdlib.Conn).Conn(), b) })
	})
}

// lockFirst takes an advisory lock until the transaction has ended.
const lockFirst = "SELECT pg_advisory_xact_lock($1)"

// guarded makes a statement fail, with notHeld, if it changes no row. Its text explains the entry in the server's log.
func guarded(text string) string {
	return "WITH guard AS (" + text + ` RETURNING 1) SELECT CASE count(*) WHEN 0
		THEN CAST('no error: another was faster, ' || count(*) || ' rows changed' AS integer) END FROM guard`
}

// notHeld is the code of the failure: a text that is no number.
const notHeld = "22P02"

// queue adds the statements to others that are sent with them.
func (b *Batch) queue(batch *pgx.Batch) {
	for i, c := range b.Calls {
		if c.Lock != 0 {
			batch.Queue(lockFirst, c.Lock)
		}
		args := make([]any, len(c.Args))
		for i := range c.Args {
			args[i] = c.Args[i].Value
		}
		if i == 0 || c.Guards {
			c.Text = guarded(c.Text)
		}
		batch.Queue(c.Text, args...)
	}
}

func send(ctx context.Context, conn *pgx.Conn, b *Batch) (err error) {
	var batch pgx.Batch
	b.queue(&batch)
	results := conn.SendBatch(ctx, &batch)
	defer func() {
		if e := results.Close(); err == nil {
			err = b.judged(e)
		}
	}()
	if b.Calls[0].Lock != 0 {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	if _, err := results.Exec(); err != nil {
		if judged := b.judged(err); judged != err { //nolint:errorlint // the same error or another
			return judged
		}
		return firstFailed(err)
	}
	return nil // Close reads the rest
}

// judged returns the refusal where a guard did not hold, and all other errors as they are.
func (b *Batch) judged(err error) error {
	if codeOf(err) == notHeld {
		return b.Refusal
	}
	return err
}

// firstFailed returns the error of the first statement of a pipeline. If the session ended before its answer, nothing
// is stored.
func firstFailed(err error) error {
	if pgconn.SafeToRetry(err) || gone(codeOf(err)) {
		return fmt.Errorf("%w: %w", errUndone, err)
	}
	return err
}

// Element is the type of the elements of an array.
type Element uint32

// The types, by PostgreSQL's numbers.
const (
	Boolean Element = pgtype.BoolOID
	Integer Element = pgtype.Int8OID
	Text    Element = pgtype.TextOID
	Float   Element = pgtype.Float8OID
)

// String returns the name of the type.
func (e Element) String() string {
	return map[Element]string{Boolean: "boolean", Integer: "bigint", Text: "text", Float: "double precision"}[e]
}

// encode returns the arrays of the arguments of writes with the same statement.
func encode(types *pgtype.Map, s *Statement, jobs []*groupJob) ([][]byte, error) {
	arguments := make([][]byte, len(s.Arrays))
	for column, of := range s.Arrays {
		list := of.List(len(jobs), func(i int) driver.Value { return jobs[i].Args[column].Value })
		encoded, err := types.Encode(arrays[of], pgtype.BinaryFormatCode, list, nil)
		if err != nil {
			return nil, fmt.Errorf("argument %d of %s: %w", column+1, s.Name, err)
		}
		arguments[column] = encoded
	}
	return arguments, nil
}

// arrays are the types of arrays of elements.
var arrays = map[Element]uint32{
	Boolean: pgtype.BoolArrayOID, Integer: pgtype.Int8ArrayOID, Text: pgtype.TextArrayOID, Float: pgtype.Float8ArrayOID,
}

// List returns values as a list of a type that pgx knows.
func (e Element) List(length int, value func(i int) driver.Value) any {
	switch e {
	case Boolean:
		return listOf(length, value, func(v bool) pgtype.Bool { return pgtype.Bool{Bool: v, Valid: true} })
	case Integer:
		return listOf(length, value, func(v int64) pgtype.Int8 { return pgtype.Int8{Int64: v, Valid: true} })
	case Text:
		return listOf(length, value, func(v string) pgtype.Text { return pgtype.Text{String: v, Valid: true} })
	case Float:
		return listOf(length, value, func(v float64) pgtype.Float8 { return pgtype.Float8{Float64: v, Valid: true} })
	}
	panic(fmt.Sprintf("postgres: an array of %d", e)) // a mistake in the program
}

// listOf returns values of the same type, NULL where there is none. A value of another type is a mistake in the
// program, and panics.
func listOf[T, E any](length int, value func(i int) driver.Value, element func(T) E) []E {
	list := make([]E, length)
	for i := range list {
		if v := value(i); v != nil {
			list[i] = element(v.(T))
		}
	}
	return list
}
