package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
)

// checkpointer copies SQLite's write-ahead log into the database file on a connection of its own. If the writer did it,
// commits would wait for tens of milliseconds, several times a second at full load.
//
// The log is restarted only once all of it is copied and no reader uses it. During writes a checkpoint never reaches
// its end, and overlapping readers never leave the log. So the checkpointer makes two passes, the second for the writes
// during the first, and then has the writer copy the small rest between two commits, after waiting a moment for current
// readers: new readers find everything in the database file.
type checkpointer struct {
	db       *sql.DB // a single connection
	due      chan struct{}
	lastPass chan chan struct{} // all but the last of the log is copied; the writer closes the channel that it receives
	ended    chan struct{}
	observe  func(error) // called after every checkpoint, nil for success
}

// passes is the number of times the checkpointer goes over the log before the writer finishes.
const passes = 2

func openCheckpointer(path string, observe func(error)) *checkpointer {
	db := openPool(path, writerPragmas)
	db.SetMaxOpenConns(1)
	return &checkpointer{
		db: db, due: make(chan struct{}, 1), lastPass: make(chan chan struct{}), ended: make(chan struct{}), observe: observe,
	}
}

// request schedules a checkpoint and returns at once.
func (c *checkpointer) request() {
	select {
	case c.due <- struct{}{}:
	default:
	}
}

// run makes the requested checkpoints until quit is closed.
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

// forget drops a request that came during the checkpoint, which would only delay the writer.
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

// checkpoint copies the log into the database file, and yields to readers. A failure loses no acknowledged write, which
// are all in the log; but the log grows, and the disk may be broken, so it is observed.
func (c *checkpointer) checkpoint(db *sql.DB) {
	var busy, pages, copied int
	c.observe(db.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied))
}

// restartPatience is the time that commits wait for readers of the log before its restart is put off. The reads of a
// request take a millisecond or two; a backup takes seconds.
const restartPatience = 20 * time.Millisecond

// restart copies the rest and restarts the log, on the writer's connection. It reports false beside a long reader.
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

// setBusyTimeout sets the time that the only connection of a pool waits for a lock.
func setBusyTimeout(db *sql.DB, d time.Duration) error {
	_, err := db.Exec(fmt.Sprintf("PRAGMA busy_timeout = %d", d.Milliseconds()))
	return err
}

// CheckpointCounter counts the checkpoints that failed, and logs the first of a row.
type CheckpointCounter struct {
	Log      *slog.Logger
	Failures atomic.Int64
	failing  atomic.Bool // the last checkpoint failed
}

// Observe takes the end of a checkpoint, nil for success.
func (c *CheckpointCounter) Observe(err error) {
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
