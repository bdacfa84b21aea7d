package store

import (
	"context"

	"quatuor/rating/ledger"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/ratings"
)

// The consumers of the outbox.
const (
	OfRatings     = outbox.OfRatings
	OfTournaments = outbox.OfTournaments
)

// Ended is the state of the outbox that the consumers of a pass share. It starts empty.
type Ended = outbox.Ended

// Waiting returns how many games have ended that a consumer has not taken yet.
func (s *Store) Waiting(ctx context.Context, consumer string) (n int64, err error) {
	return outbox.Waiting(s.reads.WithContext(ctx), consumer)
}

// Consume returns when a consumer has taken the games that had ended: by catchUp here or, if another instance holds the
// consumer's lease, there. While that instance makes progress nothing is computed twice.
func (s *Store) Consume(ctx context.Context, e *Ended, consumer string, catchUp func(context.Context) error) error {
	return s.backend.Consume(ctx, e, consumer, catchUp)
}

// Rate is Consume for the ratings, which come first in a pass: they find out whether the other consumers have anything
// to do. catchUp rates by way of the given store, which may have read the games ahead.
func (s *Store) Rate(ctx context.Context, e *Ended, catchUp func(context.Context, ledger.Store) error) error {
	return s.backend.rate(ctx, e, s.ratings, catchUp)
}

// Ratings returns the store of ratings.
func (s *Store) Ratings() *ratings.Ratings { return s.ratings }

// RateBy sets the regulation of new ratings; see [ratings.Ratings.RateBy].
func (s *Store) RateBy(regulation string) { s.ratings.RateBy(regulation) }

// The statements of a recording.
var (
	moveRatings = prepare(sqlStatement{
		text: `UPDATE cursors SET seq = $2 WHERE consumer = '` + OfRatings + `' AND seq = $1 AND regulation = $3`,
	})
	addRating  = prepare(insertOf(&ratings.Row{}, "", nil))
	setCurrent = prepare(insertOf(&ratings.Current{}, `ON CONFLICT (list, player_id) DO UPDATE SET value = excluded.value,
		games = excluded.games, reached = excluded.reached, seq = excluded.seq, last_at = excluded.last_at,
		deviation = excluded.deviation, volatility = excluded.volatility, unrated = excluded.unrated, period = excluded.period,
		from_tournaments = excluded.from_tournaments
		WHERE current_ratings.seq < excluded.seq`, nil))  // a row of a later game stays
	countGames = prepare(insertOf(&ratings.List{}, `ON CONFLICT (list) DO UPDATE SET games = rating_lists.games + excluded.games,
		last_at = CASE WHEN excluded.last_at > rating_lists.last_at THEN excluded.last_at ELSE rating_lists.last_at END`, nil))
)

// batchOf makes a recording ready.
func batchOf(r *ratings.Recording) *batch {
	b := newBatch(ledger.ErrBehind)
	b.call(moveRatings, r.From, r.To, r.Regulation)
	for i := range r.Rows {
		b.insert(addRating, &r.Rows[i])
	}
	for i := range r.Current {
		b.insert(setCurrent, &r.Current[i])
	}
	for i := range r.Lists {
		b.insert(countGames, &r.Lists[i])
	}
	return b
}
