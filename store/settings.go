package store

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// setUpLock is the advisory lock of transactions that set an installation up.
const setUpLock = 0x7175_6174_0003

// Settings returns the club's decisions; the zero Settings before the first.
func (p *People) Settings(ctx context.Context) (club.Settings, error) {
	s, err := settingsIn(p.s.reads.WithContext(ctx))
	return s, db.About("read the club's settings", err)
}

func settingsIn(tx *gorm.DB) (club.Settings, error) {
	var row clubRow
	err := tx.Take(&row, "id = ?", clubRowID).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return club.Settings{}, nil
	}
	return club.Settings(row.Settings), err
}

// SaveSettings writes the club's settings, with the next version, if the stored version is from; else club.ErrStale.
func (p *People) SaveSettings(ctx context.Context, s club.Settings, from int64) error {
	return p.write(ctx, "save the club's settings", func(tx *gorm.DB) error {
		before, err := settingsIn(tx)
		if err != nil {
			return err
		}
		if err := saveSettings(tx, s, from); err != nil {
			return err
		}
		return logSettings(ctx, tx, before, s)
	})
}

func saveSettings(tx *gorm.DB, s club.Settings, from int64) error {
	s.Version = from + 1
	row := clubRow{clubRowID, clubColumns(s)}
	if from == 0 {
		return db.Changed(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row), club.ErrStale)
	}
	stored := tx.Model(&clubRow{}).Where("id = ? AND version = ?", clubRowID, from)
	return db.Changed(stored.Select("*").Omit("id").Updates(&row), club.ErrStale)
}

// SetUp stores the first admin's account of an installation, its player if that is not nil, and the club's settings;
// account.ErrSetUp if there is an admin already. Of several concurrent calls a single call succeeds.
func (p *People) SetUp(ctx context.Context, s club.Settings, a account.Account, player *club.Player) error {
	return p.writeAccount(ctx, "set up the installation", func(tx *gorm.DB) error {
		if err := db.Lock(tx, "?", int64(setUpLock)); err != nil {
			return err
		}
		present, err := hasAdmin(tx, "")
		if err != nil {
			return err
		}
		if present {
			return account.ErrSetUp
		}
		if err := tx.Where("1 = 1").Delete(&clubRow{}).Error; err != nil {
			return err
		}
		if err := tx.Where("kind = ?", account.SetupCode).Delete(&credentialRow{}).Error; err != nil {
			return err
		}
		if err := saveSettings(tx, s, 0); err != nil {
			return err
		}
		if err := createAccount(tx, a, player); err != nil {
			return err
		}
		return logSetUp(ctx, tx, s, a)
	})
}

// clubRowID is the key of the only row of club_settings.
const clubRowID = 1

// clubRow is the row of club_settings.
type clubRow struct {
	ID       int64       `gorm:"primaryKey;autoIncrement:false"`
	Settings clubColumns `gorm:"embedded"`
}

// clubColumns has the fields of [club.Settings].
type clubColumns struct {
	Name         string
	Welcome      string
	Imprint      string
	Language     string
	TimeZone     string
	Registration string
	Reach        club.Reach
	Resets       bool `gorm:"column:organisers_reset"`
	Version      int64
}

func (clubRow) TableName() string { return "club_settings" }
