// Package director runs tournaments: it serialises the commands and finished games of each tournament, applies them
// with the pure packages, and stores the outcome before it notifies.
package director

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"quatuor/engine/sentence"
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
	Moved        []bool // by seat, whether it has moved; nil if that is not known
	At           int64  // ms UTC
}

// Store keeps tournaments. Every write is a single transaction.
type Store interface {
	Past
	// Create stores a new tournament with version 1.
	Create(ctx context.Context, t *tournament.Tournament) error
	// Import stores an imported tournament as version 1 with all that comes with it, atomically.
	Import(ctx context.Context, t *tournament.Tournament, with Imported) error
	// Load returns a tournament with entries and rounds, or tournament.ErrNotFound.
	Load(ctx context.Context, id string) (*tournament.Tournament, error)
	// Save stores t's own fields and the parts in delta, if the stored version is still from; else it returns
	// tournament.ErrStale. t.Version is the new version.
	Save(ctx context.Context, t *tournament.Tournament, from int64, delta tournament.Delta) error
	// RecordResult is Save that also moves the outbox cursor of the tournaments; t may be nil if nothing but the cursor
	// moves. A cursor that is already there or further makes it a no-op.
	RecordResult(ctx context.Context, cursor int64, t *tournament.Tournament, from int64, delta tournament.Delta) error
	// Delete removes a tournament that has not started, or that was imported and has version 1 still; others are
	// tournament.ErrState.
	Delete(ctx context.Context, id string, from int64) error
	// Pending returns the outbox rows of tournament games after the cursor, in order.
	Pending(ctx context.Context, limit int) ([]Finished, error)
	// LineUps returns all versions of the line-ups that were filed in a round. They are sealed until their match is
	// revealed.
	LineUps(ctx context.Context, id string, round int) ([]tournament.LineUp, error)
	// DueLineUps returns the ids of running tournaments with sealed line-ups due by a time, ms UTC.
	DueLineUps(ctx context.Context, at int64) ([]string, error)
	// Running returns the ids of the tournaments in status Running.
	Running(ctx context.Context) ([]string, error)
}

// Past reads the past of tournaments; no command needs it to proceed.
type Past interface {
	// Original returns the file that a tournament was imported from, or tournament.ErrNotFound.
	Original(ctx context.Context, id string) (*exchange.Original, error)
	// History returns the result changes of a tournament, oldest first.
	History(ctx context.Context, id string) ([]tournament.Change, error)
	// Acts returns the acts of a tournament, oldest first. Act.Undo is stored only for the latest act by a person.
	Acts(ctx context.Context, id string) ([]tournament.Act, error)
	// HallRecord returns the record of a game in the hall with a digest, or tournament.ErrNotFound.
	HallRecord(ctx context.Context, id, digest string) (tournament.RecordText, error)
	// PairingInput returns the history that a round was paired from, or tournament.ErrNotFound.
	PairingInput(ctx context.Context, id string, round int) (tournament.PairingInput, error)
}

// Imported is stored with a tournament from another program.
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
	Leads     bool   // Player may also be the captain or a deputy of a team without being a member
	Order     ListOrder
}

// PublicStatuses are the stages of tournaments that the public sees.
var PublicStatuses = []tournament.Status{
	tournament.Open, tournament.Closed, tournament.Running, tournament.Finished, tournament.Archived,
}

// ListOrder is an order of a list of tournaments. The zero value is newest first, by creation.
type ListOrder int

// The orders of a list of tournaments that readers choose.
const (
	ByName ListOrder = iota + 1 // without regard to the case of English letters
	ByDate                      // newest first, by [Summary.Date]
)

// Summary is a line of a list of tournaments.
type Summary struct {
	ID, Name, Variant string
	Games             []string // ids of variants, as Tournament.Games
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

// Date returns the time of the latest stage of a tournament, ms UTC: its end, else its start, else the start planned,
// else its creation.
func (s Summary) Date() int64 { return cmp.Or(s.FinishedAt, s.StartedAt, s.StartsAt, s.CreatedAt) }

// SummaryOf returns the line of a tournament.
func SummaryOf(t *tournament.Tournament) Summary {
	return Summary{
		ID: t.ID, Name: t.Name, Variant: t.Variant, Games: t.Games(), Format: t.Format, Status: t.Status,
		TimeControl: t.TimeControl, Entries: len(t.Entries), Round: t.PublishedRounds(), RoundCount: t.RoundCount,
		CreatedAt: t.CreatedAt, StartsAt: t.StartsAt, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt, Organiser: t.Organiser,
	}
}

// Lister lists tournaments.
type Lister interface {
	// List returns the newest first unless the filter has an order, which a cursor is bound to; cursor is "" for the first page, next is "" after the last.
	List(ctx context.Context, f Filter, limit int, cursor string) (page []Summary, next string, err error)
}

// Opening is a game to be opened for a pairing.
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
	Start        tournament.Start // of its clocks
}

// Tables opens and ends games. Its methods are called with the tournament's lock held, so they must not wait for
// [Director.CatchUp].
type Tables interface {
	// Open opens games; a game id that exists already is left as it is.
	Open(ctx context.Context, games []Opening) error
	// Begun reports whether a player has moved in a game that was not aborted. A game that does not exist has not begun.
	Begun(ctx context.Context, gameID string) (bool, error)
	// Pause stops the clocks of a game that its tournament adjourns; by is an account id. It does nothing for a game that
	// does not run, does not exist, or is paused for that already.
	Pause(ctx context.Context, gameID, by string, why sentence.Sentence) error
	// Abort ends an unfinished game without a result, because its pairing got a result by hand. It does nothing, and
	// returns no error, for a game that is over or does not exist.
	Abort(ctx context.Context, gameID string, why sentence.Sentence) error
}

// Notifier is notified after a change was stored. It must return quickly and never call back.
type Notifier interface {
	// TournamentChanged notifies an audience of a change. The public is notified only of changes that it can see.
	TournamentChanged(t *tournament.Tournament, what Topic, to Audience)
}

// Audience is a group of readers of a tournament.
type Audience uint8

// The audiences.
const (
	Staff  Audience = iota // the organiser and arbiters
	Public                 // all others
)

// Topic is the part of a tournament that changed.
type Topic string

// The topics.
const (
	TopicTournament Topic = "tournament"
	TopicPairings   Topic = "pairings"
	TopicStandings  Topic = "standings"
)

// MatchTopic returns the topic of a match's news: kind, round and match, with the board in news of a board and the
// entry in news of a line-up.
func MatchTopic(n tournament.News) Topic {
	return Topic(fmt.Sprintf("%s:%d:%d:%d:%s", n.Kind, n.Round, n.Board, n.On, n.Entry))
}

// News returns the news of a match's topic; false for other topics.
func (t Topic) News() (n tournament.News, ok bool) {
	parts := strings.Split(string(t), ":")
	if len(parts) != 5 {
		return n, false
	}
	n.Kind, n.Entry = tournament.NewsKind(parts[0]), parts[4]
	n.Round, _ = strconv.Atoi(parts[1])
	n.Board, _ = strconv.Atoi(parts[2])
	n.On, _ = strconv.Atoi(parts[3])
	return n, true
}
