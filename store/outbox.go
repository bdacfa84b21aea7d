package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament/director"
)

// outboxRow tells of one game that is over. Batches write it (addOutbox). A game in the hall may have several: of these
// the last one counts, in the place of the first.
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
	Fewest       *int64 // moves of the seat that made the fewest, of those that moved; NULL in the hall, and for games that ended before this was stored
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

// lockOutbox gives all games that have ended a place in the outbox, and keeps other transactions from giving any until
// this one has ended. Games go on ending meanwhile. SQLite has one writer anyway.
func lockOutbox(tx *gorm.DB) error {
	if tx.Name() == sqliteName {
		return nil
	}
	if err := lock(tx, "?", int64(outboxLock)); err != nil {
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
	lease    int64  // advisory lock of the instance that works on it, on PostgreSQL
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

// Consume returns when a consumer has taken the games that had ended: by catchUp here or, if another instance holds the
// consumer's lease, there. While that one makes progress nothing is computed twice.
func (s *Store) Consume(ctx context.Context, e *Ended, consumer string, catchUp func(context.Context) error) error {
	return s.backend.consume(ctx, e, consumer, catchUp)
}

// Rate is Consume for the ratings, which come first in a pass: they find out whether the other consumers have anything
// to do. catchUp rates by way of the given store, which may have read ahead what is to be rated.
func (s *Store) Rate(ctx context.Context, e *Ended, catchUp func(context.Context, ledger.Store) error) error {
	return s.backend.rate(ctx, e, s.Ratings(), catchUp)
}

// outboxOf returns the row of a game that is over, without its place.
func outboxOf(g *table.Game, moved table.SeatSet, fewest int) (outboxRow, error) {
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
		Aborted: g.Status == table.Aborted, FinishedAt: g.FinishedAt, Moved: new(int64), Fewest: new(int64),
	}
	*row.Moved, *row.Fewest = int64(moved), int64(fewest)
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

// ofHall makes the row one of a game in the hall: it brings its tournament no result, because it comes from one, and
// all seats count as having moved. Nothing in it depends on whether there is a record of the moves.
func (r *outboxRow) ofHall(seats int) {
	r.Reason, r.Plies, r.Fewest = reasonHall, 0, nil
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
	f.Moved, f.Tournament, f.Fewest = r.moved(), r.TournamentID != nil || r.Reason == reasonHall, ledger.NotCounted
	if r.Fewest != nil {
		f.Fewest = int(*r.Fewest)
	}
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
