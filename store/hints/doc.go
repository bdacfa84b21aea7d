// Package hints carries short hints between the instances on a PostgreSQL database: that something has a new version,
// never its content. Interested instances read the database, which stays the only truth.
//
// A [Link] has a connection of its own. It publishes changes with NOTIFY after the commit and outside of its
// transaction, at most every 5 ms or, under load, every 50 ms, and receives those of others with LISTEN. A NOTIFY in a
// writing transaction would serialize all commits.
//
// # What can be lost
//
//	what fails                                     detected by                       what follows
//	the connection of the sender                   the sender                        the hints are sent with the next connection
//	the sender, between its commit and its NOTIFY  the others: it has gone silent    Receiver.OnGap on each of them
//	the connection of a listener                   the listener                      LISTEN again, then Receiver.OnGap
//	the queue is full                              the sender                        it announces that, and the others call Receiver.OnGap
//
// Hints may come twice, late and in any order; they must not count twice.
//
// # Messages
//
// A message is text of less than 8,000 bytes, PostgreSQL's limit. Its first line is
//
//	1 KIND INSTANCE TIME
//
// with the time in ms UTC of the first of its hints, and each further line is a hint:
//
//	TOPIC VERSION PARTS
//
// The kinds: hints; hello from a new listener, which requests what the others know and the database does not; all if
// anything may have changed; bye from an instance that ends. Messages of another form are ignored.
package hints
