package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"
)

// Batch is a write made ready: calls of prepared statements with their arguments, so that the writer has only to carry
// them out.
//
// The first statement guards the others: if it changes no row, none of them is carried out and the write is refused.
// After it every failure takes back the whole transaction.
type Batch struct {
	Calls   []Call
	Refusal error // where the guard does not hold
	Urgent  bool  // goes before others that wait
}

// Call is a statement of a batch.
type Call struct {
	Statement int // index into [Config].Statements
	Args      []driver.NamedValue
}

// prepared is the statements of batches, prepared once on the writer's connection and used through the driver itself:
// database/sql would lock, convert and look up again with every call.
type prepared struct {
	texts []string   // of the statements of batches, then of those below
	conn  driverConn // that they are prepared on
	stmts []stmt
}

// The statements of transactions, after those of batches.
var txStatements = []string{"BEGIN IMMEDIATE", "COMMIT"}

type stmt interface {
	driver.Stmt
	driver.StmtExecContext
}

func newPrepared(batch []string) prepared {
	return prepared{texts: append(batch[:len(batch):len(batch)], txStatements...)}
}

// use prepares the statements, unless they are on this connection.
func (p *prepared) use(c driverConn) error {
	if p.conn == c {
		return nil
	}
	p.conn, p.stmts = nil, nil // those of a connection that was given up end with it
	for _, text := range p.texts {
		// SQLite numbers parameters by ?n; $n would be names to it.
		prepared, err := c.PrepareContext(context.Background(), strings.ReplaceAll(text, "$", "?"))
		if err != nil {
			return fmt.Errorf("prepare %q: %w", text, err)
		}
		p.stmts = append(p.stmts, prepared.(stmt))
	}
	p.conn = c
	return nil
}

// exec carries out a batch within the transaction that is open. It returns the batch's refusal, with nothing changed,
// if its first statement changes nothing.
func (p *prepared) exec(b *Batch) error {
	for i, c := range b.Calls {
		result, err := p.stmts[c.Statement].ExecContext(context.Background(), c.Args)
		if err != nil {
			return err
		}
		if i == 0 {
			if changed, err := result.RowsAffected(); err != nil || changed == 0 {
				return cmp.Or(err, b.Refusal)
			}
		}
	}
	return nil
}

func (p *prepared) begin() error  { return p.plain(len(p.stmts) - 2) }
func (p *prepared) commit() error { return p.plain(len(p.stmts) - 1) }

// plain runs a statement without parameters.
func (p *prepared) plain(index int) error {
	_, err := p.stmts[index].ExecContext(context.Background(), nil)
	return err
}

// close lets go of the statements; SQLite keeps a connection open, and its files, as long as it has any.
func (p *prepared) close() (err error) {
	for _, s := range p.stmts {
		err = errors.Join(err, s.Close())
	}
	p.conn, p.stmts = nil, nil
	return err
}

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
