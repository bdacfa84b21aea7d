package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// prepared is the statements of batches, prepared once on the writer's connection and used through the driver itself:
// database/sql would lock, convert and look up again with every call.
type prepared struct {
	conn  *sqlite3.SQLiteConn // that they are prepared on
	stmts [statementCount]stmt
}

type stmt interface {
	driver.Stmt
	driver.StmtExecContext
}

// use prepares the statements, unless they are on this connection.
func (p *prepared) use(conn *sqlite3.SQLiteConn) error {
	if p.conn == conn {
		return nil
	}
	*p = prepared{} // those of a connection that was given up end with it
	for id, s := range statements {
		// SQLite numbers parameters by ?n; $n would be names to it.
		prepared, err := conn.PrepareContext(context.Background(), strings.ReplaceAll(s.text, "$", "?"))
		if err != nil {
			return fmt.Errorf("prepare %q: %w", s.text, err)
		}
		p.stmts[id] = prepared.(stmt)
	}
	p.conn = conn
	return nil
}

// exec carries out a batch within the transaction that is open. It returns the batch's refusal, with nothing changed, if
// its first statement changes nothing.
func (p *prepared) exec(b *batch) error {
	for i, c := range b.calls {
		result, err := p.stmts[c.id].ExecContext(context.Background(), b.argsOf(c))
		if err != nil {
			return err
		}
		if i == 0 {
			if changed, err := result.RowsAffected(); err != nil || changed == 0 {
				return cmp.Or(err, b.refusal)
			}
		}
	}
	return nil
}

// plain runs a statement without parameters.
func (p *prepared) plain(id statementID) error {
	_, err := p.stmts[id].ExecContext(context.Background(), nil)
	return err
}

// close lets go of the statements; SQLite keeps a connection open, and its files, as long as it has any.
func (p *prepared) close() (err error) {
	for _, s := range p.stmts {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	*p = prepared{}
	return err
}
