// Package record reads, writes and judges the records of games.
//
// A [Game] is what the rules need of a record: a variant, its setup and a list of move tokens. [Judge] gives the
// position they lead to, or the first token that is refused.
//
// A [Record] is a game as it is published and kept: who played, when and where, under which rules and clocks, every
// move with its times, and what else happened. Its text is the same for all variants and close to the portable game
// notation of chess; docs/records.md describes it. [Append] writes it and a [Reader] reads it, without loss. [Check]
// plays a record through and says what in it is not as it should be, clocks included; [Verify] accounts for the chance
// in it.
package record

import (
	"strings"

	"quatuor/engine"
)

// Record is one game as its text tells it. It holds only what may be published. Fields that are zero are not in the
// text; times are milliseconds since 1970, UTC.
type Record struct {
	Event, Site  string
	Date         string   // of the game where it was played, as 2026-11-21
	Round, Board int      // from 1
	Game         string   // id of the game where it was played
	Seats        []string // names by seat; "" for one that is not known
	Variant      string
	Options      map[string]string // as [engine.NewSetup] takes them; words of letters, digits, _ and -
	Controls     []string          // time controls by seat, as the clock package spells them; nil if not known
	Lag          bool              // lag was credited
	Rated        bool
	Chance       Chance
	Start, End   int64    // when the clocks began to run, and when the game ended
	Outcome      *Outcome // nil: unfinished, or aborted
	Aborted      bool     // broken off, without result
	Position     string   // after the last move
	Extra        []Tag    // tags that this package does not know, in their order
	Comment      string   // on the game as a whole
	Entries      []Entry
}

// Chance is what a record tells of a game's seed: hexadecimal texts of 64 lower-case digits. Package chance tells what
// they mean.
type Chance struct {
	Commitment       string   // SHA-256 of the game's seed
	Seed             string   // known once the game is over
	ServerCommitment string   // SHA-256 of the server's seed; "" where that is the game's own
	ServerSeed       string   // known once the game is over
	Nonces           []string // by seat; nil where the seats gave none
}

// Tag is a name and a value.
type Tag struct {
	Name  string // a letter, then letters and digits
	Value string
}

// Kind says what an entry records. The words are those of a live game's log.
type Kind string

// The kinds of entry. Moves, leavings and agreements are the engine's events; the others concern clocks and offers.
const (
	Move      Kind = "move"
	Left      Kind = "left"
	Agreement Kind = "agreement"
	Offer     Kind = "offer"
	Decline   Kind = "decline"
	Pause     Kind = "pause"
	Resume    Kind = "resume"
	Outage    Kind = "outage" // the service was away, and the clocks stood still
	Abort     Kind = "abort"

	// What arbiters do, and moves that are taken back.
	Set             Kind = "set"          // a seat's clock was set
	Add             Kind = "add"          // something was added to a seat's clock, or taken from it
	Adjudication    Kind = "adjudication" // the game was decided
	Takeback        Kind = "takeback"     // moves were taken back
	TakebackOffer   Kind = "takeback-offer"
	TakebackDecline Kind = "takeback-decline"
)

// kinds lists all of them but moves, as words of the text.
var kinds = []Kind{
	Left, Agreement, Offer, Decline, Pause, Resume, Outage, Abort, Set, Add, Adjudication, Takeback, TakebackOffer, TakebackDecline,
}

// Entry is one line of a game: a move, or something else that happened. Durations are milliseconds.
type Entry struct {
	Kind Kind
	// Seat is who moved, left, offered, declined or accepted, or whose clock was changed; 0 for nobody, and for a move of
	// the seat on turn.
	Seat engine.Seat
	// Text is the token of a move, the reason of a leaving, what comes after = where a kind has that (see [argument]), and
	// empty otherwise. Of a move whose reader may not know it yet, it is what may be known: [Untold], or the colour of a
	// tile, such as "r?".
	Text      string
	At        int64  // when it arrived; 0 if not known
	Elapsed   *int64 // how long the seat's turn had lasted
	Claimed   *int64 // how long the client said that its player thought
	Remaining *int64 // on the seat's clock afterwards
	Length    int64  // of an outage that ended at At
	Position  string // after it
	Comment   string
}

// ofTheGame reports whether an entry is an event of the game itself, which its rules judge.
func (e Entry) ofTheGame() bool {
	return e.Kind == Move || e.Kind == Left || e.Kind == Agreement || e.Kind == Adjudication
}

// Untold stands for a move of which the reader may know nothing yet.
const Untold = "?"

// hidden reports whether an entry is a move that its record does not tell.
func (e Entry) hidden() bool {
	return e.Kind == Move && strings.HasSuffix(e.Text, Untold)
}

// The values of the tag Termination where a game has no outcome.
const (
	unfinished = "unfinished"
	aborted    = "aborted"
)

// Result spells the outcome as the tag Result and the end of the moves do: the ranks by seat such as "1,2", "replay" for
// a void game, "*" for one without an outcome.
func (r Record) Result() string {
	switch {
	case r.Outcome == nil:
		return "*"
	case r.Outcome.Ranks == nil:
		return string(engine.ReasonReplay)
	}
	return ranksText(r.Outcome.Ranks)
}

// Termination spells why the game ended as the tag does: the reason, "aborted", or "unfinished".
func (r Record) Termination() string {
	switch {
	case r.Outcome != nil:
		return string(r.Outcome.Reason)
	case r.Aborted:
		return aborted
	}
	return unfinished
}
