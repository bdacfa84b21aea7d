package ledger

import (
	"cmp"
	"context"
	"errors"
	"time"

	"quatuor/rating"
)

// ErrBehind means that the ratings cursor has moved since the caller read it: another ledger has consumed games.
// Nothing was written.
var ErrBehind = errors.New("the ratings cursor has moved")

// Finished is a finished game of the outbox. Players, Sides and Ranks are by seat and have the same length.
type Finished struct {
	Seq        int64    // place in the outbox, from 1, in commit order
	GameID     string   // unique
	Variant    string   // for example "quixo/duel"
	List       string   // see ListID; empty for a game that belongs to no list
	Rated      bool     // whether the game was agreed to be rated
	Players    []string // player ids; empty where a seat has no player
	Sides      []int    // from 1
	Ranks      []int    // 1 is best, equal ranks share a place; nil for a void or aborted game
	Reason     string   // why the game ended, as records spell it: "line", "time", "forfeit", …
	Plies      int      // moves made in the whole game
	Moved      []bool   // by seat: it has moved; nil for a game that ended before this was stored
	Fewest     int      // moves of the seat that made the fewest, of those that moved; NotCounted where that is not known
	Tournament bool     // it is a game of a tournament, and not casual
	FinishedAt int64    // milliseconds since 1970, UTC
	Corrects   int64    // Seq of the game's first row, which this row replaces; 0 for the first
	Marked     []bool   // by seat: the player is marked, so that opponents lose no points; nil for no marks
	Known      *Known   // loaded by the store together with the game; nil to load it on demand
}

// NotCounted is the value of Fewest for games in the hall, and for those that ended before it was stored.
const NotCounted = -1

// Known has the stored values about a game that is to be rated.
type Known struct {
	Recorded bool             // as by Store.Recorded
	Current  []*rating.Rating // by seat, as by Store.Current; nil for a player without a rating
}

// Row is the change of a player's rating in a list by a game. GameID and PlayerID together are unique.
type Row struct {
	GameID, List, PlayerID string
	Seat                   int    // from 1
	Seq                    int64  // of the game in the outbox
	System                 string // rating.System.Name
	Before, After, Change  float64
	Expected, Score        float64 // per opposing side, 0 to 1
	GamesAfter             int     // rated games of the player in this list, this game included
	K                      float64
	Reached                bool  // rating.Rating.Reached2400 after the game
	At                     int64 // when the game finished, milliseconds since 1970, UTC

	DeviationBefore, Deviation, Volatility float64       // 0 in systems without them
	Unrated                                bool          // no rating yet after the game
	Period                                 rating.Period // in systems that rate by periods
	Refunded                               bool          // the change was taken back: see Finished.Marked
	FromTournaments                        int           // those of GamesAfter that were played in tournaments
}

// Rating returns the player's rating after the row's game.
func (r Row) Rating() rating.Rating {
	return rating.Rating{
		Value: r.After, Games: r.GamesAfter, Reached2400: r.Reached, Deviation: r.Deviation, Volatility: r.Volatility,
		Unrated: r.Unrated, Period: r.Period, FromTournaments: r.FromTournaments,
	}
}

// Store is the storage of the ledger. Floating point values must be stored exactly.
//
// A list's current rating of a player is that of the player's last row (Row.Rating of the greatest Seq); without rows,
// the rating that the player was entered with; without that, none. An implementation may keep it in a table of its own,
// written in the same transaction as the rows.
type Store interface {
	// Meetings returns the games of a list with a Seq below before, which finished from from until before until, that
	// are recorded for two players on different sides, in any order.
	Meetings(ctx context.Context, list string, players [2]string, from, until, before int64) ([]Meeting, error)
	// Pending returns the ratings cursor (0 before the first game) and up to limit games after it, by ascending Seq. It
	// must never return a game while a game with a smaller Seq may still be committed. Correcting a result adds rows of
	// the same game, which name the row they correct.
	Pending(ctx context.Context, limit int) (cursor int64, games []Finished, err error)
	// Current returns the current ratings in a list; players without a rating are missing.
	Current(ctx context.Context, list string, players []string) (map[string]rating.Rating, error)
	// Recorded returns those of the games that have rows already.
	Recorded(ctx context.Context, gameIDs []string) (map[string]bool, error)
	// Record writes the rows and the current ratings that follow from them, and moves the cursor, all in a transaction. If
	// the cursor is not at from, or if any of the rows exists already, it writes nothing and returns ErrBehind. Rows may
	// be empty. ErrRegulation where the stored ratings follow another regulation; so do Rewrite and Renew.
	Record(ctx context.Context, from, to int64, rows []Row) error

	// Between yields every game with a Seq in (after, to] once, by ascending Seq of its first outbox row, with its result
	// as of to. Of games with an earlier first row it yields the corrections in that range.
	Between(ctx context.Context, after, to int64, yield func(Finished) error) error
	// Before returns the ratings in a list before the game with a Seq; players without a rating are missing.
	Before(ctx context.Context, seq int64, list string, players []string) (map[string]rating.Rating, error)
	// Rewrite is Record after corrections: it replaces the rows of some lists from a Seq on, start, by these, in order of
	// Seq, then Seat.
	Rewrite(ctx context.Context, from, to, start int64, lists []string, rows []Row) error
	// Look calls read with a consistent snapshot of the database, without blocking writers.
	Look(ctx context.Context, read func(Past) error) error
	// Renew calls change in a transaction, during which no other ledger moves the cursor. If change fails, or ctx ends
	// before the commit, it is rolled back.
	Renew(ctx context.Context, change func(Draft) error) error
}

// Past is all that is stored of the games up to the ratings cursor. Methods append to the slice they are given, reusing
// its space; texts may be shared. The implementation chooses the size of a page, at least an item until the end.
type Past interface {
	// Cursor returns the ratings cursor.
	Cursor() int64
	// Given yields the ratings that players were entered with, in any order. These players start from them instead of
	// the system's start.
	Given(ctx context.Context, yield func(list, playerID string, r rating.Rating) error) error
	// Games returns a page of the finished games with a Seq above after, each once and with its current result, by
	// ascending Seq of its first outbox row; and to, the last Seq covered by the page, at the end the cursor.
	Games(ctx context.Context, after int64, space []Finished) (page []Finished, to int64, err error)
	// Rows returns the rows with a Seq above after and up to to, in order of Seq, then Seat.
	Rows(ctx context.Context, after, to int64, space []Row) ([]Row, error)
	// Standings returns a page of the current ratings after that of a list and player, in order of list, then player.
	Standings(ctx context.Context, list, playerID string, space []Standing) ([]Standing, error)
	// Sums returns the sums of all lists, by list.
	Sums(ctx context.Context) ([]Sum, error)
}

// Draft is a Past under repair. Each method deletes some items, then upserts others by key.
type Draft interface {
	Past
	// SetRows changes rows. Those to remove are found by Seq and Seat.
	SetRows(ctx context.Context, remove, add []Row) error
	// SetStandings changes current ratings.
	SetStandings(ctx context.Context, remove, add []Standing) error
	// SetSums replaces the sums of all lists.
	SetSums(ctx context.Context, sums []Sum) error
}

// Standing is a player's current rating in a list: that of the last row.
type Standing struct {
	List, PlayerID string
	Rating         rating.Rating
	Seq, LastAt    int64 // of the row
}

// Sum has the totals of a list.
type Sum struct {
	List   string
	Games  int   // rated games
	LastAt int64 // when the last of them finished
}

// ActiveFor is the time that a player counts as active after a rated game.
const ActiveFor = 365 * 24 * time.Hour

// Provisional is the number of rated games below which a rating is marked as provisional.
const Provisional = 10

// Wanted selects the players of a list.
type Wanted struct {
	List   string
	Day    time.Time // the list at the start of this day; zero for the current list
	Active bool      // only recently active players

	ActiveFor time.Duration // the age up to which a last game makes a player active; the constant if 0
}

// ListAt returns a page of a current or past list; see [Reader]. Without a day, activity is counted back from now.
func ListAt(
	ctx context.Context, r Reader, w Wanted, now time.Time, limit int, after string,
) (players []Ranked, next string, err error) {
	then := now
	if !w.Day.IsZero() {
		then = w.Day
	}
	var since int64
	if w.Active {
		since = then.Add(-cmp.Or(w.ActiveFor, ActiveFor)).UnixMilli()
	}
	if w.Day.IsZero() {
		return r.Ranking(ctx, w.List, since, limit, after)
	}
	return r.AsOf(ctx, w.List, since, then.UnixMilli(), limit, after)
}

// ListSummary describes a rating list.
type ListSummary struct {
	List    string
	Players int   // with at least one rated game
	Games   int   // rated games
	LastAt  int64 // when the last of them finished, milliseconds since 1970, UTC; 0 for none
}

// Ranked is a player's place in a list.
type Ranked struct {
	List     string
	Rank     int // from 1; equal values share a place
	PlayerID string
	Name     string // as the player is shown
	Rating   rating.Rating
	LastAt   int64 // when the player's last rated game finished, milliseconds since 1970, UTC
}

// Reader reads ratings for pages and clients.
type Reader interface {
	// Lists returns all lists with a rated game, by id.
	Lists(ctx context.Context) ([]ListSummary, error)
	// Ranking returns up to limit players of a list, by rating descending, then player id, from a cursor of an earlier
	// call; "" is the start and, returned, the end. Ranks leave out players without a rated game since since (milliseconds
	// since 1970, UTC). An unknown list is empty.
	Ranking(
		ctx context.Context, list string, since int64, limit int, after string,
	) (players []Ranked, next string, err error)
	// AsOf is Ranking at a past moment, in milliseconds since 1970, UTC: it counts games that finished earlier, with their
	// current results.
	AsOf(
		ctx context.Context, list string, since, before int64, limit int, after string,
	) (players []Ranked, next string, err error)
	// History returns a player's rows in a list, by ascending Seq.
	History(ctx context.Context, list, playerID string) ([]Row, error)
	// Changes returns the rows of a game, by seat; none if the game was not rated.
	Changes(ctx context.Context, gameID string) ([]Row, error)
	// Games returns finished games with their rows, by id, omitting unknown ids.
	Games(ctx context.Context, gameIDs []string) (map[string]RatedGame, error)
	// Uncounted returns the latest finished games of a player in a list that were to be rated and have no rows, the latest
	// first, up to limit of those among the player's latest games.
	Uncounted(ctx context.Context, list, playerID string, limit int) ([]Finished, error)
	// Current and Meetings are those of Store.
	Current(ctx context.Context, list string, players []string) (map[string]rating.Rating, error)
	Meetings(ctx context.Context, list string, players [2]string, from, until, before int64) ([]Meeting, error)
	// OfPlayer returns a player's places in all lists, by list.
	OfPlayer(ctx context.Context, playerID string) ([]Ranked, error)
}
