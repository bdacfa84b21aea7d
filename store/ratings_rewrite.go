package store

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

// Before returns the ratings in one list as they were before a place in the outbox.
func (s *Ratings) Before(ctx context.Context, seq int64, list string, players []string) (map[string]rating.Rating, error) {
	reads := s.s.reads.WithContext(ctx)
	before := map[string]rating.Rating{}
	for part := range chunks(players) {
		if err := givenIn(reads, list, part, before); err != nil {
			return nil, about("read given ratings", err)
		}
		rows, err := lastBefore(reads, seq, list, part)
		if err != nil {
			return nil, about("read earlier ratings", err)
		}
		for i := range rows {
			before[rows[i].PlayerID] = rows[i].row().Rating()
		}
	}
	return before, nil
}

// givenIn adds the ratings in a list that players were entered with.
func givenIn(reads *gorm.DB, list string, players []string, to map[string]rating.Rating) error {
	var given []playerRow
	if err := reads.Select("id", "rating", "deviation").Where("id IN ?", players).Find(&given).Error; err != nil {
		return err
	}
	for i := range given {
		if r, ok := given[i].given(list); ok {
			to[given[i].ID] = r
		}
	}
	return nil
}

// lastBefore returns the last rows of players in a list before a place in the outbox.
func lastBefore(tx *gorm.DB, seq int64, list string, players []string) (rows []ratingRow, err error) {
	err = tx.Where("list = ? AND player_id IN ?", list, players).Where(`seq = (SELECT max(earlier.seq) FROM rating_rows earlier
		WHERE earlier.list = rating_rows.list AND earlier.player_id = rating_rows.player_id AND earlier.seq < ?)`, seq).
		Find(&rows).Error
	return rows, err
}

// Rewrite moves the ratings cursor from one place to another, and puts rows in the place of those of some lists from a
// start on; ledger.ErrBehind if the cursor is not at from.
func (s *Ratings) Rewrite(ctx context.Context, from, to, start int64, lists []string, rows []ledger.Row) error {
	stored := toRatingRows(rows)
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
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
	return about("correct ratings", err)
}

// rewriteList replaces the rows of a list from a start on by those of the list among rows, and updates the current ratings
// and the sum that follow from them.
func rewriteList(tx *gorm.DB, list string, start int64, rows []ratingRow) error {
	var players []string
	from := tx.Model(&ratingRow{}).Where("seq >= ? AND list = ?", start, list)
	if err := from.Distinct("player_id").Pluck("player_id", &players).Error; err != nil {
		return err
	}
	if err := tx.Where("seq >= ? AND list = ?", start, list).Delete(&ratingRow{}).Error; err != nil {
		return err
	}
	var ofList []ratingRow
	for i := range rows {
		if rows[i].List == list {
			ofList = append(ofList, rows[i])
			players = append(players, rows[i].PlayerID)
		}
	}
	if len(ofList) > 0 {
		if err := tx.CreateInBatches(ofList, inserts).Error; err != nil {
			return err
		}
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
	for part := range chunks(players) {
		if err := tx.Where("list = ? AND player_id IN ?", list, part).Delete(&currentRow{}).Error; err != nil {
			return err
		}
		last, err := lastBefore(tx, afterAll, list, part)
		if err != nil {
			return err
		}
		if len(last) == 0 {
			continue
		}
		if err := tx.CreateInBatches(lastRows(last), inserts).Error; err != nil {
			return err
		}
	}
	return nil
}

// recountList puts the sum of a list in step with its rows.
func recountList(tx *gorm.DB, list string) error {
	if err := tx.Where("list = ?", list).Delete(&listRow{}).Error; err != nil {
		return err
	}
	sum := listRow{List: list}
	err := tx.Model(&ratingRow{}).Select("count(DISTINCT game_id) AS games, coalesce(max(at), 0) AS last_at").Where("list = ?", list).
		Row().Scan(&sum.Games, &sum.LastAt)
	if err != nil || sum.Games == 0 {
		return err
	}
	return tx.Create(&sum).Error
}
