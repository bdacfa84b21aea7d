package store

import (
	"quatuor/rating"
	"quatuor/rating/ledger"
)

// ratingRow is a row of rating_rows: what one game did to one player.
type ratingRow struct {
	GameID      string `gorm:"primaryKey"`
	PlayerID    string `gorm:"primaryKey"`
	List        string
	Seat        int
	Seq         int64
	System      string
	ValueBefore float64
	ValueAfter  float64
	Change      float64
	Expected    float64
	Score       float64
	GamesAfter  int
	K           float64
	Reached     bool
	At          int64
}

func (ratingRow) TableName() string { return "rating_rows" }

func toRatingRow(r ledger.Row) ratingRow {
	return ratingRow{
		GameID: r.GameID, PlayerID: r.PlayerID, List: r.List, Seat: r.Seat, Seq: r.Seq, System: r.System,
		ValueBefore: r.Before, ValueAfter: r.After, Change: r.Change, Expected: r.Expected, Score: r.Score,
		GamesAfter: r.GamesAfter, K: r.K, Reached: r.Reached, At: r.At,
	}
}

func (r *ratingRow) row() ledger.Row {
	return ledger.Row{
		GameID: r.GameID, PlayerID: r.PlayerID, List: r.List, Seat: r.Seat, Seq: r.Seq, System: r.System,
		Before: r.ValueBefore, After: r.ValueAfter, Change: r.Change, Expected: r.Expected, Score: r.Score,
		GamesAfter: r.GamesAfter, K: r.K, Reached: r.Reached, At: r.At,
	}
}

func toRatingRows(rows []ledger.Row) []ratingRow {
	stored := make([]ratingRow, len(rows))
	for i, r := range rows {
		stored[i] = toRatingRow(r)
	}
	return stored
}

func toRows(stored []ratingRow) []ledger.Row {
	rows := make([]ledger.Row, len(stored))
	for i := range stored {
		rows[i] = stored[i].row()
	}
	return rows
}

// currentRow is a row of current_ratings: a player's last row in a list.
type currentRow struct {
	List     string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	Value    float64
	Games    int
	Reached  bool
	Seq      int64
	LastAt   int64
}

func (currentRow) TableName() string { return "current_ratings" }

func (r *currentRow) rating() rating.Rating {
	return rating.Rating{Value: r.Value, Games: r.Games, Reached2400: r.Reached}
}

// listRow is a row of rating_lists.
type listRow struct {
	List   string `gorm:"primaryKey"`
	Games  int
	LastAt int64
}

func (listRow) TableName() string { return "rating_lists" }
