// Package director runs tournaments: one sequencer per tournament takes every command and every finished game in
// turn, decides with the pure packages, and stores the outcome before anybody is told.
package director

import (
	"context"

	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/exchange"
)

// Finished is a finished game of a tournament, as the outbox reports it.
type Finished struct {
	Seq          int64 // position in the outbox
	GameID       string
	TournamentID string
	Round, Board int
	Ranks        []int  // by seat; nil for a void game
	Aborted      bool   // broken off without result
	Reason       string // the game's reason
	Plies        int
	At           int64 // ms UTC
}

// Store keeps tournaments. Every write is one transaction.
type Store interface {
	// Create stores a new tournament with version 1.
	Create(ctx context.Context, t *tournament.Tournament) error
	// Import stores a tournament that was started elsewhere, as version 1, with all that comes with it: everything or
	// nothing.
	Import(ctx context.Context, t *tournament.Tournament, with Imported) error
	// Original gives the file from which a tournament was taken over, or tournament.ErrNotFound.
	Original(ctx context.Context, id string) (*exchange.Original, error)
	// Load gives a tournament with entries and rounds, or tournament.ErrNotFound.
	Load(ctx context.Context, id string) (*tournament.Tournament, error)
	// Save stores t's own fields and what delta lists, if the stored version is still from; else
	// tournament.ErrStale. t.Version is the new version.
	Save(ctx context.Context, t *tournament.Tournament, from int64, delta tournament.Delta) error
	// RecordResult is Save that also moves the outbox cursor of the tournaments; t may be nil if nothing but the cursor
	// moves. A cursor that is already there or further makes it a no-op.
	RecordResult(ctx context.Context, cursor int64, t *tournament.Tournament, from int64, delta tournament.Delta) error
	// Delete removes a tournament that has not started, or that was imported and has version 1 still; others are
	// tournament.ErrState.
	Delete(ctx context.Context, id string, from int64) error
	// Pending lists the outbox rows of tournament games after the cursor, in order.
	Pending(ctx context.Context, limit int) ([]Finished, error)
	// Running lists the ids of the tournaments in status Running.
	Running(ctx context.Context) ([]string, error)
	// History lists the result changes of a tournament, oldest first.
	History(ctx context.Context, id string) ([]tournament.Change, error)
	// Acts lists what was done with a tournament, oldest first. Of all ways back (Act.Undo) only that of the latest act
	// by a person is kept.
	Acts(ctx context.Context, id string) ([]tournament.Act, error)
	// PairingInput returns the history that a round was paired from, or tournament.ErrNotFound.
	PairingInput(ctx context.Context, id string, round int) (tournament.PairingInput, error)
}

// Imported is what comes with a tournament that was started elsewhere.
type Imported struct {
	Players  []club.Player // to be made
	Original exchange.Original
	Act      tournament.Act
}

// Filter selects tournaments for a list; empty fields select all.
type Filter struct {
	Status    []tournament.Status
	Variant   string
	Organiser string
	Player    string // a member of an entry
}

// Summary is a line of a list of tournaments.
type Summary struct {
	ID, Name, Variant string
	Format            tournament.Format
	Status            tournament.Status
	TimeControl       string
	Entries           int
	Round, RoundCount int // the latest round published, and how many are planned
	CreatedAt         int64
	StartsAt          int64
	StartedAt         int64
	FinishedAt        int64
	Organiser         string
}

// Archive answers questions about many tournaments.
type Archive interface {
	// List gives the newest first; cursor is "" for the first page, next is "" after the last.
	List(ctx context.Context, f Filter, limit int, cursor string) (page []Summary, next string, err error)
}

// Opening asks for a game to be opened for a pairing.
type Opening struct {
	GameID       string
	TournamentID string
	Round, Board int
	Variant      string
	Players      []string // player ids by seat
	TimeControl  string
	Options      map[string]string
	Rated        bool
	Play         tournament.PlayRules
}

// Tables opens games. All are called while the tournament's next command waits, so neither may wait for
// [Director.Catch].
type Tables interface {
	// Open opens games; a game id that exists already is left as it is.
	Open(ctx context.Context, games []Opening) error
	// Begun reports whether somebody has moved in a game that was not broken off. A game that never was has not begun.
	Begun(ctx context.Context, gameID string) (bool, error)
	// Pause stops the clocks of a game that its tournament adjourns; by is an account id. A game that does not run, that
	// never was, or is paused for that already is left as it is.
	Pause(ctx context.Context, gameID, by, why string) error
	// Abort ends an unfinished game without a result, because its pairing got one by hand. A game that is over, or
	// that never was, is left as it is, without an error.
	Abort(ctx context.Context, gameID, why string) error
}

// Notifier is told after a change was stored. It must return quickly and never call back.
type Notifier interface {
	// TournamentChanged tells one audience of a change. The public is told only of what it can see.
	TournamentChanged(t *tournament.Tournament, what Topic, to Audience)
}

// Audience is whom a change is told to.
type Audience uint8

// The audiences.
const (
	Staff  Audience = iota // those who run the tournament
	Public                 // all others
)

// Topic says which part of a tournament changed.
type Topic string

// The topics.
const (
	TopicTournament Topic = "tournament"
	TopicPairings   Topic = "pairings"
	TopicStandings  Topic = "standings"
)
