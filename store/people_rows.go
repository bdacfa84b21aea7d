package store

import (
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/engine/botid"
	"quatuor/store/internal/db"
	"quatuor/store/internal/ratings"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

type playerRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	NameKey   string
	Club      string
	BirthYear int
	Rating    map[string]float64 `gorm:"serializer:text"`
	Deviation map[string]float64 `gorm:"serializer:text"` // of these ratings
	GivenAt   map[string]int64   `gorm:"serializer:text"` // when they were entered; not before this was stored
	AccountID string             `gorm:"serializer:null"`
	ClaimHash string
	CreatedBy string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	Version   int64
	Gone      int64

	OpenToChallenges   bool
	ClosedToChallenges bool
	ChallengesAtOnce   int
}

func (playerRow) TableName() string { return "players" }

// nameKey is a name as lists are sorted by it and searched in it.
func nameKey(name string) string { return strings.ToLower(name) }

func toPlayerRow(p *club.Player) playerRow {
	givenAt := map[string]int64{}
	for list := range p.Rating {
		givenAt[list] = p.CreatedAt
	}
	name := botid.MarkedName(p.ID, p.Name)
	return playerRow{
		ID: p.ID, Name: name, NameKey: nameKey(name), Club: p.Club, BirthYear: p.BirthYear,
		Rating: p.Rating, GivenAt: givenAt, AccountID: p.AccountID, ClaimHash: p.ClaimHash,
		CreatedBy: p.CreatedBy, CreatedAt: p.CreatedAt, Version: p.Version, OpenToChallenges: p.OpenToChallenges,
		Gone: p.Gone, ClosedToChallenges: p.ClosedToChallenges, ChallengesAtOnce: p.ChallengesAtOnce,
	}
}

func (r *playerRow) player() club.Player {
	return club.Player{
		ID: r.ID, Name: r.Name, Club: r.Club, BirthYear: r.BirthYear, Rating: r.Rating,
		AccountID: r.AccountID, ClaimHash: r.ClaimHash, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt,
		Version: r.Version, Gone: r.Gone, OpenToChallenges: r.OpenToChallenges, ClosedToChallenges: r.ClosedToChallenges,
		ChallengesAtOnce: r.ChallengesAtOnce,
	}
}

// given returns the player's ratings to start with.
func (r *playerRow) given() *ratings.Given {
	return &ratings.Given{Rating: r.Rating, Deviation: r.Deviation, GivenAt: r.GivenAt}
}

// playerColumns are those of a playerRow.
var playerColumns = "players." + strings.Join(db.ColumnsOf(&playerRow{}), ", players.")

// accountRow is a row of accounts. It has the fields of an [account.Account].
type accountRow struct {
	ID           string `gorm:"primaryKey"`
	Login        string
	PasswordHash string
	Role         account.Role
	PlayerID     string `gorm:"serializer:null"`
	CreatedAt    int64  `gorm:"autoCreateTime:false"`
	DisabledAt   int64
	Gone         int64
	Language     string
	ResetBy      string
	ResetAt      int64
}

func (accountRow) TableName() string { return "accounts" }

func (r *accountRow) account() account.Account { return account.Account(*r) }

// credentialRow is a row of credentials. It has the fields of an [account.Credential].
type credentialRow struct {
	ID        string `gorm:"primaryKey"`
	Kind      account.CredentialKind
	Hash      string
	AccountID string `gorm:"serializer:null"`
	Family    string
	Name      string
	Scopes    []string `gorm:"serializer:text"`
	CreatedAt int64    `gorm:"autoCreateTime:false"`
	ExpiresAt int64
	UsedAt    int64
	RevokedAt int64
	Role      account.Role
	Uses      int

	Tournament string `gorm:"column:tournament_id;serializer:null"`
}

func (credentialRow) TableName() string { return "credentials" }

func toCredentialRow(c account.Credential) credentialRow {
	if c.Kind == account.Invitation {
		c.Uses = max(c.Uses, 1)
	}
	return credentialRow(c)
}

func (r *credentialRow) credential() account.Credential { return account.Credential(*r) }

type familiarRow struct {
	AccountID string `gorm:"primaryKey"`
	Hash      string `gorm:"primaryKey"`
	SeenAt    int64
}

func (familiarRow) TableName() string { return "familiar" }

// keyRow is a row of signing_keys. It has the fields of an [account.Key].
type keyRow struct {
	ID        string `gorm:"primaryKey"`
	Private   []byte `gorm:"column:private_key"`
	CreatedAt int64  `gorm:"autoCreateTime:false"`
	RetiredAt int64
}

func (keyRow) TableName() string { return "signing_keys" }

// blockRow is a row of player_blocks. It has the fields of a [club.Block].
type blockRow struct {
	Player  string `gorm:"primaryKey;column:player_id"`
	Blocked string `gorm:"primaryKey"`
	At      int64
}

func (blockRow) TableName() string { return "player_blocks" }

// lockAccount returns an account that no other transaction changes before this transaction ends; account.ErrNotFound if
// there is none.
func lockAccount(tx *gorm.DB, id string) (row accountRow, err error) {
	err = tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Take(&row, "id = ?", id).Error
	return row, err
}

// openAccount is lockAccount for an open account; account.ErrStale if it is closed.
func openAccount(tx *gorm.DB, id string) (accountRow, error) {
	row, err := lockAccount(tx, id)
	if err == nil && row.DisabledAt != 0 {
		err = account.ErrStale
	}
	return row, err
}

// byTime is a place in a list that is ordered by time.
type byTime struct {
	At int64
	ID string
}
