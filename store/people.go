package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"
	"quatuor/store/internal/db"
	"quatuor/store/internal/paging"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// People keeps players, accounts and credentials.
type People struct{ s *Store }

// People returns the store of people.
func (s *Store) People() *People { return &People{s} }

// write carries out work on players in a transaction and keeps the errors that callers are promised.
func (p *People) write(ctx context.Context, what string, work func(tx *gorm.DB) error) error {
	return asPlayers(what, p.s.backend.write(ctx, work))
}

// asPlayers returns an error of work on players; "not found" means a player.
func asPlayers(what string, err error) error {
	return db.Promised(what, err, club.ErrNotFound, club.ErrStale, club.ErrDeleted, club.ErrReserved, account.ErrHasPlayer)
}

// CreatePlayer stores new players, all or none.
func (p *People) CreatePlayer(ctx context.Context, players ...club.Player) error {
	if len(players) == 0 {
		return nil
	}
	return p.write(ctx, "create players", func(tx *gorm.DB) error {
		if err := newPlayers(tx, players); err != nil {
			return err
		}
		return logPlayers(ctx, tx, players)
	})
}

// newPlayers stores new players, or returns club.ErrReserved if a name is reserved.
func newPlayers(tx *gorm.DB, players []club.Player) error {
	for _, p := range players {
		if err := club.CheckName(p.Name); err != nil {
			return err
		}
	}
	return db.Create(tx, db.Map(players, toPlayerRow))
}

// Player returns a player by id.
func (p *People) Player(ctx context.Context, id string) (club.Player, error) {
	var row playerRow
	err := p.s.reads.WithContext(ctx).Take(&row, "id = ?", id).Error
	if errors.Is(err, gorm.ErrRecordNotFound) { // it may have been merged into another
		into, failed := p.mergedInto(ctx, []string{id})
		if failed != nil {
			return club.Player{}, failed
		}
		if kept, merged := into[id]; merged {
			err = p.s.reads.WithContext(ctx).Take(&row, "id = ?", kept).Error
		}
	}
	return row.player(), asPlayers("read a player", err)
}

// Players returns those of the players that there are, by id.
func (p *People) Players(ctx context.Context, ids []string) (map[string]club.Player, error) {
	found := map[string]club.Player{}
	for part := range db.Chunks(ids) {
		var rows []playerRow
		if err := p.s.reads.WithContext(ctx).Where("id IN ?", part).Find(&rows).Error; err != nil {
			return nil, db.About("read players", err)
		}
		for i := range rows {
			found[rows[i].ID] = rows[i].player()
		}
	}
	return found, p.addMerged(ctx, ids, found)
}

// addMerged adds players that were merged into others, by their old ids.
func (p *People) addMerged(ctx context.Context, ids []string, found map[string]club.Player) error {
	missing := lacking(found, ids)
	for part := range db.Chunks(missing) {
		into, err := p.mergedInto(ctx, part)
		if err != nil {
			return err
		}
		for gone, kept := range into {
			player, err := p.Player(ctx, kept)
			if err != nil {
				return err
			}
			found[gone] = player
		}
	}
	return nil
}

// lacking returns those of the ids that are not found.
func lacking[T any](found map[string]T, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, known := found[id]; return known })
}

// byName is a place in the list of players.
type byName struct{ NameKey, ID string }

// ListPlayers returns players by name.
func (p *People) ListPlayers(ctx context.Context, f club.PlayerFilter, limit int, cursor string) (
	[]club.Player, string, error,
) {
	from, err := paging.Parse[byName]("players", cursor)
	if err != nil {
		return nil, "", err
	}
	query := p.s.reads.WithContext(ctx).Order("name_key, id")
	if from != nil {
		query = query.Where("(name_key, id) > (?, ?)", from.NameKey, from.ID)
	}
	switch {
	case f.Name != "":
		query = query.Where("name_key LIKE ? ESCAPE '!'", "%"+literal(nameKey(f.Name))+"%")
	case from == nil:
		query = query.Where("name_key > ''") // deleted players have no key, and come before a cursor
	}
	if f.Club != "" {
		query = query.Where("club = ?", f.Club)
	}
	if f.Unclaimed {
		query = query.Where("account_id IS NULL")
	}
	return db.Page("players", query, limit, func(r *playerRow) any { return byName{r.NameKey, r.ID} }, (*playerRow).player)
}

// literal escapes a text for a LIKE pattern.
func literal(s string) string {
	return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(s)
}

// UpdatePlayer writes a player, with the next version, if the stored version is from; else club.ErrStale.
func (p *People) UpdatePlayer(ctx context.Context, player club.Player, from int64) error {
	return p.write(ctx, "update a player", func(tx *gorm.DB) error {
		var before playerRow
		if err := tx.Take(&before, "id = ?", player.ID).Error; err != nil {
			return err
		}
		if before.Gone > 0 {
			return club.ErrDeleted
		}
		if err := club.CheckName(player.Name); err != nil && player.Name != before.Name {
			return err
		}
		row := toPlayerRow(&player)
		row.Version = from + 1
		update := tx.Model(&playerRow{}).Where("id = ? AND version = ?", player.ID, from).
			Select("*").Omit("id", "gone", "deviation", "given_at").Updates(&row)
		if err := db.Changed(update, club.ErrStale); err != nil {
			return err
		}
		return logPlayer(ctx, tx, before.player(), player)
	})
}

// PlayerByClaim returns the player with this claim hash; club.ErrNotFound if no code fits.
func (p *People) PlayerByClaim(ctx context.Context, claimHash string) (club.Player, error) {
	row, err := playerByCode(p.s.reads.WithContext(ctx), claimHash)
	if errors.Is(err, club.ErrNotFound) {
		return club.Player{}, err
	}
	return row.player(), db.About("find the player of a code", err)
}

// Claim connects the player with this claim hash to the account; club.ErrNotFound if no code fits or the account does
// not exist, account.ErrHasPlayer if the account has a player.
func (p *People) Claim(ctx context.Context, claimHash, accountID string) (player club.Player, err error) {
	if claimHash == "" {
		return player, club.ErrNotFound
	}
	err = p.write(ctx, "claim a player", func(tx *gorm.DB) (err error) {
		player, err = claim(tx, claimHash, accountID)
		return err
	})
	return player, err
}

func claim(tx *gorm.DB, claimHash, accountID string) (player club.Player, err error) {
	row, err := playerByCode(tx, claimHash)
	if err != nil {
		return player, err
	}
	owner, err := lockAccount(tx, accountID)
	switch {
	case err != nil:
		return player, err
	case owner.PlayerID != "":
		return player, account.ErrHasPlayer
	}
	update := tx.Model(&playerRow{}).Where("id = ? AND claim_hash = ? AND account_id IS NULL", row.ID, claimHash).
		Updates(map[string]any{
			"account_id": accountID, "claim_hash": "", "open_to_challenges": false, "closed_to_challenges": false,
			"challenges_at_once": 0, "version": gorm.Expr("version + 1"),
		})
	if err := db.Changed(update, club.ErrNotFound); err != nil { // another account was faster
		return player, err
	}
	if err := tx.Model(&accountRow{}).Where("id = ?", accountID).Update("player_id", row.ID).Error; err != nil {
		return player, err
	}
	err = tx.Take(&row, "id = ?", row.ID).Error
	return row.player(), err
}

// playerByCode returns the player of a claim code, by its hash; club.ErrNotFound if there is none, for example because
// the player was claimed in between.
func playerByCode(tx *gorm.DB, claimHash string) (row playerRow, err error) {
	// The partial index requires the second condition.
	err = tx.Take(&row, "claim_hash = ? AND claim_hash <> ''", claimHash).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = club.ErrNotFound
	}
	return row, err
}

// mergedInto returns the ids of the remaining players, by old ids.
func (p *People) mergedInto(ctx context.Context, ids []string) (map[string]string, error) {
	var rows []mergeRow
	if err := p.s.reads.WithContext(ctx).Find(&rows, "gone_id IN ?", ids).Error; err != nil {
		return nil, db.About("read merged players", err)
	}
	into := make(map[string]string, len(rows))
	for _, r := range rows {
		into[r.GoneID] = r.KeptID
	}
	return into, nil
}

type mergeRow struct {
	GoneID    string `gorm:"primaryKey"`
	GoneName  string
	KeptID    string
	ByAccount string
	At        int64
	Games     int
	Entries   int
}

func (mergeRow) TableName() string { return "player_merges" }

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
