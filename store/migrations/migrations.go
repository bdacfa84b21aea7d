// Package migrations brings a database to the schema this program works with: numbered SQL files, in a folder for
// SQLite and a folder for PostgreSQL with the same numbers, and numbered Go files for changes that SQL cannot make.
// Files are only ever added; a released file never changes.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed sqlite/*.sql postgres/*.sql
var files embed.FS

// errNewer is returned for a database that was written by a later version of this program.
var errNewer = errors.New("the database is newer than this program")

// SQLite migrates a database file. It closes db, which should be there for this alone.
func SQLite(ctx context.Context, db *sql.DB) error {
	return up(ctx, goose.DialectSQLite3, db, "sqlite", inGo(questionMark))
}

// Postgres migrates the schema that db's connections work in, under a lock that lets several instances start at the
// same time; an instance that waits longer than a minute fails. It closes db.
func Postgres(ctx context.Context, db *sql.DB) error {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
	if err != nil {
		return errors.Join(err, db.Close())
	}
	if err := mayMigrate(ctx, db); err != nil {
		return errors.Join(err, db.Close())
	}
	return up(ctx, goose.DialectPostgres, db, "postgres", inGo(dollar), goose.WithSessionLocker(locker))
}

// inGo returns the migrations that SQL cannot carry out; placeholder spells a statement's parameters.
func inGo(placeholder func(n int) string) goose.ProviderOption {
	return goose.WithGoMigrations(goose.NewGoMigration(wordingVersion, &goose.GoFunc{
		RunTx: func(ctx context.Context, tx *sql.Tx) error { return mendWording(ctx, tx, placeholder) },
	}, nil))
}

// Stored is Versions for a file of SQLite, which may be empty: its schema then has number 0.
func Stored(ctx context.Context, db *sql.DB) (present, known int64, err error) {
	var there bool
	err = db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'goose_db_version')").
		Scan(&there)
	if err != nil || !there {
		return 0, 0, err
	}
	return Versions(ctx, db)
}

// Versions returns the number of the schema that a database has, and of the schema that this program works with.
func Versions(ctx context.Context, db *sql.DB) (present, known int64, err error) {
	err = db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&present)
	if err != nil {
		return 0, 0, fmt.Errorf("this is no database of quatuor, or it cannot be read: %w", err)
	}
	sources, err := fs.Glob(files, "sqlite/*.sql")
	if err != nil {
		return 0, 0, err
	}
	known, err = goose.NumericComponent(sources[len(sources)-1])
	return present, max(known, wordingVersion), err
}

// UnderWay reports whether an instance migrates a PostgreSQL database at the moment.
func UnderWay(ctx context.Context, db *sql.DB) (yes bool, err error) {
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND classid::bigint = $1 AND objid::bigint = $2)`, lock.DefaultLockID>>32, lock.DefaultLockID&math.MaxUint32).Scan(&yes)
	return yes, err
}

// Current refuses a database with another schema than this program's, and changes nothing.
func Current(ctx context.Context, db *sql.DB) error {
	present, known, err := Versions(ctx, db)
	switch {
	case err != nil:
		return err
	case present > known:
		return newer(present, known)
	case present < known:
		return fmt.Errorf("the database has schema number %d and this program works with %d; start the service once to "+
			"bring it up to date", present, known)
	}
	return nil
}

func newer(present, known int64) error {
	return fmt.Errorf("%w: its schema has number %d, this program knows them up to %d", errNewer, present, known)
}

func newProvider(dialect goose.Dialect, db *sql.DB, folder string, opts ...goose.ProviderOption) (
	*goose.Provider, error,
) {
	sources, err := fs.Sub(files, folder)
	if err != nil {
		return nil, err
	}
	opts = append(opts, goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
	return goose.NewProvider(dialect, db, sources, opts...)
}

func up(
	ctx context.Context, dialect goose.Dialect, db *sql.DB, folder string, opts ...goose.ProviderOption,
) (err error) {
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := newProvider(dialect, db, folder, opts...)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	present, known, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	if present > known {
		return newer(present, known)
	}
	return nil
}
