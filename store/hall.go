package store

import (
	"errors"
	"fmt"
	"reflect"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	records "quatuor/engine/record"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/tournament"
)

// hallRecordRow is the record of a game in the hall, under the digest of its text.
type hallRecordRow struct {
	TournamentID string `gorm:"primaryKey"`
	Digest       string `gorm:"primaryKey"`
	Text         string
}

func (hallRecordRow) TableName() string { return "hall_records" }

func hallRecord(tx *gorm.DB, id, digest string) (string, error) {
	var row hallRecordRow
	err := tx.Take(&row, "tournament_id = ? AND digest = ?", id, digest).Error
	return row.Text, err
}

func writeHallRecords(tx *gorm.DB, id string, d tournament.Delta) error {
	for _, r := range d.Records {
		row := hallRecordRow{id, r.Digest, r.Text}
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
			return err
		}
	}
	return nil
}

// writeHallGames puts the games in the hall of the pairings that a change wrote in step with their results: each has a
// row and a log from its first result on, which follow corrections, and rows in the outbox for the ratings.
func writeHallGames(tx *gorm.DB, t *tournament.Tournament, d tournament.Delta) error {
	at := changedAt(d)
	for _, r := range d.Rounds {
		for _, p := range r.Pairings {
			if err := writeHallGame(tx, t, r.Number, p, at); err != nil {
				return err
			}
		}
	}
	for _, p := range d.Pairings {
		if err := writeHallGame(tx, t, p.Round, p.Pairing, at); err != nil {
			return err
		}
	}
	return nil
}

// changedAt returns the time of a change.
func changedAt(d tournament.Delta) (at int64) {
	for _, c := range d.Changes {
		at = max(at, c.At)
	}
	for _, a := range d.Acts {
		at = max(at, a.At)
	}
	return at
}

func writeHallGame(tx *gorm.DB, t *tournament.Tournament, round int, p tournament.Pairing, at int64) error {
	if p.HallGame == "" {
		return nil
	}
	var stored gameRow
	err := tx.Take(&stored, "id = ?", p.HallGame).Error
	known := err == nil
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound) && !countsAsPlayed(p):
		return nil
	case errors.Is(err, gorm.ErrRecordNotFound):
	case err != nil:
		return err
	default:
		at = stored.FinishedAt // it keeps its place
	}
	game, lines, err := buildHallGame(tx, t, round, p, at)
	if err != nil {
		return err
	}
	if known && reflect.DeepEqual(stored, toGameRow(&game)) && !recordMayDiffer(&stored, p) {
		return nil
	}
	if err := replaceGame(tx, &game, lines); err != nil {
		return err
	}
	return correctOutbox(tx, &game, lines)
}

// countsAsPlayed reports whether a pairing has the result of a game that was played.
func countsAsPlayed(p tournament.Pairing) bool {
	return p.Result != nil && !p.Result.Forfeit && p.Result.Ranks != nil
}

// recordMayDiffer reports whether two logs of a game may differ though its row is the same.
func recordMayDiffer(stored *gameRow, p tournament.Pairing) bool {
	return stored.Plies > 0 || p.Record != ""
}

// buildHallGame returns the game in the hall of a pairing, as its result and its record say.
func buildHallGame(tx *gorm.DB, t *tournament.Tournament, round int, p tournament.Pairing, at int64) (table.Game, []table.Line, error) {
	h := table.HallGame{
		ID: p.HallGame, Variant: t.Variant, Players: t.Players(p), Control: t.TimeControl, Options: t.Options,
		Place: table.Place{ID: t.ID, Round: round, Board: p.Board}, At: at,
	}
	if countsAsPlayed(p) {
		h.Ranks, h.Rated = t.GameRanks(p), p.Result.Rated
	}
	if p.Record != "" {
		text, err := hallRecord(tx, t.ID, p.Record)
		if err != nil {
			return table.Game{}, nil, fmt.Errorf("the record of round %d, board %d: %w", round, p.Board, err)
		}
		r, err := records.Parse(text)
		if err != nil {
			return table.Game{}, nil, err
		}
		h.SeedHex = r.Chance.Seed
		if h.Tokens, err = r.Tokens(); err != nil {
			return table.Game{}, nil, err
		}
	}
	return h.Build()
}

// replaceGame writes a game that is over with its log, in the place of what was stored of it.
func replaceGame(tx *gorm.DB, g *table.Game, lines []table.Line) error {
	row := toGameRow(g)
	if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
		return err
	}
	if err := tx.Where("game_id = ?", g.ID).Delete(&lineRow{}).Error; err != nil {
		return err
	}
	rows := make([]*lineRow, len(lines))
	for i := range lines {
		rows[i] = toLineRow(g.ID, &lines[i])
	}
	if err := tx.CreateInBatches(rows, db.Inserts).Error; err != nil {
		return err
	}
	if err := tx.Where("game_id = ?", g.ID).Delete(&gamePlayerRow{}).Error; err != nil {
		return err
	}
	players := playersOf(g)
	return tx.CreateInBatches(players, db.Inserts).Error
}

// correctOutbox adds the game's row to the outbox, or one that takes the place of those before it. It adds none if the
// last one says the same.
func correctOutbox(tx *gorm.DB, g *table.Game, lines []table.Line) error {
	row, err := outbox.RowOf(g, table.MovedIn(lines), 0)
	if err != nil {
		return err
	}
	var earlier []outbox.Row
	if err := tx.Where("game_id = ?", g.ID).Order("revision").Find(&earlier).Error; err != nil {
		return err
	}
	if n := len(earlier); n > 0 {
		last := earlier[n-1]
		row.Seq, row.Corrects, row.Revision = last.Seq, last.Corrects, last.Revision
		if reflect.DeepEqual(row, last) {
			return nil
		}
		row.Corrects, row.Revision = earlier[0].Seq, n
	}
	if err := outbox.Lock(tx); err != nil {
		return err
	}
	if row.Seq, err = outbox.LastPlace(tx); err != nil {
		return err
	}
	row.Seq++
	return tx.Create(&row).Error
}
