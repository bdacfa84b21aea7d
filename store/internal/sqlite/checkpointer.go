package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

// checkpointer copies SQLite's write-ahead log into the database file beside the writer, on a connection of its own.
// Were it left to the writer, every commit would wait for it: tens of milliseconds, several times a second at full
// load.
//
// The log begins anew only once all of it is copied and no reader works on it. During writes a checkpoint never gets to
// its end, and readers that overlap never leave it: those that come read from the log as long as it has a commit more
// than the database file. So the checkpointer goes over it twice, the second time for what came during the first, and
// then asks the writer to copy the little that is left between two commits, and to wait a moment for the readers that
// there are: those that come meanwhile find all in the database file.
type checkpointer struct {
	db       *sql.DB // one connection
	due      chan struct{}
	lastPass chan chan struct{} // all but the last of the log is copied; the writer closes what it receives
	ended    chan struct{}
	observe  func(error) // told of every checkpoint, nil for success
}

// passes is how often the checkpointer goes over the log before the writer finishes.
const passes = 2

func openCheckpointer(path string, observe func(error)) *checkpointer {
	db := openPool(path, writerPragmas)
	db.SetMaxOpenConns(1)
	return &checkpointer{
		db: db, due: make(chan struct{}, 1), lastPass: make(chan chan struct{}), ended: make(chan struct{}), observe: observe,
	}
}

// ask requests a checkpoint soon, and returns at once.
func (c *checkpointer) ask() {
	select {
	case c.due <- struct{}{}:
	default:
	}
}

// run makes a checkpoint whenever it is asked to, until quit is closed.
func (c *checkpointer) run(quit <-chan struct{}) {
	defer close(c.ended)
	for {
		select {
		case <-c.due:
		case <-quit:
			return
		}
		for range passes {
			c.checkpoint(c.db)
		}
		finished := make(chan struct{})
		select {
		case c.lastPass <- finished:
			<-finished // two at once would refuse each other
			c.forget()
		case <-quit:
			return
		}
	}
}

// forget drops a request that came during the checkpoint it asked for: another one would only hold up the writer.
func (c *checkpointer) forget() {
	select {
	case <-c.due:
	default:
	}
}

// close waits for run to end, after quit was closed.
func (c *checkpointer) close() error {
	<-c.ended
	return c.db.Close()
}

// checkpoint copies what is in the log into the database file. It yields to readers; what it leaves is done next time.
// A failure costs nothing that was acknowledged, for it is all in the log; but the log grows meanwhile, and the
// database file or its disk may be broken. So each goes to the observer.
func (c *checkpointer) checkpoint(db *sql.DB) {
	var busy, pages, copied int
	c.observe(db.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied))
}

// restartPatience is how long commits wait for readers of the log before its restart is put off. A request's reads take
// a millisecond or two; a backup takes seconds, and the log grows meanwhile.
const restartPatience = 20 * time.Millisecond

// restart copies what is left and makes the log begin anew, on the writer's connection. It reports whether it has:
// beside a long reader the log goes on.
func (c *checkpointer) restart(db *sql.DB) bool {
	var busy, pages, copied int
	err := setBusyTimeout(db, restartPatience)
	if err == nil {
		err = db.QueryRow("PRAGMA wal_checkpoint(RESTART)").Scan(&busy, &pages, &copied)
	}
	err = errors.Join(err, setBusyTimeout(db, busyTimeout))
	c.observe(err)
	return err == nil && busy == 0
}

// setBusyTimeout sets how long the one connection of a pool waits for a lock.
func setBusyTimeout(db *sql.DB, d time.Duration) error {
	_, err := db.Exec(fmt.Sprintf("PRAGMA busy_timeout = %d", d.Milliseconds()))
	return err
}

// Checkpoints counts the checkpoints that failed, and logs the first of a row.
type Checkpoints struct {
	Log      *slog.Logger
	Failures atomic.Int64
	failing  atomic.Bool // the last one did
}

// Observe takes the end of a checkpoint, nil for success.
func (c *Checkpoints) Observe(err error) {
	if err == nil {
		if c.failing.Swap(false) {
			c.Log.Info("the log is copied into the database file again")
		}
		return
	}
	c.Failures.Add(1)
	if !c.failing.Swap(true) {
		c.Log.Warn("the log cannot be copied into the database file and grows; nothing is lost", "error", err)
	}
}
