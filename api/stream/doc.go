// Package stream publishes changes of games and tournaments to readers, as server-sent events.
//
// A [Hub] is a publish-subscribe broker: every change is published after it was stored ([Hub.GameChanged],
// [Hub.TournamentChanged]) to the subscribers of its topic, a game or a tournament. Publishing never blocks: a change
// is put into each reader's bounded queue, and a reader with a full queue is dropped; it reconnects and resumes. Events
// are rendered once for each class of reader (the seats a reader holds, staff or public) by a function that the feed
// brings along, so that REST and pages each have their own wording and no reader sees more than its own projection.
//
// # Events of a game
//
//	state  the whole game; first, and whenever a reader has missed something
//	move   a move, a leaving, an agreed draw or an arbiter's decision was recorded, or moves were taken back
//	clock  the clocks were started, stopped, set or given time back
//	offer  a draw was offered or declined, or a takeback requested or declined
//	over   the game has ended; the stream ends after it
//	presence  a player of the game has come or gone, at most once a second; it has no id
//	ping   every 15 s, with the server's time
//
// All but ping carry the game as the reader may see it. A change can bring several events (a last move: move, then
// over); they carry the same game, and only the last of them has an id, so that a reader which is cut off between them
// gets them again.
//
// The id is the game's version. A reader that comes back with it in Last-Event-ID and has missed nothing gets only
// later events, or 204 if the game is over, which stops a browser's reconnecting; any other reader gets the state.
// Which events come, and when, depends on public facts alone: that a seat has chosen is public.
//
// Spectators of a game with a delay have the same events, each when its lines come to light, and no presence
// ([GameFeed.ServeBehind]).
//
// Changes made by other instances are published in the same way ([Hub.SyncGame]): every reader gets the lines that it
// lacks.
//
// An instance that is cut off from the others drops its streams ([Hub.Drop]), and readers reconnect to another
// instance.
//
// # Revoked rights
//
// A stream ends without a final event when the reader's right to it does ([Hub.Admit], [Reader]): the reader
// reconnects, and gets what it may see then. Nothing is sent after that moment, not even queued changes.
//
// # Events of a tournament
//
// state comes first and once after every change of the tournament itself, pairings and standings when these change,
// ping as above. Ids are versions of the tournament: for staff they count all changes, for the public only those that
// it can see. Because a version may bring several events, a reader that connects gets the state.
package stream
