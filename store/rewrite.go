package store

import (
	"context"
	"path/filepath"

	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/store/internal/sqlite"
)

// Rewrite rewrites SQLite's file without the room that deleted persons have left in it: SQLite does not overwrite
// deleted data, nor data moved within its pages, so that names could be read from the file with other tools. It does
// nothing if no person was deleted since it last succeeded, and nothing on PostgreSQL, which frees room by itself.
// Writes wait while it works, which takes about a second for 50 MiB.
func (s *Store) Rewrite(ctx context.Context) error {
	if s.dir == "" {
		return nil
	}
	var due []int64
	if err := s.reads.WithContext(ctx).Model(&erasureRow{}).Pluck("number", &due).Error; err != nil || len(due) == 0 {
		return db.About("look for what is to be rewritten", err)
	}
	if err := sqlite.Vacuum(ctx, filepath.Join(s.dir, databaseFile)); err != nil {
		return db.About("rewrite the database file", err)
	}
	return db.About("note that the file was rewritten", s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Delete(&erasureRow{}, "number IN ?", due).Error
	}))
}
