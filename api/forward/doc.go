// Package forward carries acts between instances: an act that arrives at an instance which does not own the game or the
// tournament goes to the owner, with the stamp of its arrival and the authenticated identity, and the owner's answer
// goes back to the client through the same instance.
//
// # Protocol
//
// Two instances keep a connection for acts on games and another for acts on tournaments, each multiplexed (net/rpc). A
// GET of [Path] is upgraded to mutual TLS 1.3 with a key that is derived from the shared secret ([credentials]). The
// GET carries a proof of the secret that is cheap to check (proof.go): handshakes without a proof are rate-limited by
// address. Writes are batched.
//
// A [Message] holds its receiver (instance and epoch), its sender and its time; method, path, query and body of the
// request; the stamp of its arrival, its expiry, the identity, the client's address and the headers that operations
// read. Credentials (Authorization, cookies) are never sent. The receiver refuses messages for another instance or an
// earlier start of this one, and those that took longer than [window].
//
// A forwarded act is never forwarded again: the receiver carries it out, whether it is the owner or not.
//
// # When the owner does not answer
//
// The version guard of the database is the fence: of two instances that write the same step of a game, the second is
// refused, loads the game and judges again. So an act that is carried out both at the owner and here is either stored
// once and found the second time, or judged twice. This decides what may be done here:
//
//   - It was certainly not carried out ([NotSent]), because no connection could be made or the owner refused it: carry
//     it out here, whatever it is.
//   - It may have been sent, and no answer came in time or the connection broke. Idempotent acts are retried here
//     ([Again]), with the stamp of their arrival: a move (identified by seat, turn and token), a commitment or a nonce,
//     a resignation (x-repeatable in the contract), and any act with an Idempotency-Key. For a key the database has the
//     state: a stored answer is repeated; a request that the owner still works on is answered with 409 and Retry-After;
//     an unknown key is taken here.
//   - Anything else, like time added by an arbiter, could be done twice, because the log does not identify the
//     request of a line, and the owner may still be about to write. The answer is 503 ([Unknown]): it may or may not
//     have been done.
//
// An act on a game expires when the sender stops waiting: the owner stores nothing of it after that. An owner that
// froze before judging refuses the act when it resumes; a step that it had judged before is too late
// ([table.Step.Until]). So a client that got 503 can read the game and retry. Acts on tournaments may take longer than
// any fixed time (pairing a large round); for them the sender waits as long as the owner lives.
//
// An instance that did not answer is suspected: it counts as gone until its next heartbeat. Exponential backoff
// ([backoff]) keeps an instance with heartbeats but an unreachable address from delaying every move; its acts are
// carried out here.
package forward
