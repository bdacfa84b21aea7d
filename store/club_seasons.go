package store

import (
	"context"

	"quatuor/store/internal/db"
	"quatuor/tournament/series"
)

// seasonRow is a row of seasons. It has the fields of [series.Season].
type seasonRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	Organiser string
	From      string              `gorm:"column:first_day"`
	To        string              `gorm:"column:last_day"`
	Parts     []series.SeasonPart `gorm:"serializer:text"`
	Rules     series.Rules        `gorm:"serializer:text"`
	CreatedAt int64               `gorm:"autoCreateTime:false"`
	Version   int64
}

func (seasonRow) TableName() string { return "seasons" }

func (r *seasonRow) season() series.Season { return series.Season(*r) }

// ListSeasons returns the seasons, the latest first.
func (s *Seasons) ListSeasons(ctx context.Context) ([]series.Season, error) {
	query := s.s.reads.WithContext(ctx).Order("first_day DESC, id DESC").Limit(maxSeasons)
	return db.List("list seasons", query, (*seasonRow).season)
}

// Season returns a season, or series.ErrNoSeason.
func (s *Seasons) Season(ctx context.Context, id string) (series.Season, error) {
	var row seasonRow
	err := s.s.reads.WithContext(ctx).Take(&row, "id = ?", id).Error
	return row.season(), db.Promised("read a season", err, series.ErrNoSeason)
}

// SaveSeason writes a season; see [Seasons.SaveSeries].
func (s *Seasons) SaveSeason(ctx context.Context, p series.Season) error {
	row := seasonRow(p)
	row.Version++
	return saveVersion(ctx, s.s, "save a season", &row, p.Version, "name", "first_day", "last_day", "parts", "rules", "version")
}

// DeleteSeason deletes a season if its stored version is version; else club.ErrStale.
func (s *Seasons) DeleteSeason(ctx context.Context, id string, version int64) error {
	return deleteVersion(ctx, s.s, "delete a season", &seasonRow{ID: id}, version)
}
