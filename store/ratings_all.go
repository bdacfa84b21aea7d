package store

import (
	"context"

	"gorm.io/gorm"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

// pageOf is how many rows are read at once where all are handed out.
const pageOf = 1000

// Given hands out the ratings that players were given when they were entered.
func (s *Ratings) Given(ctx context.Context, yield func(list, playerID string, r rating.Rating) error) error {
	last := ""
	for {
		var rows []playerRow
		err := s.s.reads.WithContext(ctx).Select("id", "rating").Where("id > ? AND rating NOT IN ('null', '{}')", last).
			Order("id").Limit(pageOf).Find(&rows).Error
		if err != nil {
			return about("read given ratings", err)
		}
		if len(rows) == 0 {
			return nil
		}
		for i := range rows {
			if err := eachGiven(&rows[i], yield); err != nil {
				return err
			}
		}
		last = rows[len(rows)-1].ID
	}
}

func eachGiven(p *playerRow, yield func(list, playerID string, r rating.Rating) error) error {
	for list, value := range p.Rating.v {
		if err := yield(list, p.ID, rating.Rating{Value: value}); err != nil {
			return err
		}
	}
	return nil
}

// EachFinished hands out the games of the outbox after one place and up to the ratings cursor, and gives the cursor.
// A game that is over never changes, so its row in the outbox tells how it stands now, and rows up to the cursor are
// the same whenever they are read.
func (s *Ratings) EachFinished(ctx context.Context, after int64, yield func(ledger.Finished) error) (int64, error) {
	end, err := cursor(s.s.reads.WithContext(ctx), ofRatings)
	if err != nil {
		return 0, about("read the outbox", err)
	}
	for after < end {
		var rows []outboxRow
		err := s.s.reads.WithContext(ctx).Where("seq > ? AND seq <= ?", after, end).Order("seq").Limit(pageOf).
			Find(&rows).Error
		if err != nil {
			return 0, about("read the outbox", err)
		}
		if len(rows) == 0 {
			break
		}
		for i := range rows {
			if err := yield(rows[i].forLedger()); err != nil {
				return 0, err
			}
		}
		after = rows[len(rows)-1].Seq
	}
	return end, nil
}

// Rows hands out all rating rows in order of Seq, then Seat, from one state of the database.
func (s *Ratings) Rows(ctx context.Context, yield func(ledger.Row) error) error {
	return s.s.snapshot(ctx, func(tx *gorm.DB) error {
		seq, seat := int64(-1), 0
		for {
			var rows []ratingRow
			err := tx.Where("(seq, seat) > (?, ?)", seq, seat).Order("seq, seat").Limit(pageOf).Find(&rows).Error
			if err != nil {
				return about("read rating rows", err)
			}
			if len(rows) == 0 {
				return nil
			}
			for i := range rows {
				if err := yield(rows[i].row()); err != nil {
					return err
				}
			}
			seq, seat = rows[len(rows)-1].Seq, rows[len(rows)-1].Seat
		}
	})
}
