package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"
	"gorm.io/gorm"
)

// round is one transaction of the writer. It speaks to the driver itself where a step is written: with database/sql in
// between, a step takes a quarter longer (BenchmarkAppend).
type round struct {
	*writer
	conn *sql.Conn
}

// begin starts a transaction, to be left when it is over.
func (w *writer) begin() (*round, error) {
	conn, err := w.db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	r := &round{w, conn}
	if err := r.run("BEGIN IMMEDIATE"); err != nil {
		r.leave()
		return nil, err
	}
	return r, nil
}

// leave gives the connection back.
func (r *round) leave() { _ = r.conn.Close() }

func (r *round) run(text string) error {
	_, err := r.conn.ExecContext(context.Background(), text)
	return err
}

func (r *round) commit() error {
	err := r.run("COMMIT")
	if err != nil {
		_ = r.run("ROLLBACK") // unless SQLite has done so
	}
	return err
}

// exec runs a statement of the hot path.
func (r *round) exec(id statementID, args []any) (changed int64, err error) {
	err = r.conn.Raw(func(raw any) error {
		changed, err = r.hot.exec(raw.(*sqlite3.SQLiteConn), id, args)
		return err
	})
	return changed, err
}

// lockOutbox has nothing to do: nobody else writes.
func (*round) lockOutbox() error { return nil }

// hotPath is the statements of the hot path, prepared on the writer's connection.
type hotPath struct {
	conn       *sqlite3.SQLiteConn // that they are prepared on
	statements [statementCount]driver.StmtExecContext
	args       [mostArguments]driver.NamedValue
}

func (h *hotPath) exec(conn *sqlite3.SQLiteConn, id statementID, args []any) (int64, error) {
	if h.conn != conn {
		if err := h.prepare(conn); err != nil {
			return 0, err
		}
	}
	for i, a := range args {
		value, err := native(a)
		if err != nil {
			return 0, err
		}
		h.args[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
	}
	result, err := h.statements[id].ExecContext(context.Background(), h.args[:len(args)])
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// native gives an argument as the driver takes it.
func native(a any) (driver.Value, error) {
	switch a.(type) {
	case nil, int64, string:
		return a, nil
	}
	return driver.DefaultParameterConverter.ConvertValue(a)
}

func (h *hotPath) prepare(conn *sqlite3.SQLiteConn) error {
	*h = hotPath{}
	for id, text := range statementTexts {
		s, err := conn.Prepare(text)
		if err != nil {
			return errors.Join(fmt.Errorf("prepare %q: %w", text, err), h.close())
		}
		h.statements[id] = s.(driver.StmtExecContext) // every statement of this driver is one
	}
	h.conn = conn
	return nil
}

func (h *hotPath) close() (err error) {
	for _, s := range h.statements {
		if s, ok := s.(driver.Stmt); ok {
			err = errors.Join(err, s.Close())
		}
	}
	*h = hotPath{}
	return err
}

// workAside carries out work within a savepoint, so that a refusal takes back what it did and no more.
func (r *round) workAside(j *job) error {
	if err := r.run("SAVEPOINT work"); err != nil {
		return spoilt{err}
	}
	tx := r.orm.Session(&gorm.Session{NewDB: true, Context: j.ctx})
	tx.Statement.ConnPool = within{r.conn}
	err := guarded(j.work, tx)
	if err != nil {
		if e := r.run("ROLLBACK TO work"); e != nil {
			return spoilt{err} // the database has rolled back everything
		}
	}
	if e := r.run("RELEASE work"); e != nil {
		return spoilt{e}
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

// within is the connection of a round as gorm may use it: for statements, not for transactions of its own.
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
