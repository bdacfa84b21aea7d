package store

import (
	"context"

	"gorm.io/gorm/clause"

	"quatuor/rating/ledger"
)

// SetRows removes rating rows by their places and adds others.
func (p *past) SetRows(_ context.Context, remove, add []ledger.Row) error {
	for part := range chunks(remove) {
		places := make([][]any, len(part))
		for i, r := range part {
			places[i] = []any{r.Seq, r.Seat}
		}
		if err := p.tx.Where("(seq, seat) IN ?", places).Delete(&ratingRow{}).Error; err != nil {
			return about("remove rating rows", err)
		}
	}
	if len(add) == 0 {
		return nil
	}
	err := p.tx.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(toRatingRows(add), inserts).Error
	return about("write rating rows", err)
}

// SetStandings removes current ratings and sets others.
func (p *past) SetStandings(_ context.Context, remove, add []ledger.Standing) error {
	for _, s := range remove {
		if err := p.tx.Delete(&currentRow{}, "list = ? AND player_id = ?", s.List, s.PlayerID).Error; err != nil {
			return about("remove current ratings", err)
		}
	}
	if len(add) == 0 {
		return nil
	}
	rows := make([]currentRow, len(add))
	for i, s := range add {
		rows[i] = currentRow{
			List: s.List, PlayerID: s.PlayerID, Value: s.Rating.Value, Games: s.Rating.Games, Reached: s.Rating.Reached2400,
			Seq: s.Seq, LastAt: s.LastAt, Deviation: s.Rating.Deviation, Volatility: s.Rating.Volatility, Unrated: s.Rating.Unrated,
			Period: periodColumn{s.Rating.Period},
		}
	}
	return about("write current ratings", p.tx.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(rows, inserts).Error)
}

// SetSums replaces the sums of all lists.
func (p *past) SetSums(_ context.Context, sums []ledger.Sum) error {
	if err := p.tx.Where("1 = 1").Delete(&listRow{}).Error; err != nil {
		return about("remove the sums of lists", err)
	}
	if len(sums) == 0 {
		return nil
	}
	rows := make([]listRow, len(sums))
	for i, s := range sums {
		rows[i] = listRow(s)
	}
	return about("write the sums of lists", p.tx.Create(&rows).Error)
}
