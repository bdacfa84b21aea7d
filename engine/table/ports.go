package table

import (
	"context"
	"time"

	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// Status is the state of a game.
type Status string

// The states of a game.
const (
	Waiting  Status = "waiting" // not started; clocks are stopped
	Running  Status = "running"
	Paused   Status = "paused"
	Finished Status = "finished"
	Aborted  Status = "aborted" // broken off, without result
)

// Over reports whether the game has ended.
func (s Status) Over() bool { return s == Finished || s == Aborted }

// Game is a game's row: its setup and its current state. The log is the source of truth; the state is a fold of it,
// stored so that lists and deadlines need no replay. The tags are for package store.
type Game struct {
	ID         string `gorm:"primaryKey"`
	Variant    string
	Seats      int
	SeedHex    string            `gorm:"column:seed"` // the server's; secret until the end; "" without chance
	Nonces     bool              // the seats add to the seed, and the game is dealt once all have
	Delay      Delay             `gorm:"embedded;embeddedPrefix:delay_"` // lag of the spectators' view
	Takebacks  bool              // the players may agree to take a move back
	Options    map[string]string `gorm:"serializer:text"` // as chosen
	Players    []string          `gorm:"serializer:text"` // player ids by seat; "" = open seat
	Controls   []string          `gorm:"serializer:text"` // time controls by seat, canonical
	Lag        bool              // clocks credit lag
	Rated      bool
	Open       bool       // has seats that were open when it was created, or that players have left
	Code       string     // needed to sit down in an open game; "" if it is listed
	Tournament *Place     `gorm:"-"` // nil for a casual game
	Hall       bool       // played on a board in the hall: stored when its result is entered or corrected
	CreatedBy  string     // account id
	Uses       []QuotaUse `gorm:"-"`                    // when it is created; not read back
	CreatedAt  int64      `gorm:"autoCreateTime:false"` // ms UTC, like all times here
	StartedAt  int64      // 0 before the start
	FinishedAt int64

	Status   Status
	Invited  SeatSet // players that have not accepted yet, or are not at the board; 0 when waiting for none
	StartsAt int64   // when a waiting game starts by itself; 0 = never
	Version  int64   // number of lines in the log
	Turn     int
	Plies    int
	Awaited  []int8          `gorm:"serializer:text"`
	Offer    int8            // seat with an open draw offer, 0 = none
	Clock    clock.State     `gorm:"serializer:text"`
	Deadline int64           // when the next flag falls, or the game must have the acceptances or nonces it waits for; 0 = none
	Position string          // canonical text; secret where the variant is
	Outcome  *engine.Outcome `gorm:"serializer:null"` // nil until Finished
}

// SeatSet is a set of seats: bit 0 is seat 1.
type SeatSet uint16

// Has reports whether a seat is in the set.
func (s SeatSet) Has(seat int8) bool { return seat > 0 && s>>(seat-1)&1 == 1 }

// With returns the set with a seat added.
func (s SeatSet) With(seat int8) SeatSet { return s | 1<<(seat-1) }

// Without returns the set less a seat.
func (s SeatSet) Without(seat int8) SeatSet { return s &^ (1 << (seat - 1)) }

// Delay is the delay of spectators' view of a running game. Both limits hold; the zero Delay hides nothing.
type Delay struct {
	Moves int   // number of last moves that are hidden
	Ms    int64 // duration at the end that is hidden
}

// Place is the pairing of a tournament game.
type Place struct {
	ID           string // tournament
	Round, Board int
}

// LineKind is the kind of a line of a game's log.
type LineKind string

// The kinds of line. Move, Left, Agreed and Adjudication are the engine's events, and Takeback takes them back; the
// others concern clocks, offers and the seed. See [Line.Word] for their texts.
const (
	LineStart   LineKind = "start"
	LineMove    LineKind = "move"
	LineLeft    LineKind = "left"
	LineAgreed  LineKind = "agreement"
	LineOffer   LineKind = "offer"
	LineDecline LineKind = "decline"
	LinePause   LineKind = "pause"
	LineResume  LineKind = "resume"
	LineOutage  LineKind = "outage" // Text: length in ms; clocks were stopped
	LineAbort   LineKind = "abort"  // Seat: of the player that declined the invitation, 0 otherwise

	LineSet          LineKind = "set"          // an arbiter set a seat's clock
	LineAdd          LineKind = "add"          // an arbiter added to a seat's clock, or took from it
	LineAdjudication LineKind = "adjudication" // an arbiter decided the game
	LineBerserk      LineKind = "berserk"      // the seat plays with half of its time
	LineTakeback     LineKind = "takeback"     // moves were taken back, by an arbiter or with the agreement of a seat

	LineTakebackOffer   LineKind = "takeback-offer"   // a seat requests a takeback
	LineTakebackDecline LineKind = "takeback-decline" // another player does not agree

	LineCommitment LineKind = "commitment" // Text: SHA-256 of the nonce that the seat is going to send
	LineNonce      LineKind = "nonce"      // Text: the seat's addition to the seed; hidden until all are in
	LineLapse      LineKind = "lapse"      // the seat sent no commitment in time, and has no part in the seed

	LineAccept LineKind = "accept" // the seat's player accepts the invitation to the game, or sits down
	LineStand  LineKind = "stand"  // the seat's player leaves an open game before it begins; Text: why
	LineRefuse LineKind = "refuse" // the seat's player declines the invitation to an open game; Text: why
)

// Line is a stored line of a game's log, never changed afterwards.
type Line struct {
	N         int64 `gorm:"primaryKey;autoIncrement:false"` // from 1
	Kind      LineKind
	Seat      int8 // 0 if it is not a seat's
	Text      string
	At        int64  // ms UTC: arrival, deadline, or the act's time
	Turn      int    // the turn of its arrival
	Elapsed   int64  // ms that the seat's turn lasted; moves only
	Claimed   *int64 // thinking time in ms as the client claims; nil without
	Remaining int64  // ms on the seat's clock afterwards; moves and changes of a clock only
	By        string `gorm:"column:by_account"` // account id, "" for the server

	Said sentence.Stored // the text after its word, if it is in the server's words
}

// Step is the content of an append, written whole or not at all.
type Step struct {
	Game  *Game  // the row afterwards; Game.Version is the new version; it never changes
	From  int64  // the version this step builds on
	Lines []Line // numbered From+1 …
	// Moved are the seats that have moved, and Fewest is the lowest number of moves of any of them, in a game that is
	// over by this step; else 0.
	Moved  SeatSet
	Fewest int
	// Until is the deadline after which a shared journal refuses the step with ErrConflict, however long the process was
	// stopped since judging it. Zero for none.
	Until time.Time
}

// Armed is a game that runs, or waits until a deadline.
type Armed struct {
	ID       string
	Deadline int64
}

// Outage is a time without a process that served the games, ms UTC.
type Outage struct{ From, To int64 }

// Row is a game without its log.
type Row struct {
	Game   Game
	LastAt int64 // when its last line was written, ms UTC; 0 without lines
}

// Storage is the set of ports that a database implements for tables, by role. Writes that return nil are durable.
// Errors wrap ErrUnavailable if nothing can be stored or read at the moment.
type Storage struct {
	Journal    Journal
	Deadlines  Deadlines
	Quotas     Quotas
	Heartbeats Heartbeats
	Outages    OutageJournal
}

// Journal stores games.
type Journal interface {
	// Create stores games that are not there yet; an id that exists is left as it is. A game that waits for invited
	// players counts towards the limits of the account that created it: ErrInvitations, with nothing stored, if that
	// has MaxInvitations open already, or MaxInvitationsTo with the same invited player; for an open game, if it has
	// MaxOpenGames open; or if within UnplayedTime it has created MaxUnplayedTo with an invited player that were not
	// played. Requests at the same time are counted in turn. ErrQuota, with nothing stored, if another game has a place
	// in a quota that any of these takes.
	Create(ctx context.Context, games []Game) error
	// Begin is Create for a single game that waits for no player, with its first step in the same transaction;
	// ErrConflict if the id exists, ErrQuota as in Create.
	Begin(ctx context.Context, s Step) error
	// Load returns a game and its whole log, or ErrNotFound.
	Load(ctx context.Context, id string) (Game, []Line, error)
	// LoadSince is Load with only the lines after a version.
	LoadSince(ctx context.Context, id string, version int64) (Game, []Line, error)
	// Version returns a game's version, or ErrNotFound.
	Version(ctx context.Context, id string) (int64, error)
	// Append writes a step in a transaction and, if the game is over by it, an outbox row. It returns ErrConflict if
	// the stored version is not Step.From, and nil once the step is durable.
	Append(ctx context.Context, s Step) error
}

// Deadlines finds games by their deadlines.
type Deadlines interface {
	// Armed returns the running games, with a deadline or without, and the waiting games with a deadline: all, or those
	// of a list that is not nil.
	Armed(ctx context.Context, of []string) ([]Armed, error)
	// LastEntry returns the latest time in the logs of the games that are not over, ms UTC; 0 for none.
	LastEntry(ctx context.Context) (int64, error)
	// Watch adds games to the sweep index, each from a time that is not after its deadline; nil adds all with a deadline
	// that are missing.
	Watch(ctx context.Context, games []Armed) error
	// Overdue returns running and waiting games with a deadline before a time, in ms UTC, the longest overdue first. A
	// game with a write in progress may be left out.
	Overdue(ctx context.Context, before int64, limit int) ([]Armed, error)
}

// Heartbeats stores when instances were last alive.
type Heartbeats interface {
	// Beat stores an instance's heartbeat.
	Beat(ctx context.Context, instance string, at int64) error
	// LastBeat returns the latest of all instances, 0 for none.
	LastBeat(ctx context.Context) (int64, error)
}

// OutageJournal stores the outages that are to be credited to running games. Both writes are idempotent.
type OutageJournal interface {
	NoteOutage(ctx context.Context, o Outage) error
	// Outages returns the stored outages, by their end.
	Outages(ctx context.Context) ([]Outage, error)
	DropOutages(ctx context.Context, outages []Outage) error
	// Rows returns games without their logs; those that do not exist are left out.
	Rows(ctx context.Context, ids []string) ([]Row, error)
}

// Filter selects games for a list; empty fields select all.
type Filter struct {
	Status     []Status
	Player     string
	Variant    string
	Variants   []string // without Variant: games of any of these; each is a query, so they must be few
	Tournament string
	Invited    bool // those that wait for invited players, regardless of Status
	Listed     bool // with Invited: open games that are in the list
	Delayed    bool // with Status: games with a delay, too, whatever state they are in before their end
}

// Archive lists games, as rows without logs.
type Archive interface {
	// List returns the newest first; cursor is "" for the first page, next is "" after the last.
	List(ctx context.Context, f Filter, limit int, cursor string) (page []Game, next string, err error)
}

// Notifier is called after a step of a game was stored. It must return quickly and never block.
type Notifier interface {
	GameChanged(s *Snapshot, news []Line)
}

// Follower applies the consequences of finished games (ratings, the tournament's result, the next round).
type Follower interface {
	// Wake signals that a game has finished, and returns at once.
	Wake()
	// Follow returns when the game's consequences are stored, or when ctx ends.
	Follow(ctx context.Context)
}

// Snapshot is a game at a moment: immutable, shared between readers.
//
// It holds the game's secrets. Only the results of its methods Project, Log, Chance and Clocks leave the server.
type Snapshot struct {
	Game   Game
	Match  *engine.Match // nil before the game is dealt, where the seats add to its seed
	Lines  []Line
	Margin *Margin
	behind *behind // nil for the current game
}

// Errors of live play. Refusals by the rules come as *engine.MoveError.
var (
	ErrNotFound    = sentence.Errorf("there is no such game")
	ErrConflict    = sentence.Errorf("the game has moved on meanwhile")
	ErrStaleTurn   = sentence.Errorf("this move was for another turn")
	ErrFlagFallen  = sentence.Errorf("the move came after the time was up")
	ErrGameOver    = sentence.Errorf("the game is over")
	ErrNotStarted  = sentence.Errorf("the game has not started")
	ErrPaused      = sentence.Errorf("the game is paused")
	ErrNotPaused   = sentence.Errorf("the game is not paused")
	ErrNoReason    = sentence.Errorf("an arbiter's act needs a reason, which stands in the game's record")
	ErrClock       = sentence.Errorf("the clock cannot be changed like this")
	ErrRanks       = sentence.Errorf("these ranks are not a possible result of this game")
	ErrNotYourSeat = sentence.Errorf("this is not your seat")
	ErrNoOffer     = sentence.Errorf("there is no draw offer to answer")
	ErrSetup       = sentence.Errorf("a game cannot be set up like this")
	ErrNotOver     = sentence.Errorf("the game is not over")
	ErrRematch     = sentence.Errorf("this game has no rematch; a casual game between two players has")
	ErrDeclined    = sentence.Errorf("the rematch was declined, or not accepted in time; create a new game")

	ErrInvitations  = sentence.Errorf("too many invitations are open")
	ErrNoInvitation = sentence.Errorf("there is no invitation to decline")

	ErrNotOpen   = sentence.Errorf("this game has no open seats; it is for its players only")
	ErrSeatTaken = sentence.Errorf("another player was faster")
	ErrCode      = sentence.Errorf("only those who were given the link to this game can sit down in it; ask for the " +
		"whole link")

	ErrBerserk = sentence.Errorf("half of the time can be taken before one's first move only, with a clock for the game")

	ErrNoTakebacks     = sentence.Errorf("in this game the players cannot agree to take moves back")
	ErrNoTakebackOffer = sentence.Errorf("there is no request for a takeback to answer")

	ErrNoNonces   = sentence.Errorf("the seats add nothing to the seed of this game")
	ErrNonceGiven = sentence.Errorf("this can be sent once only")
	ErrNonceEarly = sentence.Errorf("nonces can be sent once every seat has sent its commitment")
	ErrNonceLate  = sentence.Errorf("the time for this is over, and the game is dealt without it")
	ErrNonceOther = sentence.Errorf("this nonce does not fit the commitment that the seat has sent")

	// ErrUnavailable reports that nothing can be stored or read at the moment, for a transient reason outside this
	// program: a full disk, a lock, a database server that is down. Every part of the same database wraps its errors in
	// it.
	ErrUnavailable = sentence.Errorf("the database is not available at the moment; try again soon")
)
