// Package postgres runs transactions on a PostgreSQL database, each at READ COMMITTED, and repeats those that failed only
// because of others at the same time. It knows nothing of what is stored.
package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// MaxTries is how often a transaction is tried that conflicts with others.
const MaxTries = 10

const (
	// maxConnections is the most connections an instance takes; PostgreSQL allows 100 in all unless told otherwise.
	maxConnections = 24
	// txTimeout is how long a transaction that has begun may last. It goes on when the caller's context ends.
	txTimeout = 15 * time.Second
)

// Batch is a list of statements for one transaction. The first guards the others: if it changes no row, nothing is
// stored and the batch is refused.
type Batch struct {
	Calls   []Call
	Refusal error // where the guard does not hold
}

// Call is one statement of a batch.
type Call struct {
	Text string // parameters are $1, $2 and so on
	Args []driver.NamedValue
	Lock int64 // advisory lock that is taken first, until the transaction has ended; 0 for none
}

// OpenPool returns a pool of connections to the database that a postgres:// address names.
func OpenPool(dsn string) (*sql.DB, error) { return sql.Open("pgx", dsn) }

// DB is a database to write to.
type DB struct{ pool *sql.DB }

// Open returns a database with a pool that an instance may keep.
func Open(dsn string) (*DB, error) {
	pool, err := OpenPool(dsn)
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(maxConnections)
	pool.SetMaxIdleConns(maxConnections)
	return &DB{pool}, nil
}

// Pool returns the connections, which may be read with.
func (d *DB) Pool() *sql.DB { return d.pool }

// Close closes the connections.
func (d *DB) Close() error { return d.pool.Close() }

// Run carries out a batch in a transaction and returns when it is durable, or its refusal.
func (d *DB) Run(ctx context.Context, b *Batch) error {
	return d.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return exec(ctx, tx, b) })
}

// exec carries out a batch. pgx prepares its statements by itself, once on each connection.
func exec(ctx context.Context, tx *sql.Tx, b *Batch) error {
	for i, c := range b.Calls {
		if c.Lock != 0 {
			if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", c.Lock); err != nil {
				return err
			}
		}
		args := make([]any, 0, len(c.Args))
		for _, arg := range c.Args {
			args = append(args, arg.Value)
		}
		result, err := tx.ExecContext(ctx, c.Text, args...)
		if err != nil {
			return err
		}
		if changed, err := result.RowsAffected(); i == 0 && changed == 0 {
			return errors.Join(err, b.Refusal)
		}
	}
	return nil
}

// errNotBegun says that a transaction failed before it did anything.
var errNotBegun = errors.New("begin")

// Transact runs work in a transaction, again if it conflicted with others. ctx counts only until the transaction begins.
func (d *DB) Transact(ctx context.Context, work func(context.Context, *sql.Tx) error) error {
	for try := 1; ; try++ {
		err := d.once(ctx, work)
		if try == MaxTries || !retryable(err) {
			return err
		}
		pause := time.NewTimer(rand.N(time.Millisecond << try))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return errors.Join(ctx.Err(), err)
		}
	}
}

func (d *DB) once(ctx context.Context, work func(context.Context, *sql.Tx) error) error {
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), txTimeout)
	defer cancel()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return fmt.Errorf("%w: %w", errNotBegun, err)
	}
	defer tx.Rollback()
	if err := work(ctx, tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// retryable reports whether a transaction has failed, with nothing stored, only because of others at the same time
// (40001 serialization failure, 40P01 deadlock), or because its connection was dead before it began.
func retryable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "40001" || refused.Code == "40P01"
	}
	return errors.Is(err, errNotBegun) && errors.Is(err, driver.ErrBadConn)
}

// Duplicate reports whether an error says that a key is there already.
func Duplicate(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "23505"
}

// Unavailable reports whether an error comes from a server that cannot be reached or cannot serve at the moment. It goes
// by the classes of PostgreSQL's error codes (appendix A of its manual), and by the codes of a server that only reads, of
// a lock that is held, and of transactions that were broken off again and again.
func Unavailable(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		var unreached *pgconn.ConnectError
		return errors.As(err, &unreached)
	}
	for _, class := range []string{
		"08", // connection
		"53", // resources: disk full, out of memory, too many connections
		"57", // operator: shutting down, starting up
		"58", // system: input or output
		"25006", "55P03", "40001", "40P01",
	} {
		if strings.HasPrefix(refused.Code, class) {
			return true
		}
	}
	return false
}
