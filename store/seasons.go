package store

import (
	"context"

	"gorm.io/gorm"
	"quatuor/store/internal/db"
	"quatuor/tournament/club"
	"quatuor/tournament/series"
)

// Seasons stores ladders, leagues, series and seasons.
type Seasons struct{ s *Store }

// Seasons returns the store of series.
func (s *Store) Seasons() *Seasons { return &Seasons{s} }

// seriesRow is a row of series. It has the fields of [series.Settings].
type seriesRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	Organiser string
	Parts     []series.Part `gorm:"serializer:text"`
	Rules     series.Rules  `gorm:"serializer:text"`
	CreatedAt int64         `gorm:"autoCreateTime:false"`
	Version   int64
}

func (seriesRow) TableName() string { return "series" }

func (r *seriesRow) settings() series.Settings { return series.Settings(*r) }

// maxSeasons is the maximum of ladders, leagues, series or seasons in a list.
const maxSeasons = 200

// ListSeries returns the series, the newest first.
func (s *Seasons) ListSeries(ctx context.Context) ([]series.Settings, error) {
	query := s.s.reads.WithContext(ctx).Order("created_at DESC, id DESC").Limit(maxSeasons)
	return db.List("list series", query, (*seriesRow).settings)
}

// Series returns a series, or series.ErrNotFound.
func (s *Seasons) Series(ctx context.Context, id string) (series.Settings, error) {
	var row seriesRow
	err := s.s.reads.WithContext(ctx).Take(&row, "id = ?", id).Error
	return row.settings(), db.Promised("read a series", err, series.ErrNotFound)
}

// SaveSeries writes a series, with the next version, if the stored version is its own; else club.ErrStale. A series of
// version 0 is new; a second series of the same id is not stored.
func (s *Seasons) SaveSeries(ctx context.Context, p series.Settings) error {
	row := seriesRow(p)
	row.Version++
	return saveVersion(ctx, s.s, "save a series", &row, p.Version, "name", "parts", "rules", "version")
}

// DeleteSeries deletes a series if its stored version is version; else club.ErrStale.
func (s *Seasons) DeleteSeries(ctx context.Context, id string, version int64) error {
	return deleteVersion(ctx, s.s, "delete a series", &seriesRow{ID: id}, version)
}

// saveVersion writes these columns of a row if the stored version is from; else club.ErrStale. A row from version 0 is
// new; a second row of the same key is not stored.
func saveVersion[R any](ctx context.Context, s *Store, what string, row *R, from int64, columns ...string) error {
	err := s.backend.write(ctx, func(tx *gorm.DB) error { return writeVersion(tx, row, from, columns...) })
	return db.Keep(what, err, club.ErrStale)
}

// writeVersion is saveVersion within a transaction.
func writeVersion[R any](tx *gorm.DB, row *R, from int64, columns ...string) error {
	if from == 0 {
		return db.CreateMissing(tx, *row)
	}
	return db.Changed(tx.Model(row).Where("version = ?", from).Select(columns).Updates(row), club.ErrStale)
}

// deleteVersion deletes the row of a key if its stored version is version; else club.ErrStale.
func deleteVersion[R any](ctx context.Context, s *Store, what string, row *R, version int64) error {
	err := s.backend.write(ctx, func(tx *gorm.DB) error {
		return db.Changed(tx.Where("version = ?", version).Delete(row), club.ErrStale)
	})
	return db.Keep(what, err, club.ErrStale)
}

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
