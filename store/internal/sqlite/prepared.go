package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
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
