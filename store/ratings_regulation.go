package store

import (
	"context"
	"database/sql/driver"
	"encoding/json"

	"gorm.io/gorm"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

// Regulation returns the regulation that the stored ratings follow, "" for the first one, and the lists that have any.
func (s *Ratings) Regulation(ctx context.Context) (regulation string, lists []string, err error) {
	reads := s.s.reads.WithContext(ctx)
	var row cursorRow
	if err := reads.Take(&row, "consumer = ?", ofRatings).Error; err != nil {
		return "", nil, about("read the regulation of the ratings", err)
	}
	err = reads.Model(&listRow{}).Order("list").Pluck("list", &lists).Error
	return row.Regulation, lists, about("read rating lists", err)
}

// Adopt puts one regulation in the place of another that the stored ratings follow, and changes nothing else;
// ledger.ErrRegulation if they follow a third.
func (s *Ratings) Adopt(ctx context.Context, from, to string) error {
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		r := tx.Model(&cursorRow{}).Where("consumer = ? AND regulation = ?", ofRatings, from).Update("regulation", to)
		if r.Error == nil && r.RowsAffected == 0 {
			return ledger.ErrRegulation
		}
		return r.Error
	})
	return about("change the regulation of the ratings", err)
}

// move moves the ratings cursor if it stands at a place and what is stored follows the regulation, and reports whether it
// did.
func (s *Ratings) move(tx *gorm.DB, from, to int64) (bool, error) {
	if s.adopting {
		return moveCursor(tx, ofRatings, to, "seq = ?", from)
	}
	return moveCursor(tx, ofRatings, to, "seq = ? AND regulation = ?", from, s.s.regulation)
}

// refused says why a write was refused.
func (s *Ratings) refused(ctx context.Context) error {
	stored, _, err := s.Regulation(ctx)
	switch {
	case err != nil:
		return err
	case stored != s.s.regulation && !s.adopting:
		return ledger.ErrRegulation
	}
	return ledger.ErrBehind
}

// Meetings counts the recorded games of a list between two players on different sides; see [ledger.Store].
func (s *Ratings) Meetings(ctx context.Context, list string, players [2]string, from, until, before int64) (n int, err error) {
	var games []struct {
		Seats, Others int
		Sides         jsonOf[[]int]
	}
	err = s.s.reads.WithContext(ctx).Raw(`SELECT a.seat AS seats, b.seat AS others, o.sides AS sides
		FROM rating_rows a JOIN rating_rows b ON b.game_id = a.game_id AND b.player_id = ? JOIN outbox o ON o.seq = a.seq
		WHERE a.list = ? AND a.player_id = ? AND a.seq < ? AND a.at >= ? AND a.at < ?`,
		players[1], list, players[0], before, from, until).Scan(&games).Error
	for _, g := range games {
		if g.Sides.v[g.Seats-1] != g.Sides.v[g.Others-1] {
			n++
		}
	}
	return n, about("count games between two players", err)
}

// Games returns finished games with their rows; see [ledger.Reader].
func (s *Ratings) Games(ctx context.Context, gameIDs []string) (map[string]ledger.RatedGame, error) {
	games := map[string]ledger.RatedGame{}
	marks, err := s.standing(ctx)
	if err != nil {
		return nil, err
	}
	reads := s.s.reads.WithContext(ctx)
	for part := range chunks(gameIDs) {
		var told []outboxRow
		if err := reads.Where("game_id IN ?", part).Order("seq").Find(&told).Error; err != nil {
			return nil, about("read finished games", err)
		}
		for i := range told { // of several, the last one counts
			games[told[i].GameID] = ledger.RatedGame{Finished: marks.in(&told[i])}
		}
		var rows []ratingRow
		if err := reads.Where("game_id IN ?", part).Order("game_id, seat").Find(&rows).Error; err != nil {
			return nil, about("read what games did to ratings", err)
		}
		for i := range rows {
			g := games[rows[i].GameID]
			g.Rows = append(g.Rows, rows[i].row())
			games[rows[i].GameID] = g
		}
	}
	return games, nil
}

// periodColumn is a period of a rating as JSON. Most systems have none.
type periodColumn struct{ v rating.Period }

// noPeriod is how no period is stored.
const noPeriod = "{}"

// Value returns the text.
func (c periodColumn) Value() (driver.Value, error) {
	if c.v == (rating.Period{}) {
		return noPeriod, nil
	}
	text, err := json.Marshal(c.v)
	return string(text), err
}

// Scan reads the text.
func (c *periodColumn) Scan(src any) error {
	c.v = rating.Period{}
	if src == noPeriod {
		return nil
	}
	return scanJSON(src, &c.v)
}

// GormDataType returns text.
func (periodColumn) GormDataType() string { return "text" }
