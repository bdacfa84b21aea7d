package store

import (
	"cmp"
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/tournament/club"
	"quatuor/tournament/ladder"
)

// ladderRow is a row of ladders. It has the fields of [ladder.Settings].
type ladderRow struct {
	ID          string `gorm:"primaryKey"`
	Name        string
	Organiser   string
	Variant     string
	TimeControl string
	Hall        bool
	Rated       bool
	Rules       ladder.Rules `gorm:"serializer:text"`
	CreatedAt   int64        `gorm:"autoCreateTime:false"`
	Version     int64
}

func (ladderRow) TableName() string { return "ladders" }

func (r *ladderRow) settings() ladder.Settings { return ladder.Settings(*r) }

type ladderActRow struct {
	LadderID string         `gorm:"primaryKey"`
	Act      ladderActParts `gorm:"embedded"`
}

// ladderActParts has the fields of [ladder.Act].
type ladderActParts struct {
	N         int `gorm:"primaryKey;autoIncrement:false"`
	At        int64
	Kind      ladder.Kind
	Challenge string
	Player    string
	Other     string
	Score     float64
	Game      string
	Until     int64
	By        string
}

func (ladderActRow) TableName() string { return "ladder_acts" }

func (r *ladderActRow) act() ladder.Act { return ladder.Act(r.Act) }

// ListLadders returns the ladders, the newest first.
func (s *Seasons) ListLadders(ctx context.Context) ([]ladder.Settings, error) {
	query := s.s.reads.WithContext(ctx).Order("created_at DESC, id DESC").Limit(maxSeasons)
	return db.List("list ladders", query, (*ladderRow).settings)
}

// Ladder returns a ladder and its acts, oldest first; or ladder.ErrNotFound.
func (s *Seasons) Ladder(ctx context.Context, id string) (ladder.Settings, []ladder.Act, error) {
	var row ladderRow
	var acts []ladderActRow
	err := s.s.snapshot(ctx, func(tx *gorm.DB) error {
		if err := tx.Take(&row, "id = ?", id).Error; err != nil {
			return err
		}
		return tx.Where("ladder_id = ?", id).Order("n").Find(&acts).Error
	})
	return row.settings(), db.Map(acts, (*ladderActRow).act), db.Promised("read a ladder", err, ladder.ErrNotFound)
}

// LadderEdition returns the edition of a ladder; or ladder.ErrNotFound.
func (s *Seasons) LadderEdition(ctx context.Context, id string) (e ladder.Edition, err error) {
	err = s.s.reads.WithContext(ctx).Model(&ladderRow{}).
		Select("version, created_at, (SELECT coalesce(max(n), 0) FROM ladder_acts WHERE ladder_id = ladders.id) AS acts").
		Where("id = ?", id).Take(&e).Error
	return e, db.Promised("read a ladder", err, ladder.ErrNotFound)
}

// CreateLadder stores a ladder; a second ladder of the same id is not stored.
func (s *Seasons) CreateLadder(ctx context.Context, l ladder.Settings) error {
	row := ladderRow(l)
	row.Version = 1
	return saveVersion(ctx, s.s, "create a ladder", &row, 0)
}

// SaveLadder writes a ladder's name; see [Seasons.SaveSeries].
func (s *Seasons) SaveLadder(ctx context.Context, l ladder.Settings) error {
	row := ladderRow(l)
	row.Version++
	return saveVersion(ctx, s.s, "save a ladder", &row, l.Version, "name", "version")
}

// DeleteLadder deletes a ladder and its participants if its stored version is version; else club.ErrStale. A ladder
// with a challenge stays: ladder.ErrPlayed.
func (s *Seasons) DeleteLadder(ctx context.Context, id string, version int64) error {
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := lockLadder(tx.Where("version = ?", version), clause.LockingStrengthUpdate, id); err != nil {
			return err
		}
		acts := tx.Where("ladder_id = ?", id).Session(&gorm.Session{})
		played, err := db.Any(acts.Model(&ladderActRow{}).Where("kind = ?", ladder.ActChallenge))
		if err == nil && played {
			err = ladder.ErrPlayed
		}
		if err == nil {
			err = acts.Delete(&ladderActRow{}).Error
		}
		if err != nil {
			return err
		}
		return tx.Delete(&ladderRow{ID: id}).Error
	})
	return db.Promised("delete a ladder", err, club.ErrStale, ladder.ErrPlayed)
}

// lockLadder keeps others from deleting a ladder, or with the strength for updates from doing anything on it, until the
// transaction ends.
func lockLadder(tx *gorm.DB, strength, id string) error {
	return tx.Clauses(clause.Locking{Strength: strength}).Select("id").Take(&ladderRow{}, "id = ?", id).Error
}

// AddActs stores acts, all or none; ladder.ErrStale if there are others of their numbers, or ladder.ErrNotFound.
func (s *Seasons) AddActs(ctx context.Context, id string, acts []ladder.Act) error {
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := lockLadder(tx, clause.LockingStrengthShare, id); err != nil {
			return err
		}
		for _, act := range acts {
			if err := tx.Create(&ladderActRow{id, ladderActParts(act)}).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if db.Duplicate(err) {
		return ladder.ErrStale
	}
	return db.Promised("add to a ladder", err, ladder.ErrNotFound)
}

// Games returns the existing games among some ids.
func (s *Seasons) Games(ctx context.Context, ids []string) ([]ladder.Game, error) {
	var all []ladder.Game
	for part := range db.Chunks(ids) {
		query := games(s.s.reads.WithContext(ctx)).Where("games.id IN ?", part)
		found, err := db.List("read the games of a ladder", query, (*gameRow).onLadder)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// onLadder returns a game between the defender of a challenge, at seat 1, and the challenger.
func (r *gameRow) onLadder() ladder.Game {
	g := r.game()
	end := ladder.Game{ID: g.ID, Over: g.Status.Over(), At: g.FinishedAt}
	if g.Status != table.Finished {
		end.NoClock = g.StartedAt == 0 && g.Invited.Has(1) && !g.Invited.Has(2)
		return end
	}
	if g.Outcome == nil || g.Outcome.Void() {
		return end
	}
	end.Counts = true
	switch cmp.Compare(g.Outcome.Ranks[0], g.Outcome.Ranks[1]) {
	case 0:
		end.Score = 0.5
	case 1:
		end.Score = 1
	}
	return end
}

// UnopenedLadders returns the ids of ladders with games that were to be opened and are not there.
func (s *Seasons) UnopenedLadders(ctx context.Context) (ids []string, err error) {
	err = s.s.reads.WithContext(ctx).Model(&ladderActRow{}).Distinct().Order("ladder_id").
		Where("kind = ? AND NOT EXISTS (SELECT 1 FROM games WHERE games.id = ladder_acts.game)", ladder.ActGame).
		Pluck("ladder_id", &ids).Error
	return ids, db.About("look for games of ladders that were not opened", err)
}

// checkLadders refuses to merge two that have been on the same ladder.
func (m *merging) checkLadders() error {
	met, err := db.Any(m.tx.Model(&ladderActRow{}).Where("player = ? AND ladder_id IN (?)", m.Keep,
		m.tx.Model(&ladderActRow{}).Select("ladder_id").Where("player = ?", m.Gone)))
	if err == nil && met {
		return club.ErrMergeMet
	}
	return err
}

func (m *merging) moveLadders() error {
	for _, column := range []string{"player", "other"} {
		if err := m.tx.Model(&ladderActRow{}).Where(column+" = ?", m.Gone).Update(column, m.Keep).Error; err != nil {
			return err
		}
	}
	of := m.tx.Model(&ladderActRow{}).Where("player = ? OR other = ?", m.Keep, m.Keep).Select("ladder_id")
	return m.tx.Model(&ladderRow{}).Where("id IN (?)", of).Update("version", gorm.Expr("version + 1")).Error
}

// leaveLadders takes a person that is deleted off all ladders.
func (e *erasing) leaveLadders() error {
	if e.Player == "" {
		return nil
	}
	var rows []ladderActRow
	err := e.tx.Where("player = ? AND kind IN ?", e.Player, []ladder.Kind{ladder.ActJoin, ladder.ActLeave}).
		Order("ladder_id, n").Find(&rows).Error
	if err != nil {
		return err
	}
	for i, row := range rows {
		if row.Act.Kind == ladder.ActLeave || i+1 < len(rows) && rows[i+1].LadderID == row.LadderID {
			continue
		}
		err := lockLadder(e.tx, clause.LockingStrengthShare, row.LadderID)
		if errors.Is(err, gorm.ErrRecordNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		var last ladderActRow
		if err := e.tx.Where("ladder_id = ?", row.LadderID).Order("n DESC").Take(&last).Error; err != nil {
			return err
		}
		act := ladderActParts{N: last.Act.N + 1, At: max(e.At, last.Act.At), Kind: ladder.ActLeave, Player: e.Player}
		if err := e.tx.Create(&ladderActRow{row.LadderID, act}).Error; err != nil {
			return err
		}
	}
	return nil
}
