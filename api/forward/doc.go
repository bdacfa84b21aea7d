// Package forward carries acts between instances: an act that arrives at an instance which does not own the game or the
// tournament goes to the owner, with the moment at which it arrived and the identity that was checked, and the owner's
// answer goes back through the instance that was asked.
//
// # What is sent, and how
//
// Two instances keep a connection for acts on games and one for acts on tournaments, over which many are under way at a time
// (net/rpc). It is asked for at [Path] of the ordinary address and is TLS 1.3 from then on, in which both sides prove that they have
// a key that follows from the secret that all instances share ([credentials]): who has it not can neither send an act, nor answer
// one, nor read or replay one. The request for a connection carries a proof of the secret that is cheap to check (proof.go):
// requests without one get few handshakes, by address. What is written while a write is under way goes with the next one, in one piece.
//
// A message ([Message]) says for whom it is meant (instance and epoch), from whom and when; the request by method, path, query
// and body; the moment at which it arrived, when it expires, the identity, the client's address and the headers that operations
// look at. Credentials (Authorization, cookies) are never sent. The receiver refuses what was meant for another instance or an
// earlier start of this one, and what was on its way for longer than [window].
//
// An act that was forwarded is never forwarded again: the receiver acts for itself, whoever it thinks the owner is.
//
// # When the owner does not answer
//
// The version guard of the database is the fence, as it is without owners: of two instances that write the same step of a
// game, one is refused, loads the game and judges again. So an act that is carried out twice, at the owner and here, is
// either stored once and found the second time, or judged twice. This decides what may be done here:
//
//   - It was certainly not sent, because there was no connection, or the owner has said that it did not act ([NotSent]): act
//     here, whatever it is.
//   - It may have been sent, and no answer came: none in time, or the connection broke. What is the same when it is done twice
//     is acted on here ([Again]), with the stamp of its arrival: a move (seat, turn and token say which), a commitment or a
//     nonce, a resignation (x-repeatable in the contract), and whatever has an Idempotency-Key. With a key the database says
//     what became of it: an answer is sent again; one that the owner still works on is answered with 409 and Retry-After; a key
//     that the owner never took is taken here, and the owner finds it taken.
//   - Anything else, such as an arbiter who adds time, would be judged again on top of what the owner may have stored, and
//     time added twice. Nothing here can tell whether it was stored: the line in the log does not say from which request it
//     came, and the owner may still be about to write. It is answered with 503 ([Unknown]), which says that it may or may not
//     have been done.
//
// Each act on a game expires when the sender stops waiting: the owner stores nothing of it after that. An owner that froze
// before it judged refuses the act when it wakes up; one that froze between judging and writing finds that the step is too late
// ([table.Step.Until]). So whoever was answered with 503 looks, and sends the act again if it is not done. Acts on tournaments may
// take longer than any fixed time (a round of a large tournament is paired); for them the sender waits as long as the owner is
// seen alive.
//
// An instance that did not answer is suspected: it counts as gone until another heartbeat of it is seen. It is also left
// alone for a while that grows with every failure ([pause]), so that an instance whose heartbeats come but whose address cannot
// be reached does not hold up every move; its acts are carried out here meanwhile.
package forward
