package sqlite

import "database/sql"

// checkpointer copies SQLite's write-ahead log into the database file beside the writer, on a connection of its own.
// Were it left to the writer, every commit would wait for it: tens of milliseconds, several times a second at full load.
//
// During writes a checkpoint never gets to the end of the log, which only then begins anew. So the checkpointer goes
// over it twice, the second time for what came during the first, and then asks the writer to copy the little that is
// left between two commits.
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
// A failure costs nothing that was acknowledged, for it is all in the log; but the log grows meanwhile, and the database
// file or its disk may be broken. So each goes to the observer.
func (c *checkpointer) checkpoint(db *sql.DB) {
	var busy, pages, copied int
	c.observe(db.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied))
}
