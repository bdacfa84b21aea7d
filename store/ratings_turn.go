package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"maps"
	"slices"
	"sync"

	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/postgres"

	"github.com/jackc/pgx/v5"
)

// ratingsTurn is the turn in which this instance rates, with what it has read at its beginning: games that have ended,
// some of which have no place yet, with all that their ratings need. They get their places, from the last one on, with
// their ratings.
type ratingsTurn struct {
	of         *Store
	held       *postgres.Held
	works      bool // it is this instance's turn; otherwise it has waited for another's
	mine       bool // of those that have ended here that other one has not taken all
	from, last int64
	games      []ledger.Finished
	unplaced   []int64 // numbers of the games that have no place, in their order
	others     bool    // other consumers have something to do
	corrected  bool    // some are not rated but rated again
}

// turnKey is the key of the turn in a context.
type turnKey struct{}

// turnIn returns the turn in which this store's ratings are made, nil if they are made without.
func (s *Store) turnIn(ctx context.Context) *ratingsTurn {
	if t, is := ctx.Value(turnKey{}).(*ratingsTurn); is && t.of == s {
		return t
	}
	return nil
}

// rateInTurn is Consume for the ratings: the turn begins with all that is to be read, and ends with all that is to be
// stored. Who has waited for another's turn needs none of its own if that one has taken all that ended here.
func (s *Store) rateInTurn(ctx context.Context, c *cluster, e *Ended, catchUp func(context.Context) error) error {
	for {
		ids := c.ends.list()
		t, err := s.takeRatings(ctx, c, ids)
		if errors.Is(err, postgres.ErrTaken) {
			at, err := cursor(s.reads.WithContext(ctx), OfRatings)
			if err != nil {
				return about(lookForEnds, err)
			}
			if s.rated.Swap(at) == at { // who has the turn stands still
				return catchUp(context.WithValue(ctx, turnKey{}, nil))
			}
			continue
		}
		if err != nil {
			return about(lookForEnds, err)
		}
		s.rated.Store(t.from)
		if !t.works && t.mine {
			t.held.Release(ctx)
			continue
		}
		e.known = !t.others
		if len(t.games) > 0 {
			if t.corrected {
				t.games, t.from = nil, -1 // the ledger asks for what it needs
			}
			err = catchUp(context.WithValue(ctx, turnKey{}, t))
		}
		t.held.Release(ctx)
		if err == nil {
			c.ends.forget(ids)
		}
		return err
	}
}

// ownEnds are the games that this instance has ended and that it does not know to be rated.
type ownEnds struct {
	mu    sync.Mutex
	games map[string]struct{}
}

// mostEnds is how many games are kept in mind. Of more it is not asked which are this instance's.
const mostEnds = 1000

func (e *ownEnds) add(game string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.games == nil {
		e.games = map[string]struct{}{}
	}
	if len(e.games) <= mostEnds {
		e.games[game] = struct{}{}
	}
}

// list returns the games, none if there are too many.
func (e *ownEnds) list() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.games) > mostEnds {
		return []string{}
	}
	return slices.AppendSeq(make([]string, 0, len(e.games)), maps.Keys(e.games))
}

// forget drops games that list has returned, all if it has returned none.
func (e *ownEnds) forget(games []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(games) == 0 && len(e.games) > mostEnds {
		clear(e.games)
	}
	for _, id := range games {
		delete(e.games, id)
	}
}

// pageInTurn is how many games are rated in one turn.
const pageInTurn = 256

// pendingQuery asks whose turn it is, for the cursor of the ratings and the last place, whether there is something for
// other consumers, whether players are marked, and whether of some games, or of all, some wait. For whose turn it is it
// asks for the games that have ended, a row for each seat, with what is stored of its player. Those without a place
// come last.
var pendingQuery = func() string {
	const columns = "seq, game_id, variant, list, rated, players, sides, ranks, reason, plies, finished_at, moved, corrects, tournament_id, fewest"
	others := "FALSE"
	for _, q := range queues {
		if q.consumer != OfRatings {
			others += " OR EXISTS (SELECT FROM outbox WHERE " + q.rows + " AND seq < 0) OR EXISTS (SELECT FROM outbox WHERE " + q.rows +
				" AND seq > (SELECT seq FROM cursors WHERE consumer = '" + q.consumer + "'))"
		}
	}
	return `WITH start AS MATERIALIZED (SELECT ` + postgres.Works + ` AS works, (SELECT seq FROM cursors WHERE consumer = '` + OfRatings + `') AS from_seq,
			(SELECT coalesce(max(seq), 0) FROM outbox WHERE seq > 0) AS last, ` + others + ` AS others,
			EXISTS (SELECT FROM rating_marks WHERE lifted_at = 0) AS marked),
		page AS MATERIALIZED (
			(SELECT ` + columns + ` FROM outbox WHERE seq > (SELECT from_seq FROM start) AND (SELECT works FROM start) ORDER BY seq LIMIT $1)
			UNION ALL (SELECT ` + columns + ` FROM outbox WHERE seq < 0 AND (SELECT works FROM start) ORDER BY seq DESC LIMIT $1))
		SELECT works, from_seq, last, others, marked, NOT works AND (last > from_seq OR EXISTS (SELECT FROM outbox WHERE seq < 0 AND game_id = ANY($2::text[]))
			OR CARDINALITY($2::text[]) = 0 AND EXISTS (SELECT FROM outbox WHERE seq < 0)), coalesce(page.seq, 0), coalesce(game_id, ''), coalesce(variant, ''), coalesce(page.list, ''), coalesce(page.rated, FALSE),
			coalesce(players, '[]'), coalesce(sides, '[]'), ranks, coalesce(reason, ''), coalesce(plies, 0), coalesce(finished_at, 0), moved,
			coalesce(corrects, 0), tournament_id, fewest, coalesce((SELECT TRUE FROM rating_rows r WHERE r.game_id = page.game_id LIMIT 1), FALSE),
			coalesce(who.seat, 0), c.seq IS NOT NULL, coalesce(c.value, 0), coalesce(c.games, 0), coalesce(c.reached, FALSE), coalesce(c.deviation, 0),
			coalesce(c.volatility, 0), coalesce(c.unrated, FALSE), coalesce(c.period, '` + noPeriod + `'), coalesce(c.from_tournaments, 0),
			coalesce(given.rating, 'null'), coalesce(given.deviation, 'null'), coalesce(given.given_at, '{}')
		FROM start LEFT JOIN page ON TRUE
		LEFT JOIN LATERAL jsonb_array_elements_text(CAST(page.players AS jsonb)) WITH ORDINALITY AS who (id, seat) ON TRUE
		LEFT JOIN current_ratings c ON c.list = page.list AND c.player_id = who.id
		LEFT JOIN players given ON given.id = who.id AND c.seq IS NULL
		ORDER BY page.seq < 0, abs(page.seq), who.seat`
}()

// takeRatings waits for the turn and reads what is to be rated then.
func (s *Store) takeRatings(ctx context.Context, c *cluster, ids []string) (*ratingsTurn, error) {
	pass := postgres.Pass{
		Lock: queues[queueOf(OfRatings)].turn, First: outboxLock + 3, Patience: turnPatience, Look: pendingQuery, Args: []any{pageInTurn, ids},
	}
	var t *ratingsTurn
	var marked bool
	held, err := c.db.Take(ctx, pass, func(rows pgx.Rows) (err error) {
		t = &ratingsTurn{of: s}
		marked, err = t.read(rows)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.held = held
	if marked && len(t.games) > 0 {
		marks, err := s.Ratings().standing(ctx)
		if err != nil {
			held.Release(ctx)
			return nil, err
		}
		for i := range t.games {
			marks.on(&t.games[i])
		}
	}
	return t, nil
}

// read takes over what pendingQuery finds, and reports whether players are marked.
func (t *ratingsTurn) read(rows pgx.Rows) (marked bool, err error) {
	for rows.Next() {
		var r outboxRow
		var seat int
		var there, recorded bool
		var now currentRow
		var given playerRow
		err := rows.Scan(&t.works, &t.from, &t.last, &t.others, &marked, &t.mine, &r.Seq, &r.GameID, &r.Variant, &r.List, &r.Rated, &r.Players, &r.Sides, &r.Ranks,
			&r.Reason, &r.Plies, &r.FinishedAt, &r.Moved, &r.Corrects, &r.TournamentID, &r.Fewest, &recorded, &seat, &there, &now.Value, &now.Games, &now.Reached,
			&now.Deviation, &now.Volatility, &now.Unrated, &now.Period, &now.FromTournaments, &given.Rating, &given.Deviation, &given.GivenAt)
		if err != nil {
			return false, err
		}
		if r.Seq == 0 {
			break
		}
		if seat <= 1 { // the first row of a game
			if len(t.games) == pageInTurn {
				break
			}
			t.add(&r, recorded)
		}
		if seat == 0 {
			continue
		}
		known := t.games[len(t.games)-1].Known
		if there {
			current := now.rating()
			known.Current[seat-1] = &current
		} else if start, ok := given.given(r.List); ok {
			known.Current[seat-1] = &start
		}
	}
	rows.Close()
	return marked, rows.Err()
}

// add adds a game, with the place that it has or will have.
func (t *ratingsTurn) add(r *outboxRow, recorded bool) {
	f := r.forLedger()
	if r.Seq < 0 {
		t.unplaced = append(t.unplaced, r.Seq)
		f.Seq = t.last + int64(len(t.unplaced))
	}
	t.corrected = t.corrected || f.Corrects != 0
	f.Known = &ledger.Known{Recorded: recorded, Current: make([]*rating.Rating, len(f.Players))}
	t.games = append(t.games, f)
}

// givePlacesTo gives rows of the outbox places, if the last place is still the one after which these come.
const givePlacesTo = `UPDATE outbox SET seq = given.place FROM unnest($1::bigint[], $2::bigint[]) AS given (was, place)
	WHERE outbox.seq = given.was AND $3 = (SELECT coalesce(max(seq), 0) FROM outbox WHERE seq > 0)`

// commit stores what was made of the games, with their places, and ends the turn.
func (t *ratingsTurn) commit(ctx context.Context, b *batch) error {
	calls := b.many()
	t.from = -1 // what is refused now is made again without the turn
	if len(t.unplaced) > 0 {
		places := make([]int64, len(t.unplaced))
		for i := range places {
			places[i] = t.last + int64(i) + 1
		}
		args := []driver.NamedValue{{Ordinal: 1, Value: t.unplaced}, {Ordinal: 2, Value: places}, {Ordinal: 3, Value: t.last}}
		calls = slices.Insert(calls, 1, postgres.Call{Text: givePlacesTo, Args: args, Lock: outboxLock, Guards: true})
	}
	return t.held.Commit(ctx, &postgres.Batch{Calls: calls, Refusal: b.refusal})
}
