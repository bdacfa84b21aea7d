package store

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
)

// originalRow is a row of tournament_originals.
type originalRow struct {
	TournamentID string `gorm:"primaryKey"`
	Report       []byte
	Entries      jsonOf[[]string]
}

func (originalRow) TableName() string { return "tournament_originals" }

// Import stores a tournament that was started elsewhere, as version 1, with its players and the file that it came from.
func (s *Tournaments) Import(ctx context.Context, t *tournament.Tournament, with director.Imported) error {
	t.Version = 1
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := createTournament(tx, t); err != nil {
			return err
		}
		if len(with.Players) > 0 {
			players := make([]playerRow, len(with.Players))
			for i := range with.Players {
				players[i] = toPlayerRow(with.Players[i])
			}
			if err := tx.CreateInBatches(players, inserts).Error; err != nil {
				return err
			}
		}
		original := originalRow{t.ID, with.Original.Text, jsonOf[[]string]{with.Original.Entries}}
		if err := tx.Create(&original).Error; err != nil {
			return err
		}
		return writeActs(tx, t.ID, tournament.Delta{Acts: []tournament.Act{with.Act}})
	})
	return about("import a tournament", err)
}

// Original gives the file from which a tournament was taken over, or tournament.ErrNotFound.
func (s *Tournaments) Original(ctx context.Context, id string) (*exchange.Original, error) {
	var row originalRow
	err := s.s.reads.WithContext(ctx).Take(&row, "tournament_id = ?", id).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, tournament.ErrNotFound
	}
	return &exchange.Original{Text: row.Report, Entries: row.Entries.v}, about("read the file of a tournament", err)
}
