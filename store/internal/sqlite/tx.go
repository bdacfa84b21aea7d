package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"gorm.io/gorm"
)

// writeTx is a transaction of the writer.
type writeTx struct {
	*Writer
	conn *sql.Conn
}

// begin starts a transaction, to be left when it is over.
func (w *Writer) begin() (*writeTx, error) {
	conn, err := w.db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	tx := &writeTx{w, conn}
	err = conn.Raw(func(raw any) error {
		if err := w.prepared.use(raw.(driverConn)); err != nil {
			return err
		}
		return w.prepared.begin()
	})
	if err != nil {
		tx.leave()
		return nil, err
	}
	return tx, nil
}

// leave returns the connection.
func (tx *writeTx) leave() { _ = tx.conn.Close() }

func (tx *writeTx) exec(text string) error {
	_, err := tx.conn.ExecContext(context.Background(), text)
	return err
}

func (tx *writeTx) commit() error {
	err := tx.conn.Raw(func(any) error { return tx.prepared.commit() })
	if err != nil {
		_ = tx.exec("ROLLBACK") // unless SQLite has done so
	}
	return err
}

// execBatch carries out a batch. Until its guard has held nothing is changed, so that a refusal does no harm to the
// rest of the transaction; every other error is fatal to it.
func (tx *writeTx) execBatch(b *Batch) error {
	err := tx.conn.Raw(func(any) error { return tx.prepared.exec(b) })
	if err == nil || err == b.Refusal { //nolint:errorlint // it is that very value
		return err
	}
	return fatalTx{err}
}

// execWork carries out work within a savepoint, so that a refusal takes back its changes and no more.
func (tx *writeTx) execWork(work func(*sql.Conn) error) error {
	if err := tx.exec("SAVEPOINT work"); err != nil {
		return fatalTx{err}
	}
	err := guarded(work, tx.conn)
	if err != nil {
		if e := tx.exec("ROLLBACK TO work"); e != nil {
			return fatalTx{err} // the database has rolled back everything
		}
	}
	if e := tx.exec("RELEASE work"); e != nil {
		return fatalTx{e}
	}
	return err
}

// guarded keeps a panic of a caller's work from ending the writer for all.
func guarded(work func(*sql.Conn) error, conn *sql.Conn) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a write panicked: %v", p)
		}
	}()
	return work(conn)
}

// Within is the connection of a transaction as gorm may use it: for statements, not for transactions of its own.
type Within struct{ gorm.ConnPool }
