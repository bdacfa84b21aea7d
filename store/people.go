package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/store/internal/paging"
	"quatuor/store/internal/ratings"
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

// asPlayers returns an error of work on players; what was not found is a player.
func asPlayers(what string, err error) error {
	return db.Promised(what, err, club.ErrNotFound, club.ErrStale, account.ErrHasPlayer)
}

// CreatePlayer stores new players, all or none.
func (p *People) CreatePlayer(ctx context.Context, players ...club.Player) error {
	if len(players) == 0 {
		return nil
	}
	rows := make([]playerRow, len(players))
	for i := range players {
		rows[i] = toPlayerRow(players[i])
	}
	return p.write(ctx, "create players", func(tx *gorm.DB) error {
		if err := tx.CreateInBatches(rows, db.Inserts).Error; err != nil {
			return err
		}
		return logPlayers(ctx, tx, players)
	})
}

// Player returns a player by id.
func (p *People) Player(ctx context.Context, id string) (club.Player, error) {
	var row playerRow
	err := p.s.reads.WithContext(ctx).Take(&row, "id = ?", id).Error
	if errors.Is(err, gorm.ErrRecordNotFound) { // it may have been merged into another one
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

// addMerged adds those of the players that were merged into others, by the ids that they had.
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
	players []club.Player, next string, err error,
) {
	from, err := paging.Parse[byName]("players", cursor)
	if err != nil {
		return nil, "", err
	}
	limit = max(limit, 1)
	query := p.s.reads.WithContext(ctx).Order("name_key, id").Limit(limit + 1)
	if from != nil {
		query = query.Where("(name_key, id) > (?, ?)", from.NameKey, from.ID)
	}
	if f.Name != "" {
		query = query.Where("name_key LIKE ? ESCAPE '!'", "%"+literal(nameKey(f.Name))+"%")
	}
	if f.Club != "" {
		query = query.Where("club = ?", f.Club)
	}
	if f.Unclaimed {
		query = query.Where("account_id IS NULL")
	}
	var rows []playerRow
	if err := query.Find(&rows).Error; err != nil {
		return nil, "", db.About("list players", err)
	}
	rows, next = paging.Cut("players", rows, limit, func(r *playerRow) any { return byName{r.NameKey, r.ID} })
	players = make([]club.Player, len(rows))
	for i := range rows {
		players[i] = rows[i].player()
	}
	return players, next, nil
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
		row := toPlayerRow(player)
		row.Version = from + 1
		r := tx.Model(&playerRow{}).Where("id = ? AND version = ?", player.ID, from).
			Select("*").Omit("id", "deviation", "given_at").Updates(&row)
		if r.Error == nil && r.RowsAffected == 0 {
			return club.ErrStale
		}
		if r.Error != nil {
			return r.Error
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

// Claim connects the player with this claim hash to the account; club.ErrNotFound if no code fits, or there is no such
// account, account.ErrHasPlayer if the account has a player.
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
	case owner.PlayerID != nil:
		return player, account.ErrHasPlayer
	}
	r := tx.Model(&playerRow{}).Where("id = ? AND claim_hash = ? AND account_id IS NULL", row.ID, claimHash).
		Updates(map[string]any{
			"account_id": accountID, "claim_hash": "", "open_to_challenges": false, "closed_to_challenges": false, "challenges_at_once": 0, "version": gorm.Expr("version + 1"),
		})
	if r.Error == nil && r.RowsAffected == 0 {
		return player, club.ErrNotFound // another account was faster
	}
	if r.Error != nil {
		return player, r.Error
	}
	if err := tx.Model(&accountRow{}).Where("id = ?", accountID).Update("player_id", row.ID).Error; err != nil {
		return player, err
	}
	err = tx.Take(&row, "id = ?", row.ID).Error
	return row.player(), err
}

// playerByCode returns the player whom a claim code opens, by the hash of the code; club.ErrNotFound if there is none,
// be it that another account claimed the player since the code was looked at before.
func playerByCode(tx *gorm.DB, claimHash string) (row playerRow, err error) {
	// The index holds no empty hashes, and is used only where the question says so too.
	err = tx.Take(&row, "claim_hash = ? AND claim_hash <> ''", claimHash).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = club.ErrNotFound
	}
	return row, err
}

// playerRow is a row of players.
type playerRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	NameKey   string
	Club      string
	BirthYear int
	Rating    db.JSON[map[string]float64]
	Deviation db.JSON[map[string]float64] // of these ratings
	GivenAt   db.JSON[map[string]int64]   // when they were entered; not for ratings entered before this was stored
	AccountID *string
	ClaimHash string
	CreatedBy string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	Version   int64

	OpenToChallenges   bool
	ClosedToChallenges bool
	ChallengesAtOnce   int
}

func (playerRow) TableName() string { return "players" }

// given returns the player's ratings to start with.
func (r *playerRow) given() *ratings.Given {
	return &ratings.Given{Rating: r.Rating, Deviation: r.Deviation, GivenAt: r.GivenAt}
}

// nameKey is a name as lists are sorted by it and searched in it.
func nameKey(name string) string { return strings.ToLower(name) }

func toPlayerRow(p club.Player) playerRow {
	givenAt := map[string]int64{}
	for list := range p.Rating {
		givenAt[list] = p.CreatedAt
	}
	return playerRow{
		GivenAt: db.JSONOf(givenAt),

		ID: p.ID, Name: p.Name, NameKey: nameKey(p.Name), Club: p.Club, BirthYear: p.BirthYear,
		Rating: db.JSONOf(p.Rating), AccountID: db.OrNull(p.AccountID), ClaimHash: p.ClaimHash,
		CreatedBy: p.CreatedBy, CreatedAt: p.CreatedAt, Version: p.Version, OpenToChallenges: p.OpenToChallenges,
		ClosedToChallenges: p.ClosedToChallenges, ChallengesAtOnce: p.ChallengesAtOnce,
	}
}

func (r *playerRow) player() club.Player {
	return club.Player{
		ID: r.ID, Name: r.Name, Club: r.Club, BirthYear: r.BirthYear, Rating: r.Rating.V,
		AccountID: db.OrEmpty(r.AccountID), ClaimHash: r.ClaimHash, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt,
		Version: r.Version, OpenToChallenges: r.OpenToChallenges, ClosedToChallenges: r.ClosedToChallenges,
		ChallengesAtOnce: r.ChallengesAtOnce,
	}
}

// accountRow is a row of accounts.
type accountRow struct {
	ID           string `gorm:"primaryKey"`
	Login        string
	PasswordHash string
	Role         account.Role
	PlayerID     *string
	CreatedAt    int64 `gorm:"autoCreateTime:false"`
	DisabledAt   int64
	Language     string
	ResetBy      string
	ResetAt      int64
}

func (accountRow) TableName() string { return "accounts" }

func toAccountRow(a account.Account) accountRow {
	return accountRow{
		ID: a.ID, Login: a.Login, PasswordHash: a.PasswordHash, Role: a.Role, PlayerID: db.OrNull(a.PlayerID),
		CreatedAt: a.CreatedAt, DisabledAt: a.DisabledAt, Language: a.Language, ResetBy: a.ResetBy, ResetAt: a.ResetAt,
	}
}

func (r *accountRow) account() account.Account {
	return account.Account{
		ID: r.ID, Login: r.Login, PasswordHash: r.PasswordHash, Role: r.Role, PlayerID: db.OrEmpty(r.PlayerID),
		CreatedAt: r.CreatedAt, DisabledAt: r.DisabledAt, Language: r.Language, ResetBy: r.ResetBy, ResetAt: r.ResetAt,
	}
}

// credentialRow is a row of credentials.
type credentialRow struct {
	ID        string `gorm:"primaryKey"`
	Kind      account.CredentialKind
	Hash      string
	AccountID *string
	Family    string
	Name      string
	Scopes    db.JSON[[]string]
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	ExpiresAt int64
	UsedAt    int64
	RevokedAt int64
	Role      account.Role
	Uses      int
}

func (credentialRow) TableName() string { return "credentials" }

func toCredentialRow(c account.Credential) credentialRow {
	if c.Kind == account.Invitation {
		c.Uses = max(c.Uses, 1)
	}
	return credentialRow{
		ID: c.ID, Kind: c.Kind, Hash: c.Hash, AccountID: db.OrNull(c.AccountID), Family: c.Family, Name: c.Name,
		Scopes: db.JSONOf(c.Scopes), CreatedAt: c.CreatedAt, ExpiresAt: c.ExpiresAt, UsedAt: c.UsedAt,
		RevokedAt: c.RevokedAt, Role: c.Role, Uses: c.Uses,
	}
}

func (r *credentialRow) credential() account.Credential {
	return account.Credential{
		ID: r.ID, Kind: r.Kind, Hash: r.Hash, AccountID: db.OrEmpty(r.AccountID), Family: r.Family, Name: r.Name,
		Scopes: r.Scopes.V, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, UsedAt: r.UsedAt, RevokedAt: r.RevokedAt,
		Role: r.Role, Uses: r.Uses,
	}
}

// familiarRow is a row of familiar.
type familiarRow struct {
	AccountID string `gorm:"primaryKey"`
	Hash      string `gorm:"primaryKey"`
	SeenAt    int64
}

func (familiarRow) TableName() string { return "familiar" }

// keyRow is a row of signing_keys.
type keyRow struct {
	ID         string `gorm:"primaryKey"`
	PrivateKey []byte
	CreatedAt  int64 `gorm:"autoCreateTime:false"`
	RetiredAt  int64
}

func (keyRow) TableName() string { return "signing_keys" }

// blockRow is a row of player_blocks.
type blockRow struct {
	PlayerID string `gorm:"primaryKey"`
	Blocked  string `gorm:"primaryKey"`
	At       int64
}

func (blockRow) TableName() string { return "player_blocks" }

// blockLock is the first half of the advisory locks of players who block others; the second is a hash of the player.
const blockLock = 0x7175_6905

// Block keeps another player from challenging a player; once more changes nothing. Errors: club.ErrNotFound if there is
// no such player to block, club.ErrBlocks.
func (p *People) Block(ctx context.Context, b club.Block) error {
	err := p.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := db.Lock(tx, "?, hashtext(?)", blockLock, b.Player); err != nil {
			return err
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
	return db.Promised("block a player", err, club.ErrNotFound, club.ErrBlocks)
}

// Unblock takes a block back; without one it changes nothing.
func (p *People) Unblock(ctx context.Context, player, blocked string) error {
	return db.About("unblock a player", p.s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Delete(&blockRow{}, "player_id = ? AND blocked = ?", player, blocked).Error
	}))
}

// Blocks returns the players whom a player has blocked, the last one first.
func (p *People) Blocks(ctx context.Context, player string) ([]club.Block, error) {
	var rows []blockRow
	if err := p.s.reads.WithContext(ctx).Order("at DESC, blocked").Find(&rows, "player_id = ?", player).Error; err != nil {
		return nil, db.About("list blocked players", err)
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
	for part := range db.Chunks(players) {
		var found []string
		err := p.s.reads.WithContext(ctx).Model(&blockRow{}).Where("blocked = ? AND player_id IN ?", blocked, part).Pluck("player_id", &found).Error
		if err != nil {
			return nil, db.About("read blocks", err)
		}
		for _, id := range found {
			by[id] = true
		}
	}
	return by, nil
}

// Opponents returns players as one who asks for a game with them has to know them, by the ids that were asked for.
func (p *People) Opponents(ctx context.Context, ids []string, asks string) (map[string]club.Opponent, error) {
	found := map[string]club.Opponent{}
	for part := range db.Chunks(ids) {
		err := p.eachOpponent(ctx, part, asks, func(o club.Opponent) { found[o.ID] = o })
		if err != nil {
			return nil, db.About("read opponents", err)
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
	kept, err := p.Opponents(ctx, slices.Collect(maps.Values(into)), asks)
	for gone, id := range into {
		if o, is := kept[id]; is {
			found[gone] = o
		}
	}
	return found, err
}

// eachOpponent reads rows past gorm, which takes several times as long as the query: one comes with every game that is
// opened.
func (p *People) eachOpponent(ctx context.Context, ids []string, asks string, use func(club.Opponent)) (err error) {
	rows, err := p.s.reads.WithContext(ctx).Raw(opponentsOf, asks, ids).Rows()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r playerRow
		var o club.Opponent
		err := rows.Scan(append(db.FieldsOf(&r), &o.Blocks, &o.Closed)...)
		if err != nil {
			return err
		}
		o.Player = r.player()
		use(o)
	}
	return rows.Err()
}

var opponentsOf = "SELECT " + playerColumns + `, b.player_id IS NOT NULL, coalesce(a.disabled_at, 0) <> 0
	FROM players LEFT JOIN player_blocks b ON b.player_id = players.id AND b.blocked = ? LEFT JOIN accounts a ON a.id = players.account_id
	WHERE players.id IN ?`

// playerColumns are those of a playerRow.
var playerColumns = "players." + strings.Join(db.ColumnsOf(&playerRow{}), ", players.")

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
