package ratings

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/tournament/adminlog"
)

// past is the state of the games up to a cursor in a transaction. Rows are read with plain scans: gorm's cost more than
// the databases.
type past struct {
	tx     *gorm.DB
	after  int64 // the games up to this place are not among them, only their corrections
	cursor int64
	marks  marks
	words  *words
}

var _ ledger.Draft = (*past)(nil)

// Look lets read see everything in a single state of the database.
func (s *Ratings) Look(ctx context.Context, read func(ledger.Past) error) error {
	var failed error
	err := s.Snapshot(ctx, func(tx *gorm.DB) error {
		p, _, err := pastOf(tx)
		if err == nil {
			failed = read(p)
		}
		return errors.Join(err, failed)
	})
	if failed != nil {
		return failed
	}
	return db.About("read the ratings", err)
}

// Renew calls change in a transaction that holds the ratings cursor. ledger.ErrRegulation if the stored ratings follow
// another regulation and are not to be adopted.
func (s *Ratings) Renew(ctx context.Context, change func(ledger.Draft) error) error {
	var failed error
	err := s.Long(ctx, func(ctx context.Context, tx *gorm.DB) error {
		if failed = s.renew(tx, change); failed != nil {
			return failed
		}
		return s.Log(ctx, tx, adminlog.Entry{
			Kind: adminlog.RatingsRecomputed, About: adminlog.Subject{Kind: adminlog.OfRatings},
		})
	})
	if failed != nil {
		return failed
	}
	return db.About("recompute ratings", err)
}

// renew is Renew in a transaction.
func (s *Ratings) renew(tx *gorm.DB, change func(ledger.Draft) error) error {
	// This first: other transactions that move the cursor then wait, and the next reads see their writes.
	if err := tx.Exec("UPDATE cursors SET seq = seq WHERE consumer = ?", outbox.OfRatings).Error; err != nil {
		return db.About("recompute ratings", err)
	}
	p, regulation, err := pastOf(tx)
	switch {
	case err != nil:
	case s.adopting:
		err = tx.Model(&outbox.Cursor{}).Where("consumer = ?", outbox.OfRatings).Update("regulation", s.regulation).Error
	case regulation != s.regulation:
		return ledger.ErrRegulation
	}
	if err != nil {
		return db.About("recompute ratings", err)
	}
	return change(p)
}

type within struct {
	*Ratings
	tx *gorm.DB
}

// Within returns ratings that are renewed within a transaction that has begun.
func (s *Ratings) Within(tx *gorm.DB) ledger.Store { return within{s, tx} }

// Renew calls change in the transaction.
func (w within) Renew(ctx context.Context, change func(ledger.Draft) error) error {
	return w.renew(w.tx, change)
}

// pastOf returns the past that a transaction sees, and its regulation.
func pastOf(tx *gorm.DB) (p *past, regulation string, err error) {
	var row outbox.Cursor
	if err := tx.Take(&row, "consumer = ?", outbox.OfRatings).Error; err != nil {
		return nil, "", err
	}
	marks, err := standing(tx)
	return &past{tx: tx, cursor: row.Seq, marks: marks, words: newWords()}, row.Regulation, err
}

// Cursor returns the ratings cursor.
func (p *past) Cursor() int64 { return p.cursor }

// Given hands out the ratings that players were given when they were entered.
func (p *past) Given(_ context.Context, yield func(list, playerID string, r rating.Rating) error) error {
	last := ""
	for {
		var rows []Given
		err := p.tx.Select("id", "rating", "deviation", "given_at").Where("id > ? AND rating NOT IN ('null', '{}')", last).
			Order("id").Limit(pageOf).Find(&rows).Error
		if err != nil {
			return db.About("read given ratings", err)
		}
		if len(rows) == 0 {
			return nil
		}
		for i := range rows {
			for list := range rows[i].Rating {
				r, _ := rows[i].In(list)
				if err := yield(list, rows[i].ID, r); err != nil {
					return err
				}
			}
		}
		last = rows[len(rows)-1].ID
	}
}

// Games returns a page of finished games.
func (p *past) Games(ctx context.Context, after int64, space []ledger.Finished) ([]ledger.Finished, int64, error) {
	if after >= p.cursor {
		return space, p.cursor, nil
	}
	last, rows, first := after, 0, len(space)
	err := p.each(ctx, finishedOf, "seq > ? AND seq <= ? ORDER BY seq LIMIT ?", []any{after, p.cursor, pageOf},
		func(c *columns) error {
			f, err := c.finished()
			if err != nil {
				return err
			}
			p.marks.on(&f)
			last = f.Seq
			if rows++; f.Corrects <= p.after { // otherwise the game counts at its first row
				space = append(space, f)
			}
			return nil
		})
	if err != nil || len(space) == first {
		return space, p.upTo(last, rows), db.About("read the outbox", err)
	}
	at := first
	err = p.each(ctx, finishedOf, "corrects > 0 AND corrects BETWEEN ? AND ? AND seq <= ? ORDER BY corrects, seq",
		[]any{space[first].Seq, last, p.cursor}, func(c *columns) error {
			f, err := c.finished()
			if err != nil {
				return err
			}
			p.marks.on(&f)
			for at < len(space) && space[at].Seq < f.Corrects {
				at++
			}
			if at < len(space) && space[at].Seq == f.Corrects {
				f.Seq, f.Corrects = f.Corrects, 0
				space[at] = f
			}
			return nil
		})
	return space, p.upTo(last, rows), db.About("read the outbox", err)
}

// upTo returns the last place of a page with a number of rows.
func (p *past) upTo(last int64, rows int) int64 {
	if rows < pageOf {
		return p.cursor
	}
	return last
}

// Rows returns rating rows in order of Seq, then Seat.
func (p *past) Rows(ctx context.Context, after, to int64, space []ledger.Row) ([]ledger.Row, error) {
	err := p.each(ctx, ratingsOf, "seq > ? AND seq <= ? ORDER BY seq, seat", []any{after, to}, func(c *columns) error {
		r, err := c.rating()
		space = append(space, r)
		return err
	})
	return space, db.About("read rating rows", err)
}

// Standings returns a page of current ratings.
func (p *past) Standings(_ context.Context, list, playerID string, space []ledger.Standing) ([]ledger.Standing, error) {
	var rows []Current
	err := p.tx.Where("(list, player_id) > (?, ?)", list, playerID).Order("list, player_id").Limit(pageOf).Find(&rows).
		Error
	for i := range rows {
		r := &rows[i]
		space = append(space, ledger.Standing{
			List: r.List, PlayerID: r.PlayerID, Rating: r.Rating(), Seq: r.Seq, LastAt: r.LastAt,
		})
	}
	return space, db.About("read current ratings", err)
}

// Sums returns the sums of all lists.
func (p *past) Sums(context.Context) (sums []ledger.Sum, err error) {
	var rows []List
	err = p.tx.Order("list").Find(&rows).Error
	for _, r := range rows {
		sums = append(sums, ledger.Sum(r))
	}
	return sums, db.About("read rating lists", err)
}

// each calls use for every row that a query finds.
func (p *past) each(ctx context.Context, of, where string, args []any, use func(c *columns) error) (err error) {
	rows, err := p.tx.WithContext(ctx).Raw(of+where, args...).Rows()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	c := &columns{words: p.words, values: make([]any, len(names)), into: make([]any, len(names))}
	for i := range c.values {
		c.into[i] = &c.values[i]
	}
	for rows.Next() {
		if err := rows.Scan(c.into...); err != nil {
			return err
		}
		c.next = 0
		if err := use(c); err != nil {
			return err
		}
	}
	return rows.Err()
}

// The columns that are read of the tables, in the order that words decodes.
const (
	finishedOf = "SELECT seq, game_id, variant, list, rated, players, sides, ranks, reason, plies, finished_at, moved, " +
		"corrects, tournament_id IS NOT NULL, coalesce(fewest, -1) FROM outbox WHERE "
	ratingsOf = "SELECT game_id, player_id, list, seat, seq, system, value_before, value_after, change, expected, " +
		"score, games_after, k, reached, at, deviation_before, deviation, volatility, unrated, refunded, period, " +
		"from_tournaments FROM rating_rows WHERE "
)

// Before returns the ratings in a list before a place in the outbox.
func (s *Ratings) Before(ctx context.Context, seq int64, list string, players []string) (
	map[string]rating.Rating, error,
) {
	reads := s.Reads.WithContext(ctx)
	before := map[string]rating.Rating{}
	for part := range db.Chunks(players) {
		if err := givenIn(reads, list, part, before); err != nil {
			return nil, db.About("read given ratings", err)
		}
		rows, err := lastBefore(reads, seq, list, part)
		if err != nil {
			return nil, db.About("read earlier ratings", err)
		}
		for i := range rows {
			before[rows[i].PlayerID] = rows[i].row().Rating()
		}
	}
	return before, nil
}

// lastBefore returns the last rows of players in a list before a place in the outbox.
func lastBefore(tx *gorm.DB, seq int64, list string, players []string) (rows []Row, err error) {
	err = tx.Where("list = ? AND player_id IN ?", list, players).Where(`seq = (SELECT max(earlier.seq) FROM rating_rows earlier
		WHERE earlier.list = rating_rows.list AND earlier.player_id = rating_rows.player_id AND earlier.seq < ?)`, seq).
		Find(&rows).Error
	return rows, err
}

// Rewrite moves the ratings cursor from a place to another, and puts rows in the place of those of some lists from a
// start on; ledger.ErrBehind if the cursor is not at from.
func (s *Ratings) Rewrite(ctx context.Context, from, to, start int64, lists []string, rows []ledger.Row) error {
	stored := db.Map(rows, toRatingRow)
	err := s.Write(ctx, func(tx *gorm.DB) error {
		moved, err := s.move(tx, from, to)
		if err != nil {
			return err
		}
		if !moved {
			return ledger.ErrBehind
		}
		for _, list := range lists {
			if err := rewriteList(tx, list, start, stored); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, ledger.ErrBehind) {
		return s.refused(ctx)
	}
	return db.About("correct ratings", err)
}

// rewriteList replaces the rows of a list from a start on by those of the list among rows, and updates the current
// ratings and the sum that follow from them.
func rewriteList(tx *gorm.DB, list string, start int64, rows []Row) error {
	var players []string
	from := tx.Model(&Row{}).Where("seq >= ? AND list = ?", start, list)
	if err := from.Distinct("player_id").Pluck("player_id", &players).Error; err != nil {
		return err
	}
	if err := tx.Where("seq >= ? AND list = ?", start, list).Delete(&Row{}).Error; err != nil {
		return err
	}
	var ofList []Row
	for i := range rows {
		if rows[i].List == list {
			ofList = append(ofList, rows[i])
			players = append(players, rows[i].PlayerID)
		}
	}
	if err := db.Create(tx, ofList); err != nil {
		return err
	}
	if err := renewCurrent(tx, list, players); err != nil {
		return err
	}
	return recountList(tx, list)
}

// afterAll is greater than every place in the outbox.
const afterAll = 1<<63 - 1

// renewCurrent puts the current ratings of players in a list in step with their rows.
func renewCurrent(tx *gorm.DB, list string, players []string) error {
	for part := range db.Chunks(players) {
		if err := tx.Where("list = ? AND player_id IN ?", list, part).Delete(&Current{}).Error; err != nil {
			return err
		}
		last, err := lastBefore(tx, afterAll, list, part)
		if err != nil {
			return err
		}
		if err := db.Create(tx, lastRows(last)); err != nil {
			return err
		}
	}
	return nil
}

// recountList puts the sum of a list in step with its rows.
func recountList(tx *gorm.DB, list string) error {
	if err := tx.Where("list = ?", list).Delete(&List{}).Error; err != nil {
		return err
	}
	sum := List{List: list}
	err := tx.Model(&Row{}).Select("count(DISTINCT game_id) AS games, coalesce(max(at), 0) AS last_at").
		Where("list = ?", list).
		Row().Scan(&sum.Games, &sum.LastAt)
	if err != nil || sum.Games == 0 {
		return err
	}
	return tx.Create(&sum).Error
}
