package store

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/tournament/club"
)

// blockLock is the class of the advisory locks of blocking players; the key is a hash of the player.
const blockLock = 0x7175_6905

// Block keeps another player from challenging a player; once more changes nothing. Errors: club.ErrNotFound if the
// player to block does not exist, club.ErrBlocks.
func (p *People) Block(ctx context.Context, b club.Block) error {
	err := p.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := db.Lock(tx, "?, hashtext(?)", blockLock, b.Player); err != nil {
			return err
		}
		if err := tx.Select("id").Take(&playerRow{}, "id = ?", b.Blocked).Error; err != nil {
			return err
		}
		var others int64
		if err := tx.Model(&blockRow{}).Where("player_id = ? AND blocked <> ?", b.Player, b.Blocked).Count(&others).
			Error; err != nil {
			return err
		}
		if others >= club.MaxBlocks {
			return club.ErrBlocks
		}
		return db.CreateMissing(tx, blockRow(b))
	})
	return db.Promised("block a player", err, club.ErrNotFound, club.ErrBlocks)
}

// Unblock takes a block back; without a block it changes nothing.
func (p *People) Unblock(ctx context.Context, player, blocked string) error {
	return db.About("unblock a player", p.s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Delete(&blockRow{}, "player_id = ? AND blocked = ?", player, blocked).Error
	}))
}

// Blocks returns the players blocked by a player, the latest first.
func (p *People) Blocks(ctx context.Context, player string) ([]club.Block, error) {
	query := p.s.reads.WithContext(ctx).Where("player_id = ?", player).Order("at DESC, blocked")
	return db.List("list blocked players", query, func(r *blockRow) club.Block { return club.Block(*r) })
}

// BlockedBy returns those of some players that have blocked a player.
func (p *People) BlockedBy(ctx context.Context, players []string, blocked string) (map[string]bool, error) {
	if blocked == "" {
		return map[string]bool{}, nil
	}
	by, err := db.Known(p.s.reads.WithContext(ctx).Model(&blockRow{}).Where("blocked = ?", blocked), "player_id", players)
	return by, db.About("read blocks", err)
}

// Opponents returns players as possible opponents of a challenger, by the requested ids.
func (p *People) Opponents(ctx context.Context, ids []string, challenger string) (map[string]club.Opponent, error) {
	found := map[string]club.Opponent{}
	for part := range db.Chunks(ids) { // past gorm, which costs several times the query: every new game runs it
		rows, err := p.s.reads.WithContext(ctx).Raw(opponentsOf, challenger, part).Rows()
		list, err := db.Collect(rows, err, func(r *opponentRow) []any {
			return append(db.FieldsOf(&r.player), &r.blocks, &r.closed)
		})
		if err != nil {
			return nil, db.About("read opponents", err)
		}
		for _, r := range list {
			found[r.player.ID] = club.Opponent{Player: r.player.player(), Blocks: r.blocks, Closed: r.closed}
		}
	}
	missing := lacking(found, ids)
	if len(missing) == 0 {
		return found, nil
	}
	into, err := p.mergedInto(ctx, missing)
	if err != nil || len(into) == 0 {
		return found, err
	}
	kept, err := p.Opponents(ctx, slices.Collect(maps.Values(into)), challenger)
	for gone, id := range into {
		if o, is := kept[id]; is {
			found[gone] = o
		}
	}
	return found, err
}

// opponentRow is a player as a possible opponent of a challenger.
type opponentRow struct {
	player         playerRow
	blocks, closed bool
}

var opponentsOf = "SELECT " + playerColumns + `, b.player_id IS NOT NULL,
	(coalesce(a.disabled_at, 0) <> 0 OR players.gone > 0)
	FROM players LEFT JOIN player_blocks b ON b.player_id = players.id AND b.blocked = ? LEFT JOIN accounts a ON a.id = players.account_id
	WHERE players.id IN ?`
