// Package ledger turns finished games into rating rows: in the order in which they finished, each exactly once.
//
// Finished games come from the outbox, whose order is that of their commits. The ledger has a cursor there; what the
// games after it did to the ratings is stored in the same transaction that moves the cursor, and only if the cursor is
// still where it was read. So a crash leaves either all of a batch or nothing of it, two ledgers at once count nothing
// twice, and a game that the outbox tells of twice counts once.
//
// Nothing but the games and the ratings that players were given on entry goes into a rating. A recomputation gives
// the same rows to the last bit, and is what follows when the result of a game is corrected.
//
// # Which games are rated
//
//	the game                                                    rated
//	agreed to be unrated, or of an unrated event                no
//	of no list                                                  no
//	void (to be played again) or aborted: it has no ranks       no
//	without a single ply, however it ended: nobody played       no
//	with a seat that has no player                              no
//	with one player on two seats                                no
//	in which fewer than two sides have moved                    no
//	any other                                                   yes, for the seats that have moved
//
// A seat has moved if it has made a move that was not taken back. One that has not is left out, whatever the others did:
// the game is rated as if it had been played by the rest, with the ranks that these have. So a loss on time, by forfeit or by
// resignation costs no rating before the loser's first move, in games of any number of seats.
//
// Of games that ended before it was stored who has moved (Finished.Moved is nil) the older rule holds, by which they were
// rated when they ended, so that a recomputation gives the same rows for them:
//
//	the game, besides the reasons for "no" above                rated
//	lost on time or by forfeit before every seat has moved,
//	that is with fewer plies than seats                         no
//	lost by resignation after a ply                             yes, for all seats
//	any other                                                   yes, for all seats
package ledger
