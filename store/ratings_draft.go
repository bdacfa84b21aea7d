package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/rating/ledger"
)

// SetRows removes rating rows by their places and adds others.
func (p *past) SetRows(ctx context.Context, remove, add []ledger.Row) error {
	for part := range chunks(remove) {
		places := make([][]any, len(part))
		for i, r := range part {
			places[i] = []any{r.Seq, r.Seat}
		}
		if err := p.tx.Where("(seq, seat) IN ?", places).Delete(&ratingRow{}).Error; err != nil {
			return about("remove rating rows", err)
		}
	}
	for part := range slices.Chunk(add, rowsOfInsert) {
		if err := addRatings(ctx, p.tx, part); err != nil {
			return about("write rating rows", err)
		}
	}
	return nil
}

// rowsOfInsert is how many rating rows one statement writes. Few texts of statements, so that each is prepared once.
const rowsOfInsert = 128

// insertRatings returns the statement that writes so many rows.
var insertRatings = func() func(rows int) string {
	names := columnsOf(&ratingRow{})
	row := func(n int) string {
		params := make([]string, len(names))
		for i := range params {
			params[i] = "$" + strconv.Itoa(n*len(names)+i+1)
		}
		return "(" + strings.Join(params, ", ") + ")"
	}
	values := make([]string, rowsOfInsert)
	for n := range values {
		values[n] = row(n)
	}
	var set []string
	for _, name := range names {
		if name != "game_id" && name != "player_id" {
			set = append(set, `"`+name+`" = excluded."`+name+`"`)
		}
	}
	before := `INSERT INTO rating_rows ("` + strings.Join(names, `", "`) + `") VALUES `
	after := " ON CONFLICT (game_id, player_id) DO UPDATE SET " + strings.Join(set, ", ")
	full := before + strings.Join(values, ", ") + after
	return func(rows int) string {
		if rows == rowsOfInsert {
			return full
		}
		return before + strings.Join(values[:rows], ", ") + after
	}
}()

// addRatings writes rating rows past gorm, which costs more than the statement.
func addRatings(ctx context.Context, tx *gorm.DB, rows []ledger.Row) error {
	b := &batch{}
	for i := range rows {
		row := toRatingRow(rows[i])
		b.insert(addRating, &row)
	}
	args := make([]any, len(b.args))
	for i := range b.args {
		args[i] = b.args[i].Value
	}
	_, err := tx.Statement.ConnPool.ExecContext(ctx, insertRatings(len(rows)), args...)
	return err
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
