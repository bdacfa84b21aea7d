package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"time"
)

// pragma is a setting of a SQLite connection, and the value that SQLite must confirm.
type pragma struct{ name, value, want string }

const (
	// checkpointPages is the maximum length of the write-ahead log, in pages of 4 KiB, before a commit stops to copy it
	// into the database file. Long before that the checkpointer has done so; this is for when it cannot keep up.
	checkpointPages = 40_000
	// logLimit is the size in bytes of the file of the log after a restart of the log truncated it. It has room for the
	// log between two checkpoints: a commit that extends the file costs more than a commit that overwrites it, by a
	// sixth of a stored move's CPU time (BenchmarkMoves of package store).
	logLimit = 64 << 20
	// busyTimeout is the time that a statement waits for a lock that another connection holds.
	busyTimeout = 5 * time.Second
	// writerCacheKiB and readerCacheKiB are the page caches of the writer and of each reader. A larger cache costs the
	// writer more than it saves: where pages were put into a new order, SQLite goes through its whole cache with the
	// commit (it moves them by way of a page number beyond the file's end, and then looks for pages there to drop). The
	// system caches most of the rest.
	writerCacheKiB = 8 << 10
	readerCacheKiB = 8 << 10
)

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// durablePragmas hold for every connection: even a reading connection copies the log into the database file if it is
// the last to be closed.
//
//   - synchronous: a commit returns when it is on the disk.
//   - fullfsync, checkpoint_fullfsync: on macOS fsync leaves data in the drive's cache, and only F_FULLFSYNC empties it.
//     Other systems do not make this difference, and SQLite ignores the settings there.
var durablePragmas = []pragma{
	{"busy_timeout", millis(busyTimeout), millis(busyTimeout)},
	{"synchronous", "FULL", "2"},
	{"fullfsync", "1", "1"},
	{"checkpoint_fullfsync", "1", "1"},
}

// writerPragmas hold for every connection that may write.
//
//   - wal_autocheckpoint: see checkpointPages.
//   - journal_size_limit: without it the file of the log keeps the largest size that it ever had.
//   - temp_store: data for savepoints' rollbacks would be kept in temporary files.
//   - cache_spill: a transaction larger than the page cache would be written to the log in parts before its commit. It
//     stays in memory instead, at most a few hundred writes of a request each: then a full or broken disk shows at the
//     commit, where all of the batch fails, and not in the middle of a write's statement; and what is rolled back was
//     never in the log. The price is memory for the largest batch, which bodies of requests bound. Migrations, which
//     may rewrite a whole table, do spill.
var writerPragmas = slices.Concat(durablePragmas, []pragma{
	{"journal_mode", "WAL", "wal"},
	{"foreign_keys", "1", "1"},
	{"wal_autocheckpoint", strconv.Itoa(checkpointPages), strconv.Itoa(checkpointPages)},
	{"journal_size_limit", strconv.Itoa(logLimit), strconv.Itoa(logLimit)},
	{"temp_store", "MEMORY", "2"},
	{"cache_size", strconv.Itoa(-writerCacheKiB), strconv.Itoa(-writerCacheKiB)},
	{"cache_spill", "0", "0"},
})

// migrationPragmas are writerPragmas for statements of any size.
var migrationPragmas = slices.Concat(writerPragmas, []pragma{{"cache_spill", "1", ""}})

// readerPragmas hold for every connection that only reads.
var readerPragmas = slices.Concat(durablePragmas, []pragma{
	{"cache_size", strconv.Itoa(-readerCacheKiB), strconv.Itoa(-readerCacheKiB)},
	queryOnly,
})

var queryOnly = pragma{"query_only", "1", "1"}

// connector opens connections that have their settings from the first statement on, however often database/sql replaces
// a connection.
type connector struct {
	dsn     string
	pragmas []pragma
}

// OpenReaders returns a pool of connections that only read.
func OpenReaders(path string) *sql.DB {
	db := openPool(path, readerPragmas)
	readers := max(4, 2*runtime.GOMAXPROCS(0))
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	return db
}

// OpenMigrating returns a pool of a single connection for statements of any size.
func OpenMigrating(path string) *sql.DB {
	db := openPool(path, migrationPragmas)
	db.SetMaxOpenConns(1)
	return db
}

// OpenPlain returns a pool of connections that leave a database as they find it, in its journal mode as well.
func OpenPlain(path string) *sql.DB { return openPool(path, durablePragmas) }

// openPool returns a pool of connections to a database file, all with the same settings.
func openPool(path string, pragmas []pragma) *sql.DB {
	options := driverOptions()
	if slices.Contains(pragmas, queryOnly) {
		options.Set("_txlock", "deferred")
	} else { // a transaction takes the write lock when it begins, so that the database never changes under it
		options.Set("_txlock", "immediate")
	}
	return sql.OpenDB(&connector{FileDSN(path, options), pragmas})
}

// Connect opens a connection.
func (c *connector) Connect(context.Context) (driver.Conn, error) {
	opened, err := library.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	if err := configure(opened.(driverConn), c.pragmas); err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}

// Driver returns the driver of the connections.
func (c *connector) Driver() driver.Driver { return library }

// configure applies settings and reads each back: SQLite ignores unknown settings, and falls back to another journal on
// file systems without shared memory. A connection with other settings is refused.
func configure(c driverConn, pragmas []pragma) error {
	for _, p := range pragmas {
		if _, err := query(c, "PRAGMA "+p.name+" = "+p.value); err != nil {
			return fmt.Errorf("set %s: %w", p.name, err)
		}
		got, err := query(c, "PRAGMA "+p.name)
		if err != nil {
			return fmt.Errorf("read %s: %w", p.name, err)
		}
		if p.want != "" && got != p.want {
			return fmt.Errorf("SQLite keeps %s at %q where %q was asked for", p.name, got, p.want)
		}
	}
	return nil
}

// query runs a statement and returns its first value as text; "" for none.
func query(c driverConn, text string) (answer string, err error) {
	rows, err := c.QueryContext(context.Background(), text, nil)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if len(rows.Columns()) == 0 {
		return "", nil
	}
	values := make([]driver.Value, len(rows.Columns()))
	if rows.Next(values) != nil {
		return "", nil // a setting that answers with no row
	}
	return fmt.Sprint(values[0]), nil
}

// FileDSN returns the name of a database file for the driver.
func FileDSN(path string, options url.Values) string {
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}).String()
}

// driverConn has the methods of either driver's connection that are used past database/sql.
type driverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.QueryerContext
}

// Result codes of SQLite (sqlite.org/rescode.html). An extended code has its primary code in the lowest eight bits.
const (
	codePerm       = 3
	codeBusy       = 5
	codeLocked     = 6
	codeNoMem      = 7
	codeReadOnly   = 8
	codeIOErr      = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeProtocol   = 15
	codeConstraint = 19
	codeNotADB     = 26

	codeConstraintPrimaryKey = codeConstraint | 6<<8
	codeConstraintUnique     = codeConstraint | 8<<8
)

// Damaged reports whether a file is damaged, or no database.
func Damaged(err error) bool { return isCode(err, codeCorrupt, codeNotADB) }

// isCode reports whether an error has any of some primary codes of SQLite.
func isCode(err error, codes ...int) bool {
	code, ok := Code(err)
	return ok && slices.Contains(codes, code&0xff)
}

// Duplicate reports whether an error is a duplicate key.
func Duplicate(err error) bool {
	code, _ := Code(err)
	return code == codeConstraintUnique || code == codeConstraintPrimaryKey
}

// Unavailable reports whether an error comes from a disk that is full or does not answer, a file that cannot be written
// now, another process that holds the lock, or a writer that is closed.
func Unavailable(err error) bool {
	return errors.Is(err, ErrClosed) || isCode(err, codeBusy, codeLocked, codeNoMem, codeReadOnly, codeIOErr, codeFull,
		codeCantOpen, codePerm, codeProtocol)
}

// longCacheKiB is the page cache of a transaction that goes through a whole table.
const longCacheKiB = 64 << 10

// Long carries out work on any number of rows in a transaction of its own, once, and returns when it is durable. Other
// writes wait. Pages that exceed the cache spill to the log before the commit, so memory stays bounded. If ctx ends
// first, everything is rolled back.
func (w *Writer) Long(ctx context.Context, work func(context.Context, *sql.Conn) error) error {
	long := func(conn *sql.Conn) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return work(ctx, conn)
	}
	return w.submit(ctx, &job{long: long, done: make(chan error, 1)})
}

// alone carries out long work.
func (w *Writer) alone(work func(*sql.Conn) error) (err error) {
	conn, err := w.db.Conn(context.Background())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	do := func(text string) error {
		_, err := conn.ExecContext(context.Background(), text)
		return err
	}
	defer func() {
		err = errors.Join(err, do("PRAGMA cache_spill = 0"), do(fmt.Sprintf("PRAGMA cache_size = %d", -writerCacheKiB)))
	}()
	for _, text := range []string{
		"PRAGMA cache_spill = 1", fmt.Sprintf("PRAGMA cache_size = %d", -longCacheKiB),
		"BEGIN IMMEDIATE",
	} {
		if err := do(text); err != nil {
			return err
		}
	}
	err = guarded(work, conn)
	if err == nil {
		if err = do("COMMIT"); err == nil {
			return nil
		}
	}
	_ = do("ROLLBACK") // unless SQLite has done so
	return err
}
