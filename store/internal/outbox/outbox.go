// Package outbox keeps the games that have ended, in the order of rating, and the position of each consumer.
//
// A game that ends leaves a row in the outbox in the same transaction. Its number, from 1 and without gaps, is its
// place in the order of rating, and no reader sees a place while a smaller one may still come. On SQLite the single
// writer numbers the rows as it writes them. On PostgreSQL a game ends without a lock that others wait for: its row has
// a negative number at first, and no place. A consumer that takes these rows assigns them the next places, in the order
// of their writing, under an advisory lock until that is committed. A game that ends after the end of another was
// stored has the later place. A row that is committed late gets a later place and is not overlooked; and no other
// transaction, however long, keeps a row from its place.
//
// Each consumer has a cursor row, which moves in the transaction that stores the consumer's results. Of several
// instances a single instance consumes at a time, under a lease, and the others pass by: that saves work. The cursor
// decides which work counts.
package outbox

import (
	"fmt"
	"slices"

	"gorm.io/gorm"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/tournament/director"
)

// Row is a game that is over. A game in the hall may have several: of these the last counts, in the place of the first.
type Row struct {
	Seq          int64 `gorm:"primaryKey"` // its place; on PostgreSQL negative until that is assigned
	GameID       string
	Variant      string
	List         string
	Rated        bool
	Players      []string `gorm:"serializer:text"`
	Sides        []int    `gorm:"serializer:text"`
	Ranks        []int    `gorm:"serializer:null"`
	Reason       string
	Plies        int
	Aborted      bool
	TournamentID string `gorm:"serializer:null"`
	Round        int
	Board        int
	FinishedAt   int64
	Moved        *int64 // seats that have moved, bit 0 for seat 1; NULL for games that ended before this was stored
	Corrects     int64  // the place of the game's first row, which this row replaces; 0 for the first
	Revision     int    // number of the row among those of the game, from 0
	Fewest       *int64 // moves of the seat that made the fewest, of those that moved; NULL in the hall, and for games that ended before this was stored
}

// TableName is the table of the rows.
func (Row) TableName() string { return "outbox" }

// Cursor is the position of a consumer in the outbox.
type Cursor struct {
	Consumer   string `gorm:"primaryKey"`
	Seq        int64
	Regulation string // that the consumer's writing follows; "" for the first regulation
}

// TableName is the table of the cursors.
func (Cursor) TableName() string { return "cursors" }

// LastPlace returns the last place in the outbox. Where it is locked none comes after it.
func LastPlace(tx *gorm.DB) (last int64, err error) {
	err = tx.Model(&Row{}).Where("seq > 0").Select("coalesce(max(seq), 0)").Scan(&last).Error
	return last, err
}

// PlacesLock is the advisory lock under which places in the outbox are given on PostgreSQL.
const PlacesLock = 0x7175_6174_0001

// Lock assigns places to all games that have ended, and keeps other transactions from doing so until this transaction
// ends. Games go on ending. SQLite has a single writer anyway.
func Lock(tx *gorm.DB) error {
	if tx.Name() == db.SQLite {
		return nil
	}
	if err := db.Lock(tx, "?", int64(PlacesLock)); err != nil {
		return err
	}
	return tx.Exec(givePlaces).Error
}

// The advisory locks of the instance that rates, and of the next instance that is about to.
const (
	RatingsLease = PlacesLock + 1
	RatingsQueue = PlacesLock + 3
)

// The consumers of the outbox.
const (
	OfRatings     = "ratings"
	OfTournaments = "tournaments"
)

// queue is the consumer's view of the outbox: the rows that it takes.
type queue struct {
	consumer string
	rows     string // those that concern it
	lease    int64  // advisory lock of the instance that works on it, on PostgreSQL
}

var queues = [...]queue{
	{OfRatings, "TRUE", RatingsLease},
	{OfTournaments, "tournament_id IS NOT NULL", PlacesLock + 2},
}

func queueOf(consumer string) int {
	return slices.IndexFunc(queues[:], func(q queue) bool { return q.consumer == consumer })
}

// CursorOf reads a consumer's place. Within a transaction that writes, Move decides.
func CursorOf(tx *gorm.DB, consumer string) (seq int64, err error) {
	var row Cursor
	err = tx.Take(&row, "consumer = ?", consumer).Error
	return row.Seq, err
}

// Move moves a consumer's cursor if a condition holds, and reports whether it did. On PostgreSQL it waits for a
// concurrent transaction first.
func Move(tx *gorm.DB, consumer string, to int64, condition string, args ...any) (bool, error) {
	r := tx.Model(&Cursor{}).Where("consumer = ?", consumer).Where(condition, args...).Update("seq", to)
	return r.RowsAffected > 0, r.Error
}

// ForDirector returns the game as the director takes it.
func (r *Row) ForDirector() director.Finished {
	if r.Corrects > 0 { // games that bring a tournament its results end once
		return director.Finished{Seq: r.Seq, GameID: r.GameID, At: r.FinishedAt}
	}
	return director.Finished{
		Seq: r.Seq, GameID: r.GameID, TournamentID: r.TournamentID, Round: r.Round, Board: r.Board, Ranks: r.Ranks,
		Aborted: r.Aborted, Reason: r.Reason, Plies: r.Plies, Moved: r.moved(), At: r.FinishedAt,
	}
}

// ForLedger returns the game as the ledger takes it.
func (r *Row) ForLedger() ledger.Finished {
	f := ledger.Finished{
		Seq: r.Seq, GameID: r.GameID, Variant: r.Variant, List: r.List, Rated: r.Rated, Players: r.Players,
		Sides: r.Sides, Ranks: r.Ranks, Reason: r.Reason, Plies: r.Plies, FinishedAt: r.FinishedAt, Corrects: r.Corrects,
		Moved: r.moved(), Tournament: r.TournamentID != "" || r.Reason == ReasonHall, Fewest: ledger.NotCounted,
	}
	if r.Fewest != nil {
		f.Fewest = int(*r.Fewest)
	}
	return f
}

// moved returns by seat whether it has moved; nil if that was not stored.
func (r *Row) moved() []bool {
	if r.Moved == nil {
		return nil
	}
	out := make([]bool, len(r.Players))
	for i := range out {
		out[i] = table.SeatSet(*r.Moved).Has(int8(i + 1))
	}
	return out
}

// RowOf returns the row of a game that is over, without its place.
func RowOf(g *table.Game, moved table.SeatSet, fewest int) (Row, error) {
	rules, err := catalog.Find(g.Variant)
	if err != nil {
		return Row{}, fmt.Errorf("store: game %s: %w", g.ID, err)
	}
	info := rules.Info()
	list, err := listOf(info, g)
	if err != nil {
		return Row{}, fmt.Errorf("store: game %s: %w", g.ID, err)
	}
	row := Row{
		GameID: g.ID, Variant: g.Variant, List: list, Rated: g.Rated, Players: g.Players,
		Sides: make([]int, g.Seats), Reason: string(table.LineAbort), Plies: g.Plies,
		Aborted: g.Status == table.Aborted, FinishedAt: g.FinishedAt, Moved: new(int64), Fewest: new(int64),
	}
	*row.Moved, *row.Fewest = int64(moved), int64(fewest)
	for i := range row.Sides {
		row.Sides[i] = int(info.SideOf(engine.Seat(i + 1)))
	}
	if g.Outcome != nil {
		row.Reason = string(g.Outcome.Reason)
		row.Ranks = g.Outcome.Ranks
	}
	if g.Hall {
		row.ofHall(g.Seats)
	} else if p := g.Tournament; p != nil {
		row.TournamentID = p.ID
		row.Round = p.Round
		row.Board = p.Board
	}
	return row, nil
}

// ReasonHall is the reason of games in the hall in the outbox, whatever record there is of them.
const ReasonHall = "hall"

// ofHall turns the row into that of a game in the hall: it brings its tournament no result, since it comes from the
// tournament, and all seats count as having moved. Nothing in it depends on a record of the moves.
func (r *Row) ofHall(seats int) {
	r.Reason = ReasonHall
	r.Plies = 0
	r.Fewest = nil
	*r.Moved = 1<<seats - 1
}

// listOf names the rating list a game belongs to: there is a list for each family of variants and class of speed.
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

// givePlaces numbers the rows of the outbox that have no place yet.
const givePlaces = `UPDATE outbox SET seq = ended.place FROM (
		SELECT seq AS was, (SELECT coalesce(max(seq), 0) FROM outbox WHERE seq > 0) + row_number() OVER (ORDER BY seq DESC) AS place
		FROM outbox WHERE seq < 0
	) ended WHERE outbox.seq = ended.was`
