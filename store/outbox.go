package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/postgres"
	"quatuor/tournament/director"
)

// outboxRow tells of one game that is over. Batches write it (addOutbox). A game in the hall may have several: of these the
// last one counts, in the place of the first.
type outboxRow struct {
	Seq          int64 `gorm:"primaryKey"` // its place; negative until it has one, on PostgreSQL
	GameID       string
	Variant      string
	List         string
	Rated        bool
	Players      jsonOf[[]string]
	Sides        jsonOf[[]int]
	Ranks        jsonOrNull[[]int]
	Reason       string
	Plies        int
	Aborted      bool
	TournamentID *string
	Round        int
	Board        int
	FinishedAt   int64
	Moved        *int64 // seats that have moved, bit 0 for seat 1; NULL for games that ended before this was stored
	Corrects     int64  // the place of the game's first row, of one that takes its place; 0 for the first
	Revision     int    // number of the row among those of the game, from 0
}

func (outboxRow) TableName() string { return "outbox" }

// cursorRow says how far a consumer of the outbox has come.
type cursorRow struct {
	Consumer   string `gorm:"primaryKey"`
	Seq        int64
	Regulation string // by which what the consumer has written is made; "" for the first one
}

func (cursorRow) TableName() string { return "cursors" }

// lastPlace returns the last place in the outbox. Where it is locked none comes after it.
func lastPlace(tx *gorm.DB) (last int64, err error) {
	err = tx.Model(&outboxRow{}).Where("seq > 0").Select("coalesce(max(seq), 0)").Scan(&last).Error
	return last, err
}

// outboxLock is the advisory lock under which places in the outbox are given on PostgreSQL.
const outboxLock = 0x7175_6174_0001

// givePlaces numbers the rows of the outbox that have no place yet.
const givePlaces = `UPDATE outbox SET seq = ended.place FROM (
		SELECT seq AS was, (SELECT coalesce(max(seq), 0) FROM outbox WHERE seq > 0) + row_number() OVER (ORDER BY seq DESC) AS place
		FROM outbox WHERE seq < 0
	) ended WHERE outbox.seq = ended.was`

// lockOutbox gives all games that have ended a place in the outbox, and keeps other transactions from giving any until this
// one has ended. Games go on ending meanwhile. SQLite has one writer anyway.
func lockOutbox(tx *gorm.DB) error {
	if tx.Name() != "postgres" {
		return nil
	}
	if err := tx.Exec("SELECT pg_advisory_xact_lock(?)", int64(outboxLock)).Error; err != nil {
		return err
	}
	return tx.Exec(givePlaces).Error
}

// The consumers of the outbox.
const (
	OfRatings     = "ratings"
	OfTournaments = "tournaments"
)

// queue is what a consumer takes from the outbox.
type queue struct {
	consumer string
	rows     string // those that concern it
	turn     int64  // advisory lock that the instance has which is at it, on PostgreSQL
}

var queues = [...]queue{
	{OfRatings, "TRUE", outboxLock + 1},
	{OfTournaments, "tournament_id IS NOT NULL", outboxLock + 2},
}

func queueOf(consumer string) int {
	return slices.IndexFunc(queues[:], func(q queue) bool { return q.consumer == consumer })
}

// Waiting returns how many games have ended that a consumer has not taken yet.
func (s *Store) Waiting(ctx context.Context, consumer string) (n int64, err error) {
	err = s.reads.WithContext(ctx).Raw(`SELECT count(*) FROM outbox
		WHERE `+queues[queueOf(consumer)].rows+` AND (seq < 0 OR seq > (SELECT seq FROM cursors WHERE consumer = ?))`, consumer).Scan(&n).Error
	return n, about("count what waits in the outbox", err)
}

// Ended says which games had ended at a moment, and how far each consumer had come, as far as the consumers of one pass need to
// know it. At first it is empty; on SQLite it stays so.
type Ended struct {
	known bool
	last  int64 // place in the outbox
	reach [len(queues)]struct {
		at     int64 // the cursor
		behind bool  // there are games for it up to the last place
	}
}

const lookForEnds = "look for games that have ended"

// endedQuery asks for the last place, and for each consumer's cursor and whether that is behind.
var endedQuery = func() string {
	columns := "last"
	for _, q := range queues {
		cursor := "(SELECT seq FROM cursors WHERE consumer = '" + q.consumer + "')"
		columns += ", " + cursor + ", EXISTS (SELECT FROM outbox WHERE " + q.rows + " AND seq > " + cursor + " AND seq <= last)"
	}
	return "SELECT " + columns + " FROM (SELECT coalesce(max(seq), 0) AS last FROM outbox WHERE seq > 0) ended"
}()

// ended gives all games that have ended a place, and returns which these are, in one piece with the end of the transaction:
// the lock never waits for this program.
func (c *cluster) ended(ctx context.Context) (e Ended, err error) {
	e.known = true
	into := []any{&e.last}
	for i := range e.reach {
		into = append(into, &e.reach[i].at, &e.reach[i].behind)
	}
	err = c.db.InOnePiece(ctx, []postgres.Call{{Text: givePlaces, Lock: outboxLock}}, endedQuery, into...)
	return e, err
}

// pendingFrom gives all games that have ended a place, and returns a consumer's cursor, and whether there may be games for it.
func (s *Store) pendingFrom(ctx context.Context, consumer string) (from int64, some bool, err error) {
	c, shared := s.backend.(*cluster)
	if !shared {
		from, err = cursor(s.reads.WithContext(ctx), consumer)
		return from, true, about("read the place in the outbox", err)
	}
	e, err := c.ended(ctx)
	r := e.reach[queueOf(consumer)]
	return r.at, r.behind, about(lookForEnds, err)
}

// turnPatience is how long another instance may have the turn without taking a game. One that stands still loses the turn
// only with its connection.
const turnPatience = 500 * time.Millisecond

// Consume returns when a consumer has taken the games that had ended: by catchUp here or, if another instance is at it, there.
// While that one gets on nothing is computed twice; if it stands still, catchUp is called nevertheless, and the cursor
// decides. The ratings come first in a pass: they find out whether the others have anything to do.
func (s *Store) Consume(ctx context.Context, e *Ended, consumer string, catchUp func(context.Context) error) error {
	c, shared := s.backend.(*cluster)
	switch {
	case !shared:
		return catchUp(ctx)
	case consumer == OfRatings:
		return s.rateInTurn(ctx, c, e, catchUp)
	case !e.known:
		all, err := c.ended(ctx)
		if err != nil {
			return about(lookForEnds, err)
		}
		*e = all
	}
	q := queueOf(consumer)
	r := e.reach[q]
	const behind = "SELECT seq < $2 FROM cursors WHERE consumer = $1"
	turn := postgres.Turn{Lock: queues[q].turn, Patience: turnPatience, Due: behind, Args: []any{consumer, e.last}}
	for r.behind {
		worked, err := c.db.InTurn(ctx, turn, catchUp)
		switch {
		case worked:
			return err
		case !errors.Is(err, postgres.ErrTaken):
			return about(lookForEnds, err)
		}
		before := r.at
		err = c.db.Pool().QueryRowContext(ctx, "SELECT seq, seq < $2 FROM cursors WHERE consumer = $1", consumer, e.last).Scan(&r.at, &r.behind)
		switch {
		case err != nil:
			return about(lookForEnds, err)
		case r.behind && r.at == before:
			return catchUp(ctx)
		}
	}
	return nil
}

// ratingsTurn is the turn in which this instance rates, with what it has read at its beginning: games that have ended, some
// of which have no place yet, with all that their ratings need. They get their places, from the last one on, with their ratings.
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

// gatherEnds is for how long one who rates waits for more games to end where some wait already: there is a crowd, and more
// come at once. For less than crowdOfEnds it does not.
const (
	gatherEnds  = 4 * time.Millisecond
	crowdOfEnds = 3
)

// rateInTurn is Consume for the ratings: the turn begins with all that is to be read, and ends with all that is to be stored.
// Who has waited for another's turn needs none of its own if that one has taken all that ended here.
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

// pendingQuery asks whose turn it is, for the cursor of the ratings and the last place, whether there is something for other
// consumers, whether players are marked, and whether of some games, or of all, some wait. For whose turn it is it asks for the
// games that have ended, a row for each seat, with what is stored of its player. Those without a place come last.
var pendingQuery = func() string {
	const columns = "seq, game_id, variant, list, rated, players, sides, ranks, reason, plies, finished_at, moved, corrects"
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
			coalesce(corrects, 0), coalesce((SELECT TRUE FROM rating_rows r WHERE r.game_id = page.game_id LIMIT 1), FALSE),
			coalesce(who.seat, 0), c.seq IS NOT NULL, coalesce(c.value, 0), coalesce(c.games, 0), coalesce(c.reached, FALSE), coalesce(c.deviation, 0),
			coalesce(c.volatility, 0), coalesce(c.unrated, FALSE), coalesce(c.period, '` + noPeriod + `'),
			coalesce(given.rating, 'null'), coalesce(given.deviation, 'null')
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
	if len(ids) >= crowdOfEnds {
		pass.Gather = gatherEnds
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
			&r.Reason, &r.Plies, &r.FinishedAt, &r.Moved, &r.Corrects, &recorded, &seat, &there, &now.Value, &now.Games, &now.Reached,
			&now.Deviation, &now.Volatility, &now.Unrated, &now.Period, &given.Rating, &given.Deviation)
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

// outboxOf returns the row of a game that is over, without its place.
func outboxOf(g *table.Game, moved table.SeatSet) (outboxRow, error) {
	rules, err := catalog.Find(g.Variant)
	if err != nil {
		return outboxRow{}, fmt.Errorf("store: game %s: %w", g.ID, err)
	}
	info := rules.Info()
	list, err := listOf(info, g)
	if err != nil {
		return outboxRow{}, fmt.Errorf("store: game %s: %w", g.ID, err)
	}
	row := outboxRow{
		GameID: g.ID, Variant: g.Variant, List: list, Rated: g.Rated, Players: jsonOf[[]string]{g.Players},
		Sides: jsonOf[[]int]{make([]int, g.Seats)}, Reason: string(table.LineAbort), Plies: g.Plies,
		Aborted: g.Status == table.Aborted, FinishedAt: g.FinishedAt, Moved: new(int64),
	}
	*row.Moved = int64(moved)
	for i := range row.Sides.v {
		row.Sides.v[i] = int(info.SideOf(engine.Seat(i + 1)))
	}
	if g.Outcome != nil {
		row.Reason = string(g.Outcome.Reason)
		if !g.Outcome.Void() {
			row.Ranks.v = &g.Outcome.Ranks
		}
	}
	if g.Hall {
		row.ofHall(g.Seats)
	} else if p := g.Tournament; p != nil {
		row.TournamentID, row.Round, row.Board = &p.ID, p.Round, p.Board
	}
	return row, nil
}

// reasonHall is the reason of games in the hall in the outbox, whatever record there is of them.
const reasonHall = "hall"

// ofHall makes the row one of a game in the hall: it brings its tournament no result, because it comes from one, and all
// seats count as having moved. Nothing in it depends on whether there is a record of the moves.
func (r *outboxRow) ofHall(seats int) {
	r.Reason, r.Plies = reasonHall, 0
	*r.Moved = 1<<seats - 1
}

// listOf names the rating list a game belongs to: one for each family of variants and class of speed.
func listOf(info engine.Info, g *table.Game) (string, error) {
	controls := make([]clock.Control, len(g.Controls))
	for i, text := range g.Controls {
		c, err := clock.Parse(text)
		if err != nil {
			return "", err
		}
		controls[i] = c
	}
	return ledger.ListID(info.Family(), clock.Class(controls...)), nil
}

// cursor reads a consumer's place. Within a transaction that writes, moveCursor decides.
func cursor(tx *gorm.DB, consumer string) (seq int64, err error) {
	var row cursorRow
	err = tx.Take(&row, "consumer = ?", consumer).Error
	return row.Seq, err
}

// moveCursor moves a consumer's cursor if it stands where the condition says, and reports whether it did. On
// PostgreSQL it waits for another transaction that is moving it, and then judges what that one left.
func moveCursor(tx *gorm.DB, consumer string, to int64, condition string, args ...any) (bool, error) {
	r := tx.Model(&cursorRow{}).Where("consumer = ?", consumer).Where(condition, args...).Update("seq", to)
	return r.RowsAffected > 0, r.Error
}

func (r *outboxRow) forDirector() director.Finished {
	if r.Corrects > 0 { // games that bring a tournament its results end once
		return director.Finished{Seq: r.Seq, GameID: r.GameID, At: r.FinishedAt}
	}
	f := director.Finished{
		Seq: r.Seq, GameID: r.GameID, TournamentID: orEmpty(r.TournamentID), Round: r.Round, Board: r.Board,
		Aborted: r.Aborted, Reason: r.Reason, Plies: r.Plies, Moved: r.moved(), At: r.FinishedAt,
	}
	if r.Ranks.v != nil {
		f.Ranks = *r.Ranks.v
	}
	return f
}

func (r *outboxRow) forLedger() ledger.Finished {
	f := ledger.Finished{
		Seq: r.Seq, GameID: r.GameID, Variant: r.Variant, List: r.List, Rated: r.Rated, Players: r.Players.v,
		Sides: r.Sides.v, Reason: r.Reason, Plies: r.Plies, FinishedAt: r.FinishedAt, Corrects: r.Corrects,
	}
	if r.Ranks.v != nil {
		f.Ranks = *r.Ranks.v
	}
	f.Moved = r.moved()
	return f
}

// moved returns by seat whether it has moved; nil if that was not stored.
func (r *outboxRow) moved() []bool {
	if r.Moved == nil {
		return nil
	}
	out := make([]bool, len(r.Players.v))
	for i := range out {
		out[i] = table.SeatSet(*r.Moved).Has(int8(i + 1))
	}
	return out
}
