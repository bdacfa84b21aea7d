// Package hints carries short hints between the instances that work on one PostgreSQL: that something has a new
// version, never what is in it. Who is interested reads the database, which stays the one truth.
//
// A [Link] has one connection of its own. It sends what has changed with NOTIFY after the commit and outside of its
// transaction, at most once every 5 ms or, where there is much to say, every 50 ms, and hears the others with LISTEN. A
// NOTIFY in a writing transaction would make all commits wait for each other.
//
// # What can be lost, and who notices
//
//	what fails                                     who notices                       what follows
//	the connection of the sender                   the sender                        the hints wait, and are sent with the next connection
//	the sender, between its commit and its NOTIFY  the others: it has gone silent    Receiver.Missed on each of them
//	the connection of a listener                   the listener                      LISTEN on a new one, then Receiver.Missed
//	more waits than may wait                       the sender                        it says so, and the others call Receiver.Missed
//
// Hints may come twice, late and in any order; they must not count twice.
//
// # Messages
//
// A message is text of less than 8,000 bytes, what PostgreSQL allows. Its first line is
//
//	1 KIND INSTANCE TIME
//
// with the time in ms UTC at which the first of its hints was said, and each further line is a hint:
//
//	TOPIC VERSION PARTS
//
// The kinds: hints; hello from a new listener, who wants to be told what the others know and the database does not; all
// if anything may have changed; bye from an instance that ends. What is not of this form is ignored.
package hints
