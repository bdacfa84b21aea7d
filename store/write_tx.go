package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/mattn/go-sqlite3"
	"gorm.io/gorm"
)

// writeTx is one transaction of the writer.
type writeTx struct {
	*writer
	conn *sql.Conn
}

// begin starts a transaction, to be left when it is over.
func (w *writer) begin() (*writeTx, error) {
	conn, err := w.db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	r := &writeTx{w, conn}
	err = conn.Raw(func(raw any) error {
		if err := w.prepared.use(raw.(*sqlite3.SQLiteConn)); err != nil {
			return err
		}
		return w.prepared.plain(beginTx)
	})
	if err != nil {
		r.leave()
		return nil, err
	}
	return r, nil
}

// leave returns the connection.
func (r *writeTx) leave() { _ = r.conn.Close() }

func (r *writeTx) exec(text string) error {
	_, err := r.conn.ExecContext(context.Background(), text)
	return err
}

func (r *writeTx) commit() error {
	err := r.conn.Raw(func(any) error { return r.prepared.plain(commitTx) })
	if err != nil {
		_ = r.exec("ROLLBACK") // unless SQLite has done so
	}
	return err
}

// execBatch carries out a batch. Until its guard has held nothing is changed, so that a refusal harms nobody else in the
// transaction; every other error is fatal to it.
func (r *writeTx) execBatch(b *batch) error {
	err := r.conn.Raw(func(any) error { return r.prepared.exec(b) })
	if err == nil || err == b.refusal { //nolint:errorlint // it is that very value
		return err
	}
	return fatalTx{err}
}

// execWork carries out work within a savepoint, so that a refusal takes back what it did and no more.
func (r *writeTx) execWork(j *job) error {
	if err := r.exec("SAVEPOINT work"); err != nil {
		return fatalTx{err}
	}
	tx := r.orm.Session(&gorm.Session{NewDB: true, Context: j.ctx})
	tx.Statement.ConnPool = within{r.conn}
	err := guarded(j.work, tx)
	if err != nil {
		if e := r.exec("ROLLBACK TO work"); e != nil {
			return fatalTx{err} // the database has rolled back everything
		}
	}
	if e := r.exec("RELEASE work"); e != nil {
		return fatalTx{e}
	}
	return err
}

// guarded keeps a panic of one caller's work from ending the writer for all.
func guarded(work func(tx *gorm.DB) error, tx *gorm.DB) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("store: a write panicked: %v", p)
		}
	}()
	return work(tx)
}

// within is the connection of a transaction as gorm may use it: for statements, not for transactions of its own.
type within struct{ conn *sql.Conn }

var _ gorm.ConnPool = within{}

// PrepareContext is [sql.Conn.PrepareContext], as the others are those of their names.
func (w within) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return w.conn.PrepareContext(ctx, query)
}

// ExecContext runs a statement.
func (w within) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return w.conn.ExecContext(ctx, query, args...)
}

// QueryContext asks.
func (w within) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return w.conn.QueryContext(ctx, query, args...)
}

// QueryRowContext asks for one row.
func (w within) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return w.conn.QueryRowContext(ctx, query, args...)
}
