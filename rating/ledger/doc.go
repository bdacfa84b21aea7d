// Package ledger rates finished games: in the order of their ends, each exactly once.
//
// Finished games come from the outbox, in the order of their commits. The ledger is a consumer with a cursor there:
// rating rows are stored in the transaction that moves the cursor, and only if the cursor has not moved since it was
// read. So a batch is atomic in a crash, concurrent ledgers count no game twice, and a game that is in the outbox twice
// counts once.
//
// Ratings are a pure function of the games and of the ratings that players were entered with. A recomputation returns
// the same rows to the last bit.
//
// # Corrections
//
// The result of a game in the hall may be corrected, removed and entered again. The outbox then gets a further row of
// the game, which takes the place of the first: the game keeps its place in the order. When the ledger comes to a
// further row, it rates the game's list again from that place on and replaces the rows there in the transaction that
// moves the cursor. This holds the games since then, and their rows, in memory, a few hundred bytes each.
//
// # Which games are rated
//
//	the game                                                    rated
//	agreed to be unrated, or of an unrated event                no
//	of no list                                                  no
//	void (to be played again) or aborted: it has no ranks       no
//	without a single ply, however it ended                      no, unless it was played in the hall
//	with a seat that has no player                              no
//	with one player on two seats                                no
//	with fewer than two sides that have moved                   no
//	any other                                                   yes, for the seats that have moved
//
// A seat has moved if it has made a move that was not taken back; in the hall, all have if the game was played. Other
// seats are left out: the game is rated as if the rest had played it, with the ranks of the rest. So a loss on time, by
// forfeit or by resignation costs no rating before the loser's first move, in games of any number of seats.
//
// For games that ended before Finished.Moved was stored (it is nil) the older rule holds that they were rated by when
// they ended, so that a recomputation returns the same rows for them:
//
//	the game, if no reason for "no" above applies                rated
//	lost on time or by forfeit before every seat has moved,
//	that is with fewer plies than seats                         no
//	lost by resignation after a ply                             yes, for all seats
//	any other                                                   yes, for all seats
package ledger
