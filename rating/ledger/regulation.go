package ledger

import (
	"context"
	"errors"

	"quatuor/rating"
)

// ErrRegulation means that the stored ratings follow a regulation other than this ledger's. Nothing was written.
var ErrRegulation = errors.New("ratings follow other rules")

// Regulation maps each list to its rules. It never changes while a ledger runs.
type Regulation interface {
	// Rules returns the rules of a list.
	Rules(list string) Rules
}

// Rules are the rating rules of a list.
type Rules struct {
	System   rating.System
	Duels    bool        // only games of two players are rated
	Limits   []PairLimit // a game counts if it is within each
	MinMoves int         // of each seat, in a casual game that ends by resignation or agreement; 0 for no minimum
	Text     string      // canonical text of the rules; equal rules have equal texts
}

// Uniform is a regulation that rates all lists by the same system.
type Uniform struct{ System rating.System }

// Rules returns the rules of any list.
func (u Uniform) Rules(string) Rules { return Rules{System: u.System, Text: u.System.Name()} }

// RatedGame is a finished game with its present result, and its effect, by seat.
type RatedGame struct {
	Finished
	Rows []Row
}

// afterAll is greater than the place of every game in the outbox.
const afterAll = 1<<63 - 1

// Preview returns the effect of a game that finished now, by seat; nothing if it would not count. It is rated as the
// ledger would rate it, whatever its Seq and GameID.
func Preview(ctx context.Context, r Reader, by Regulation, f Finished) ([]Row, error) {
	b := newBook(by)
	b.meetings = loading(ctx, r, afterAll)
	current, err := r.Current(ctx, f.List, f.Players)
	if err != nil {
		return nil, err
	}
	for player, now := range current {
		b.ratings[place{f.List, player}] = now
	}
	if f.rated() == nil {
		return nil, nil
	}
	return b.rate(f)
}
