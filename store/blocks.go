package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/tournament/club"
)

// blockRow is a row of player_blocks.
type blockRow struct {
	PlayerID string `gorm:"primaryKey"`
	Blocked  string `gorm:"primaryKey"`
	At       int64
}

func (blockRow) TableName() string { return "player_blocks" }

// blockLock is the first half of the advisory locks of players who block others; the second is a hash of the player.
const blockLock = 0x7175_6905

// Block keeps another player from challenging a player; once more changes nothing. Errors: club.ErrNotFound if there is no
// such player to block, club.ErrBlocks.
func (p *People) Block(ctx context.Context, b club.Block) error {
	err := p.s.backend.write(ctx, func(tx *gorm.DB) error {
		if !p.s.backend.alone() {
			if err := tx.Exec("SELECT pg_advisory_xact_lock(?, hashtext(?))", blockLock, b.Player).Error; err != nil {
				return err
			}
		}
		if err := tx.Select("id").Take(&playerRow{}, "id = ?", b.Blocked).Error; err != nil {
			return err
		}
		var others int64
		if err := tx.Model(&blockRow{}).Where("player_id = ? AND blocked <> ?", b.Player, b.Blocked).Count(&others).Error; err != nil {
			return err
		}
		if others >= club.MaxBlocks {
			return club.ErrBlocks
		}
		return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&blockRow{b.Player, b.Blocked, b.At}).Error
	})
	return promised("block a player", err, club.ErrNotFound, club.ErrBlocks)
}

// Unblock takes a block back; without one it changes nothing.
func (p *People) Unblock(ctx context.Context, player, blocked string) error {
	return about("unblock a player", p.s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Delete(&blockRow{}, "player_id = ? AND blocked = ?", player, blocked).Error
	}))
}

// Blocks returns the players whom a player has blocked, the last one first.
func (p *People) Blocks(ctx context.Context, player string) ([]club.Block, error) {
	var rows []blockRow
	if err := p.s.reads.WithContext(ctx).Order("at DESC, blocked").Find(&rows, "player_id = ?", player).Error; err != nil {
		return nil, about("list blocked players", err)
	}
	blocks := make([]club.Block, len(rows))
	for i, r := range rows {
		blocks[i] = club.Block{Player: r.PlayerID, Blocked: r.Blocked, At: r.At}
	}
	return blocks, nil
}

// BlockedBy returns those of some players who have blocked a player.
func (p *People) BlockedBy(ctx context.Context, players []string, blocked string) (map[string]bool, error) {
	by := map[string]bool{}
	if blocked == "" {
		return by, nil
	}
	for part := range chunks(players) {
		var found []string
		err := p.s.reads.WithContext(ctx).Model(&blockRow{}).Where("blocked = ? AND player_id IN ?", blocked, part).Pluck("player_id", &found).Error
		if err != nil {
			return nil, about("read blocks", err)
		}
		for _, id := range found {
			by[id] = true
		}
	}
	return by, nil
}

// moveBlocks lets the player that stays have the blocks by and of the one that goes.
func (m *merging) moveBlocks() error {
	var rows []blockRow
	if err := m.tx.Find(&rows, "player_id = ? OR blocked = ?", m.Gone, m.Gone).Error; err != nil {
		return err
	}
	if err := m.tx.Delete(&blockRow{}, "player_id = ? OR blocked = ?", m.Gone, m.Gone).Error; err != nil {
		return err
	}
	for _, r := range rows {
		if r.PlayerID == m.Gone {
			r.PlayerID = m.Keep
		}
		if r.Blocked == m.Gone {
			r.Blocked = m.Keep
		}
		if r.PlayerID == r.Blocked {
			continue
		}
		if err := m.tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&r).Error; err != nil {
			return err
		}
	}
	return nil
}
