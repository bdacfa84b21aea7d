package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/league"
)

// leagueRow is a row of leagues. It has the fields of [league.Settings].
type leagueRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	Organiser string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	Version   int64
}

func (leagueRow) TableName() string { return "leagues" }

func (r *leagueRow) settings() league.Settings { return league.Settings(*r) }

// leagueSeasonRow is a row of league_seasons. It has the fields of [league.Plan].
type leagueSeasonRow struct {
	League    string       `gorm:"primaryKey;column:league_id"`
	Number    int          `gorm:"primaryKey;autoIncrement:false"`
	State     league.State `gorm:"serializer:text"`
	Confirmed bool
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	Version   int64
}

func (leagueSeasonRow) TableName() string { return "league_seasons" }

func (r *leagueSeasonRow) plan() league.Plan { return league.Plan(*r) }

// ListLeagues returns the leagues, the newest first: those with a season that is confirmed, and those of an organiser.
func (s *Seasons) ListLeagues(ctx context.Context, organiser string) ([]league.Settings, error) {
	query := s.s.reads.WithContext(ctx).Order("created_at DESC, id DESC").Limit(maxSeasons).
		Where("organiser = ? OR id IN (SELECT league_id FROM league_seasons WHERE confirmed)", organiser)
	return db.List("list leagues", query, (*leagueRow).settings)
}

// League returns a league and its seasons, from the first on; or league.ErrNotFound.
func (s *Seasons) League(ctx context.Context, id string) (league.Settings, []league.Plan, error) {
	var row leagueRow
	var seasons []leagueSeasonRow
	err := s.s.snapshot(ctx, func(tx *gorm.DB) error {
		if err := tx.Take(&row, "id = ?", id).Error; err != nil {
			return err
		}
		return tx.Where("league_id = ?", id).Order("number").Find(&seasons).Error
	})
	return row.settings(), db.Map(seasons, (*leagueSeasonRow).plan), db.Promised("read a league", err, league.ErrNotFound)
}

// CreateLeague stores a league with its first season; a second league of the same id is not stored.
func (s *Seasons) CreateLeague(ctx context.Context, l league.Settings, first league.Plan) error {
	row, season := leagueRow(l), leagueSeasonRow(first)
	row.Version, season.Version = 1, 1
	return db.About("create a league", s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := db.CreateMissing(tx, row); err != nil {
			return err
		}
		return db.CreateMissing(tx, season)
	}))
}

// SaveLeague writes a league's name; see [Seasons.SaveSeries].
func (s *Seasons) SaveLeague(ctx context.Context, l league.Settings) error {
	row := leagueRow(l)
	row.Version++
	return saveVersion(ctx, s.s, "save a league", &row, l.Version, "name", "version")
}

// SavePlan writes a season of a league, and the tournaments of its divisions with it; see [Seasons.SaveSeries]. The
// error is club.ErrDeleted if an entry of a tournament names a deleted player.
func (s *Seasons) SavePlan(ctx context.Context, p league.Plan, divisions ...director.Draft) error {
	row := leagueSeasonRow(p)
	row.Version++
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := writeVersion(tx, &row, p.Version, "state", "confirmed", "version"); err != nil {
			return err
		}
		for _, draft := range divisions {
			if err := createDraft(ctx, tx, draft); err != nil {
				return err
			}
		}
		return nil
	})
	return db.Keep("save a season of a league", err, club.ErrStale, club.ErrDeleted)
}

// createDraft stores a new tournament with the acts since its creation.
func createDraft(ctx context.Context, tx *gorm.DB, draft director.Draft) error {
	if err := createTournament(tx, draft.Created); err != nil {
		return err
	}
	before := draft.Created
	for _, act := range draft.Acts {
		if err := saveTournament(ctx, tx, act.Tournament, before.Version, act.Delta); err != nil {
			return err
		}
		before = act.Tournament
	}
	return nil
}

// DeletePlan deletes a season of a league if its stored version is the plan's; else club.ErrStale.
func (s *Seasons) DeletePlan(ctx context.Context, p league.Plan) error {
	return deleteVersion(ctx, s.s, "delete a season of a league", &leagueSeasonRow{League: p.League, Number: p.Number}, p.Version)
}

// DeleteLeague deletes a league with its seasons if its stored version is version; else club.ErrStale.
func (s *Seasons) DeleteLeague(ctx context.Context, id string, version int64) error {
	return deleteVersion(ctx, s.s, "delete a league", &leagueRow{ID: id}, version)
}

// HalfMade returns the confirmed seasons with tournaments that are missing or were never closed. Since a season is
// confirmed in a single transaction, only older versions of the program have left any.
func (s *Seasons) HalfMade(ctx context.Context) (half []league.HalfMade, err error) {
	err = s.s.snapshot(ctx, func(tx *gorm.DB) error {
		var rows []leagueSeasonRow
		if err := tx.Where("confirmed").Order("league_id, number").Find(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			found := league.HalfMade{League: row.League, Number: row.Number}
			for _, d := range row.State.Divisions {
				if d.Tournament == "" {
					continue
				}
				complete, err := completeDivision(tx, d.Tournament)
				if err != nil {
					return err
				}
				if !complete {
					found.Tournaments = append(found.Tournaments, d.Tournament)
				}
			}
			if len(found.Tournaments) > 0 {
				half = append(half, found)
			}
		}
		return nil
	})
	return half, db.About("look for seasons of leagues that are half-made", err)
}

// completeDivision reports whether a division's tournament was closed for others at some time, or deleted.
func completeDivision(tx *gorm.DB, id string) (bool, error) {
	var status []tournament.Status
	if err := tx.Model(&tournamentRow{}).Where("id = ?", id).Pluck("status", &status).Error; err != nil {
		return false, err
	}
	switch {
	case len(status) == 0:
		return db.Any(tx.Model(&adminLogRow{}).Where("about_id = ? AND kind = ?", id, adminlog.TournamentDeleted))
	case status[0] != tournament.Draft && status[0] != tournament.Open:
		return true, nil
	}
	return db.Any(tx.Model(&actRow{}).Where("tournament_id = ? AND kind = ?", id, tournament.ActClose))
}

// moveLeagues replaces the player in the seasons of leagues. It refuses to merge two that are in the same season.
func (m *merging) moveLeagues() error {
	var rows []leagueSeasonRow
	err := m.tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Order("league_id, number").
		Find(&rows, "state LIKE ?", `%"`+m.Gone+`"%`).Error
	if err != nil {
		return err
	}
	for _, row := range rows {
		var moved, met bool
		for _, name := range row.State.Names() {
			switch *name {
			case m.Gone:
				*name = m.Keep
				moved = true
			case m.Keep:
				met = true
			}
		}
		if !moved {
			continue
		}
		if met {
			return club.ErrMergeMet
		}
		row.Version++
		if err := m.tx.Select("state", "version").Updates(&row).Error; err != nil {
			return err
		}
	}
	return nil
}
