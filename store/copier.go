package store

import (
	"database/sql"
	"log/slog"
	"sync/atomic"
)

// copier copies SQLite's write-ahead log into the database file beside the writer, on a connection of its own. Were it
// left to the writer, every commit would wait for it: tens of milliseconds, several times a second at full load.
//
// While somebody writes, a copy never gets to the end of the log, which only then begins anew. So the copier goes over
// it twice, the second time for what came during the first, and then asks the writer to copy the little that is left
// between two commits.
type copier struct {
	db     *sql.DB // one connection
	due    chan struct{}
	nearly chan chan struct{} // all but the last of the log is copied; the writer closes what it receives
	ended  chan struct{}

	log      *slog.Logger
	failures atomic.Int64 // checkpoints that failed
	failing  atomic.Bool  // the last one did
}

// copyRounds is how often the copier goes over the log before the writer finishes.
const copyRounds = 2

func openCopier(path string, log *slog.Logger) *copier {
	db := openPool(path, writerPragmas)
	db.SetMaxOpenConns(1)
	return &copier{
		db: db, due: make(chan struct{}, 1), nearly: make(chan chan struct{}), ended: make(chan struct{}), log: log,
	}
}

// ask wants the log copied soon, and returns at once.
func (c *copier) ask() {
	select {
	case c.due <- struct{}{}:
	default:
	}
}

// run copies whenever it is asked to, until quit is closed.
func (c *copier) run(quit <-chan struct{}) {
	defer close(c.ended)
	for {
		select {
		case <-c.due:
		case <-quit:
			return
		}
		for range copyRounds {
			c.checkpoint(c.db)
		}
		finished := make(chan struct{})
		select {
		case c.nearly <- finished:
			<-finished // two at once would refuse each other
		case <-quit:
			return
		}
	}
}

// close waits for run to end, after quit was closed.
func (c *copier) close() error {
	<-c.ended
	return c.db.Close()
}

// checkpoint copies what is in the log into the database file. It gives way to readers; what it leaves is done next
// time. A failure costs nothing that was acknowledged, for it is all in the log; but the log grows meanwhile, and
// the database file or its disk may be broken. Each is counted, and the first of a row is logged.
func (c *copier) checkpoint(db *sql.DB) {
	var busy, pages, copied int
	err := db.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied)
	if err == nil {
		if c.failing.Swap(false) {
			c.log.Info("the log is copied into the database file again")
		}
		return
	}
	c.failures.Add(1)
	if !c.failing.Swap(true) {
		c.log.Warn("the log cannot be copied into the database file and grows; nothing is lost", "error", err)
	}
}
