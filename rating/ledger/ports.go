package ledger

import (
	"context"
	"errors"

	"quatuor/rating"
)

// ErrBehind reports that the ratings cursor is no longer where the caller read it: somebody else has consumed games
// meanwhile, and nothing was written.
var ErrBehind = errors.New("the ratings cursor has moved")

// Finished is one finished game as the outbox tells of it. Players, Sides and Ranks go by seat and have one length.
type Finished struct {
	Seq        int64    // place in the outbox, from 1, in commit order
	GameID     string   // unique
	Variant    string   // such as "quixo/duel"
	List       string   // see ListID; empty for a game that belongs to no list
	Rated      bool     // whether the game was agreed to be rated
	Players    []string // player ids; empty where a seat has no player
	Sides      []int    // from 1
	Ranks      []int    // 1 is best, equal ranks share a place; nil for a void or aborted game
	Reason     string   // why the game ended, as records spell it: "line", "time", "forfeit", …
	Plies      int      // moves made in the whole game
	Moved      []bool   // by seat: it has moved; nil for a game that ended before this was stored
	FinishedAt int64    // milliseconds since 1970, UTC
}

// Row is what one game did to one player's rating in one list. GameID and PlayerID together are unique.
type Row struct {
	GameID, List, PlayerID string
	Seat                   int    // from 1
	Seq                    int64  // of the game in the outbox
	System                 string // rating.System.Name
	Before, After, Change  float64
	Expected, Score        float64 // per opposing side, 0 to 1
	GamesAfter             int     // rated games of the player in this list, this one included
	K                      float64
	Reached                bool  // rating.Rating.Reached2400 after the game
	At                     int64 // when the game finished, milliseconds since 1970, UTC
}

// Rating is the player's rating after the row's game.
func (r Row) Rating() rating.Rating {
	return rating.Rating{Value: r.After, Games: r.GamesAfter, Reached2400: r.Reached}
}

// Store is what the ledger needs to be kept. Floating point values must come back to the last bit.
//
// A list's current rating of a player is that of the player's last row (Row.Rating of the greatest Seq); without
// rows, the rating the player was given; without that, none. An implementation may keep it in a table of its own,
// written in the same transaction as the rows.
type Store interface {
	// Pending gives the ratings cursor (0 before the first game) and up to limit games after it, by ascending Seq.
	// It must never show a game while one with a smaller Seq may still be committed.
	Pending(ctx context.Context, limit int) (cursor int64, games []Finished, err error)
	// Current gives the current ratings in one list; players without one are missing.
	Current(ctx context.Context, list string, players []string) (map[string]rating.Rating, error)
	// Recorded gives those of the games that have rows already.
	Recorded(ctx context.Context, gameIDs []string) (map[string]bool, error)
	// Record writes the rows and the current ratings that follow from them and moves the cursor from one place to
	// another, all in one transaction. It refuses with ErrBehind if the cursor is not at from, and with ErrBehind too
	// if one of the rows exists already; then nothing is written. Rows may be empty.
	Record(ctx context.Context, from, to int64, rows []Row) error

	// Given hands out the ratings that players were given when they were entered, in any order. They start from
	// these instead of the system's start.
	Given(ctx context.Context, yield func(list, playerID string, r rating.Rating) error) error
	// EachFinished hands out every finished game with a Seq after the given one and up to the ratings cursor once, by
	// ascending Seq of its first outbox row, with the result as it stands now, and returns that cursor, all from one
	// state of the database.
	EachFinished(ctx context.Context, after int64, yield func(Finished) error) (cursor int64, err error)
	// Rows hands out all rows in order of Seq, then Seat.
	Rows(ctx context.Context, yield func(Row) error) error
	// Replace puts the rows, in order of Seq, then Seat, in the place of all rows, with the current ratings that
	// follow from them, in one transaction. It refuses with ErrBehind if the cursor is not at cursor; then nothing is
	// written. The cursor stays where it is.
	Replace(ctx context.Context, cursor int64, rows []Row) error
}

// ListSummary describes one rating list.
type ListSummary struct {
	List    string
	Players int   // with at least one rated game
	Games   int   // rated games
	LastAt  int64 // when the last of them finished, milliseconds since 1970, UTC; 0 if there is none
}

// Ranked is one player's place in a list.
type Ranked struct {
	List     string
	Rank     int // from 1; equal values share a place
	PlayerID string
	Name     string // as the player is shown
	Rating   rating.Rating
	LastAt   int64 // when the player's last rated game finished, milliseconds since 1970, UTC
}

// Reader is what pages and clients may ask about ratings.
type Reader interface {
	// Lists gives all lists with at least one rated game, by id.
	Lists(ctx context.Context) ([]ListSummary, error)
	// Ranking returns up to limit players of a list, by rating descending, then player id, from after a cursor on that an
	// earlier call returned; "" stands for the start and, returned, for the end. Players whose last rated game finished
	// before since (milliseconds since 1970, UTC) are left out, and ranks count without them. An unknown list is empty.
	Ranking(ctx context.Context, list string, since int64, limit int, after string) (players []Ranked, next string, err error)
	// History gives a player's rows in one list, by ascending Seq.
	History(ctx context.Context, list, playerID string) ([]Row, error)
	// Changes gives the rows of one game, by seat; none if the game was not rated.
	Changes(ctx context.Context, gameID string) ([]Row, error)
	// OfPlayer gives a player's places in all lists, by list.
	OfPlayer(ctx context.Context, playerID string) ([]Ranked, error)
}
