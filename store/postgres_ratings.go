package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/postgres"
	"quatuor/store/internal/ratings"
)

// ratingsLease is a store of ratings for the instance that holds the lease, with the games that it read ahead when it
// got the lease: games that have ended, possibly without a place yet, with all that their ratings need. They get their
// places, after the last assigned place, in the transaction that stores their ratings and ends the lease.
type ratingsLease struct {
	*ratings.Ratings
	held       *postgres.Held
	holder     bool // this instance has the lease; otherwise it has waited for the holder's pass
	leftovers  bool // games ended here that the holder missed
	from, last int64
	games      []ledger.Finished
	unplaced   []int64 // numbers of the games that have no place, in their order
	others     bool    // other consumers have something to do
	corrected  bool    // some are not rated but rated again
}

var _ ledger.Store = (*ratingsLease)(nil)

// Pending returns the games that were read with the lease, and after these the games pending without it.
func (l *ratingsLease) Pending(ctx context.Context, limit int) (int64, []ledger.Finished, error) {
	if l.games == nil {
		return l.Ratings.Pending(ctx, limit)
	}
	games := l.games[:min(limit, len(l.games))]
	l.games = nil
	return l.from, games, nil
}

// Record commits with the end of the lease. A refused commit is repeated without the lease.
func (l *ratingsLease) Record(ctx context.Context, from, to int64, rows []ledger.Row) error {
	if from != l.from {
		return l.Ratings.Record(ctx, from, to, rows)
	}
	l.from = -1
	return l.RecordBy(ctx, l.commit, from, to, rows)
}

// rate reads its input with the lease, and ends the lease with its writes. An instance that has waited for the holder
// needs no lease of its own if the holder has taken all games that ended here.
func (c *cluster) rate(
	ctx context.Context, e *Ended, in *ratings.Ratings, catchUp func(context.Context, ledger.Store) error,
) error {
	for {
		ids := c.ends.list()
		l, err := c.leaseRatings(ctx, in, ids)
		if errors.Is(err, postgres.ErrTaken) {
			at, err := outbox.CursorOf(in.Reads.WithContext(ctx), OfRatings)
			if err != nil {
				return db.About(outbox.LookForEnds, err)
			}
			if c.rated.Swap(at) == at { // the holder is stalled
				return catchUp(ctx, in)
			}
			continue
		}
		if err != nil {
			return db.About(outbox.LookForEnds, err)
		}
		c.rated.Store(l.from)
		if !l.holder && l.leftovers {
			l.held.Release(ctx)
			continue
		}
		e.Known = !l.others
		switch {
		case len(l.games) == 0:
		case l.corrected: // the ledger reads its own input
			err = catchUp(ctx, in)
		default:
			err = catchUp(ctx, l)
		}
		l.held.Release(ctx)
		if err == nil {
			c.ends.forget(ids)
		}
		return err
	}
}

// ended notes a game that this instance has ended.
func (c *cluster) ended(gameID string) { c.ends.add(gameID) }

// ownEnds are the games ended by this instance that may not be rated yet.
type ownEnds struct {
	mu    sync.Mutex
	games map[string]struct{}
}

// maxEnds is the maximum of games remembered; beyond it every game without a place counts as this instance's.
const maxEnds = 1000

func (e *ownEnds) add(game string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.games == nil {
		e.games = map[string]struct{}{}
	}
	if len(e.games) <= maxEnds {
		e.games[game] = struct{}{}
	}
}

// list returns the games, none if there are too many.
func (e *ownEnds) list() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.games) > maxEnds {
		return []string{}
	}
	return slices.AppendSeq(make([]string, 0, len(e.games)), maps.Keys(e.games))
}

// forget drops games that list has returned, all if it has returned none.
func (e *ownEnds) forget(games []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(games) == 0 && len(e.games) > maxEnds {
		clear(e.games)
	}
	for _, id := range games {
		delete(e.games, id)
	}
}

// leasePage is the number of games rated under a lease.
const leasePage = 256

// pendingQuery returns whether this instance holds the lease, the cursor of the ratings and the last place, whether
// other consumers have something to do, whether players are marked, and whether some of the given games, or of all,
// wait. For the holder it also returns the games that have ended, a row for each seat with what is stored of its
// player; those without a place come last.
var pendingQuery = func() string {
	const columns = "seq, game_id, variant, list, rated, players, sides, ranks, reason, plies, finished_at, moved, " +
		"corrects, tournament_id, fewest"
	others := outbox.Others(OfRatings)
	return `WITH start AS MATERIALIZED (SELECT ` + postgres.Works + ` AS works, (SELECT seq FROM cursors WHERE consumer = '` + OfRatings + `') AS from_seq,
			(SELECT coalesce(max(seq), 0) FROM outbox WHERE seq > 0) AS last, ` + others + ` AS others,
			EXISTS (SELECT FROM rating_marks WHERE lifted_at = 0) AS marked),
		page AS MATERIALIZED (
			(SELECT ` + columns + ` FROM outbox WHERE seq > (SELECT from_seq FROM start) AND (SELECT works FROM start) ORDER BY seq LIMIT $1)
			UNION ALL (SELECT ` + columns + ` FROM outbox WHERE seq < 0 AND (SELECT works FROM start) ORDER BY seq DESC LIMIT $1))
		SELECT works, from_seq, last, others, marked, NOT works AND (last > from_seq OR EXISTS (SELECT FROM outbox WHERE seq < 0 AND game_id = ANY($2::text[]))
			OR CARDINALITY($2::text[]) = 0 AND EXISTS (SELECT FROM outbox WHERE seq < 0)), coalesce(page.seq, 0), coalesce(game_id, ''), coalesce(variant, ''), coalesce(page.list, ''), coalesce(page.rated, FALSE),
			coalesce(players, '[]'), coalesce(sides, '[]'), ranks, coalesce(reason, ''), coalesce(plies, 0), coalesce(finished_at, 0), moved,
			coalesce(corrects, 0), coalesce(tournament_id, ''), fewest, coalesce((SELECT TRUE FROM rating_rows r WHERE r.game_id = page.game_id LIMIT 1), FALSE),
			coalesce(who.seat, 0), c.seq IS NOT NULL, coalesce(c.value, 0), coalesce(c.games, 0), coalesce(c.reached, FALSE), coalesce(c.deviation, 0),
			coalesce(c.volatility, 0), coalesce(c.unrated, FALSE), coalesce(c.period, '{}'), coalesce(c.from_tournaments, 0),
			coalesce(given.rating, 'null'), coalesce(given.deviation, 'null'), coalesce(given.given_at, '{}')
		FROM start LEFT JOIN page ON TRUE
		LEFT JOIN LATERAL jsonb_array_elements_text(CAST(page.players AS jsonb)) WITH ORDINALITY AS who (id, seat) ON TRUE
		LEFT JOIN current_ratings c ON c.list = page.list AND c.player_id = who.id
		LEFT JOIN players given ON given.id = who.id AND c.seq IS NULL
		ORDER BY page.seq < 0, abs(page.seq), who.seat`
}()

// leaseRatings waits for the lease and reads the games to be rated then.
func (c *cluster) leaseRatings(ctx context.Context, in *ratings.Ratings, ids []string) (*ratingsLease, error) {
	pass := postgres.Pass{
		Lock: outbox.RatingsLease, First: outbox.RatingsQueue, Wait: outbox.LeaseWait, Look: pendingQuery,
		Args: []any{leasePage, ids},
	}
	var l *ratingsLease
	var marked bool
	held, err := c.db.Take(ctx, pass, func(rows pgx.Rows) (err error) {
		l = &ratingsLease{Ratings: in}
		marked, err = l.read(rows)
		return err
	})
	if err != nil {
		return nil, err
	}
	l.held = held
	if marked && len(l.games) > 0 {
		if err := in.MarkSeats(ctx, l.games); err != nil {
			held.Release(ctx)
			return nil, err
		}
	}
	return l, nil
}

// read reads the result of pendingQuery, and reports whether players are marked.
func (l *ratingsLease) read(rows pgx.Rows) (marked bool, err error) {
	for rows.Next() {
		var r outbox.Row
		var seat int
		var there, recorded bool
		var now ratings.Current
		var given ratings.Given
		err := rows.Scan(&l.holder, &l.from, &l.last, &l.others, &marked, &l.leftovers, &r.Seq, &r.GameID, &r.Variant,
			&r.List, &r.Rated, db.FromText{Into: &r.Players}, db.FromText{Into: &r.Sides}, db.FromText{Into: &r.Ranks},
			&r.Reason, &r.Plies, &r.FinishedAt, &r.Moved, &r.Corrects, &r.TournamentID, &r.Fewest, &recorded, &seat, &there,
			&now.Value, &now.Games, &now.Reached, &now.Deviation, &now.Volatility, &now.Unrated, db.FromText{Into: &now.Period},
			&now.FromTournaments, db.FromText{Into: &given.Rating}, db.FromText{Into: &given.Deviation},
			db.FromText{Into: &given.GivenAt})
		if err != nil {
			return false, err
		}
		if r.Seq == 0 {
			break
		}
		if seat <= 1 { // the first row of a game
			if len(l.games) == leasePage {
				break
			}
			l.add(&r, recorded)
		}
		if seat == 0 {
			continue
		}
		known := l.games[len(l.games)-1].Known
		if there {
			current := now.Rating()
			known.Current[seat-1] = &current
		} else if start, ok := given.In(r.List); ok {
			known.Current[seat-1] = &start
		}
	}
	rows.Close()
	return marked, rows.Err()
}

// add adds a game, with the place that it has or will have.
func (l *ratingsLease) add(r *outbox.Row, recorded bool) {
	f := r.ForLedger()
	if r.Seq < 0 {
		l.unplaced = append(l.unplaced, r.Seq)
		f.Seq = l.last + int64(len(l.unplaced))
	}
	l.corrected = l.corrected || f.Corrects != 0
	f.Known = &ledger.Known{Recorded: recorded, Current: make([]*rating.Rating, len(f.Players))}
	l.games = append(l.games, f)
}

// givePlacesTo assigns places to rows of the outbox, if no other place was assigned since.
const givePlacesTo = `UPDATE outbox SET seq = given.place FROM unnest($1::bigint[], $2::bigint[]) AS given (was, place)
	WHERE outbox.seq = given.was AND $3 = (SELECT coalesce(max(seq), 0) FROM outbox WHERE seq > 0)`

// commit stores the ratings of the games, with their places, and ends the lease.
func (l *ratingsLease) commit(ctx context.Context, r *ratings.Recording) error {
	b := batchOf(r)
	calls := b.many()
	if len(l.unplaced) > 0 {
		places := make([]int64, len(l.unplaced))
		for i := range places {
			places[i] = l.last + int64(i) + 1
		}
		args := []driver.NamedValue{{Ordinal: 1, Value: l.unplaced}, {Ordinal: 2, Value: places}, {Ordinal: 3, Value: l.last}}
		calls = slices.Insert(calls, 1, postgres.Call{Text: givePlacesTo, Args: args, Lock: outbox.PlacesLock, Guards: true})
	}
	return l.held.Commit(ctx, &postgres.Batch{Calls: calls, Refusal: b.refusal})
}
