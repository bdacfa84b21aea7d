// Package engine defines the interface between the rules of a board game and the rest of the program: immutable states,
// a single kind of event, and the match that folds a log of events into a state.
//
// A game lives in a package of its own below this and implements [Rules] and [State]. Nothing here or there reads a
// clock, a file or a source of chance: times belong to the clock package and to the caller, and the randomness of a
// game comes from the seed in its [Setup]. A [Match] adds what all games share (repetition, length, agreement, turn
// numbers) and is the only way out for viewers: [Match.Project].
package engine

import "slices"

// Seat is a place at the board, numbered from 1 in turn order; 0 means no seat.
type Seat int8

// Side is a group of seats that win together, numbered from 1.
type Side int8

// Move is a canonical move token, without the seat prefix.
type Move string

// Kind is the kind of an event.
type Kind uint8

// The kinds of event that change a state.
const (
	Moved   Kind = iota + 1 // a seat made a move; Text is the token
	Left                    // a seat left the game; Text is the reason
	Agreed                  // both sides agreed on a draw
	Decided                 // an arbiter decided the game; Text is the ranks by seat, for example "1,2"
)

// Event is a line of a game's log.
//
// Seat may be 0 for a move in a game that awaits a single seat at a time: the seat on turn is meant.
type Event struct {
	Kind Kind
	Seat Seat
	Text string // token of a move, reason of a leaving, ranks of a decision, empty for an agreement
}

// Reason is the reason why a game is over.
type Reason string

// The reasons for an end, as positions, records and the API spell them.
const (
	ReasonLine         Reason = "line"
	ReasonOpponentLine Reason = "opponent-line"
	ReasonOut          Reason = "out"
	ReasonBlocked      Reason = "blocked"
	ReasonLast         Reason = "last"
	ReasonTiers        Reason = "tiers"
	ReasonTieBreak     Reason = "tie-break"
	ReasonReplay       Reason = "replay"
	ReasonRepetition   Reason = "repetition"
	ReasonLength       Reason = "length"
	ReasonAgreement    Reason = "agreement"
	ReasonResignation  Reason = "resignation"
	ReasonTime         Reason = "time"
	ReasonForfeit      Reason = "forfeit"

	// ReasonAdjudication is an arbiter's decision on a game that was not played to its end.
	ReasonAdjudication Reason = "adjudication"
)

// Leaving reports whether r is a reason of a seat for leaving a game.
func (r Reason) Leaving() bool {
	return r == ReasonResignation || r == ReasonTime || r == ReasonForfeit
}

// Outcome is the result of a finished game.
type Outcome struct {
	Ranks  []int  `json:"ranks"` // by seat, 1 is best, equal ranks share a place; nil for a void game
	Reason Reason `json:"reason"`
}

// Void reports whether the game has no result and must be played again.
func (o Outcome) Void() bool { return o.Ranks == nil }

// String returns the status form of a position text, for example "=1,2:line".
func (o Outcome) String() string {
	return "=" + Numbers(o.Ranks, ",") + ":" + string(o.Reason)
}

// Pending is the next thing due in a state: either Awaited is not empty, or Outcome is set, never both.
type Pending struct {
	Awaited []Seat // ascending
	Sealed  bool   // the awaited seats choose in secret, all for the same turn
	Outcome *Outcome
}

// Awaits reports whether s may act now.
func (p Pending) Awaits(s Seat) bool { return slices.Contains(p.Awaited, s) }

// Over reports whether the game has ended.
func (p Pending) Over() bool { return p.Outcome != nil }

// Viewer is the person or program that looks at a game: the set of seats with secrets that it may know. The zero Viewer
// is a spectator.
type Viewer struct{ seats uint16 }

// ViewerOf returns the viewer that holds the given seats.
func ViewerOf(seats ...Seat) Viewer {
	var v Viewer
	for _, s := range seats {
		v = v.With(s)
	}
	return v
}

// With returns the viewer that holds a further seat.
func (v Viewer) With(s Seat) Viewer {
	if s > 0 && s <= maxSeats {
		v.seats |= 1 << s
	}
	return v
}

// Holds reports whether the viewer sits at s.
func (v Viewer) Holds(s Seat) bool { return s > 0 && s <= maxSeats && v.seats&(1<<s) != 0 }

// View is the part of a state that a viewer may see. Each game's package documents its own struct, which has JSON tags
// in snake_case and holds only public facts and the viewer's own.
type View any

// SealedView is a view of a game with secret choices of seats.
type SealedView interface {
	// Chosen reports whether a seat has made its choice for the present turn; every viewer may know.
	Chosen(Seat) bool
}

// ViewWriter is a state that writes a view as JSON by hand, without reflection: a view is sent after every move, and
// encoding/json takes 18,000 to 53,000 instructions more for a view, of some 210,000 that a move takes in all.
type ViewWriter interface {
	// AppendView appends the JSON of State.View for the viewer, as encoding/json writes it with HTML escaping
	// switched off.
	AppendView([]byte, Viewer) []byte
}

// Rules are a variant of a game. Implementations are stateless values, safe for concurrent use.
type Rules interface {
	// Info describes the variant; it never changes.
	Info() Info
	// Start returns the first state. The setup must come from [NewSetup] with this variant's Info.
	Start(Setup) (State, error)
	// Parse reads a position as [State.Position] prints it; the setup supplies the options.
	Parse(setup Setup, position string) (State, error)
}

// State is a position of a game. States are immutable values, safe for concurrent use.
//
// A state that holds secrets keeps them behind a pointer in an unexported field and implements neither fmt.Stringer
// nor any Marshaler, so that neither a log line nor an encoder shows them.
type State interface {
	// Pending returns the awaited seats, or how the game ended.
	Pending() Pending
	// Legal returns a seat's legal moves in ascending byte order, without duplicates; nil if the seat is not awaited.
	Legal(Seat) []Move
	// Apply carries out a move or a leaving and returns the next state; the receiver never changes. Errors are
	// *MoveError, tested in the order notation, turn, illegal, and safe to show to the mover. A state that is over
	// refuses everything with ErrOver.
	Apply(Event) (State, error)
	// Draw ends the game as a draw between the seats still in.
	Draw(Reason) State
	// Decide ends the game as an arbiter has decided it: ranks holds a rank per seat and fits the seats and sides of
	// the game.
	Decide(ranks []int) State
	// View returns this viewer's view. It is built up from the viewer's knowledge, not stripped down from the whole state.
	View(Viewer) View
	// Redact returns the log as this viewer may see it in this state: same length, same order.
	Redact(Viewer, []Event) []Event
	// Position returns the canonical text. Where Info.Secret is set it is not for viewers, unless the game is
	// over.
	Position() string
}

// Step is a legal move as a [Cursor] numbers it. A number means the same move in every position of a variant.
type Step uint32

// Cursor is a position that makes and unmakes moves in place, for programs that search the tree of a game: it allocates
// nothing for a move, and reads no text. Repetition and length do not apply. A Cursor is used by a single goroutine at
// a time.
type Cursor interface {
	// Turn returns the seat on turn, 0 when the game is over.
	Turn() Seat
	// Winner returns the side that has won, 0 while the game goes on or if it was drawn.
	Winner() Side
	// Steps appends the legal moves of the seat on turn, in no particular order; none when the game is over.
	Steps([]Step) []Step
	// Make makes a legal move.
	Make(Step)
	// Unmake takes back the last move made, if any.
	Unmake()
	// Key returns a 64-bit hash of all that the rest of the game depends on. It is the same in every run.
	Key() uint64
	// Move returns the token of a legal move.
	Move(Step) Move
}

// Walkable is a state that programs can search. States with secrets are not.
type Walkable interface {
	// Cursor returns a new cursor at this state.
	Cursor() Cursor
}

// Lot is a decision of chance in a game: a draw or a shuffle.
type Lot struct {
	After int    // number of events of the log before it; 0 for a decision at the start
	Text  string // the decision, in words
}

// Auditor is implemented by the rules of games with chance that can account for every draw.
type Auditor interface {
	// Lots returns the decisions of a setup's seed in a game with this log, in order. It reveals secrets: only for games
	// that are over. Errors are those of [Rules.Start] and [State.Apply].
	Lots(Setup, []Event) ([]Lot, error)
}
