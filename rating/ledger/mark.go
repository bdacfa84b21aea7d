package ledger

import (
	"context"
	"errors"
)

// Errors about marks.
var (
	ErrMarked = errors.New("the player is marked for this already")
	ErrExtent = errors.New("name a tournament, or a time that begins before it ends")
	ErrNoMark = errors.New("there is no such mark")
)

// Mark is an arbiter's decision that a player cheated. In the games covered the player's side wins no points and other
// sides lose none; see [Finished.Marked]. A lifted mark has no effect, but stays on record.
type Mark struct {
	ID, PlayerID string
	TournamentID string // "" for a span of time
	From, Until  int64  // when the games finished: from From until before Until, in milliseconds since 1970, UTC
	Reason, By   string // By is the account that made it
	At           int64
	LiftedBy     string
	LiftedAt     int64 // 0 while in force
}

// Covers reports whether the mark is for a game of a tournament, "" for none, that finished at a moment.
func (m Mark) Covers(tournamentID string, finishedAt int64) bool {
	if m.TournamentID != "" {
		return m.TournamentID == tournamentID
	}
	return m.From <= finishedAt && finishedAt < m.Until
}

// Marker keeps marks. Both changes put the covered games into the outbox again, so that they are rated again.
type Marker interface {
	// Marks returns the marks of a player, of all if it is "", the latest first.
	Marks(ctx context.Context, playerID string) ([]Mark, error)
	// Mark adds a mark; ErrMarked if a mark of the same extent exists.
	Mark(ctx context.Context, m Mark) error
	// Lift ends a mark and returns it; ErrNoMark if it does not exist or was lifted before.
	Lift(ctx context.Context, id, by string, at int64) (Mark, error)
}

// DeskStore keeps marks and ratings to start with.
type DeskStore interface {
	Marker
	Giver
}

// Desk lets an admin mark players and enter ratings to start with. It rates the affected games again at once.
type Desk struct {
	DeskStore
	Ledger *Ledger
}

// Mark adds a mark, and rates the games it covers again; ErrExtent for a mark that covers nothing.
func (d Desk) Mark(ctx context.Context, m Mark) error {
	if m.TournamentID != "" {
		m.From, m.Until = 0, 0
	} else if m.From < 0 || m.Until <= m.From {
		return ErrExtent
	}
	if err := d.DeskStore.Mark(ctx, m); err != nil {
		return err
	}
	_, err := d.Ledger.CatchUp(ctx)
	return err
}

// Lift ends a mark, and rates the games it covered again.
func (d Desk) Lift(ctx context.Context, id, by string, at int64) (Mark, error) {
	m, err := d.DeskStore.Lift(ctx, id, by, at)
	if err != nil {
		return m, err
	}
	_, err = d.Ledger.CatchUp(ctx)
	return m, err
}
