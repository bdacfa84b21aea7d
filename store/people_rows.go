package store

import (
	"strings"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// playerRow is a row of players.
type playerRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	NameKey   string
	Club      string
	BirthYear int
	Rating    jsonOf[map[string]float64]
	AccountID *string
	ClaimHash string
	CreatedBy string
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	Version   int64

	OpenToChallenges bool
}

func (playerRow) TableName() string { return "players" }

// nameKey is a name as lists are sorted by it and searched in it.
func nameKey(name string) string { return strings.ToLower(name) }

func toPlayerRow(p club.Player) playerRow {
	return playerRow{
		ID: p.ID, Name: p.Name, NameKey: nameKey(p.Name), Club: p.Club, BirthYear: p.BirthYear,
		Rating: jsonOf[map[string]float64]{p.Rating}, AccountID: orNull(p.AccountID), ClaimHash: p.ClaimHash,
		CreatedBy: p.CreatedBy, CreatedAt: p.CreatedAt, Version: p.Version, OpenToChallenges: p.OpenToChallenges,
	}
}

func (r *playerRow) player() club.Player {
	return club.Player{
		ID: r.ID, Name: r.Name, Club: r.Club, BirthYear: r.BirthYear, Rating: r.Rating.v,
		AccountID: orEmpty(r.AccountID), ClaimHash: r.ClaimHash, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt,
		Version: r.Version, OpenToChallenges: r.OpenToChallenges,
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
}

func (accountRow) TableName() string { return "accounts" }

func toAccountRow(a account.Account) accountRow {
	return accountRow{
		ID: a.ID, Login: a.Login, PasswordHash: a.PasswordHash, Role: a.Role, PlayerID: orNull(a.PlayerID),
		CreatedAt: a.CreatedAt, DisabledAt: a.DisabledAt,
	}
}

func (r *accountRow) account() account.Account {
	return account.Account{
		ID: r.ID, Login: r.Login, PasswordHash: r.PasswordHash, Role: r.Role, PlayerID: orEmpty(r.PlayerID),
		CreatedAt: r.CreatedAt, DisabledAt: r.DisabledAt,
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
	Scopes    jsonOf[[]string]
	CreatedAt int64 `gorm:"autoCreateTime:false"`
	ExpiresAt int64
	UsedAt    int64
	RevokedAt int64
}

func (credentialRow) TableName() string { return "credentials" }

func toCredentialRow(c account.Credential) credentialRow {
	return credentialRow{
		ID: c.ID, Kind: c.Kind, Hash: c.Hash, AccountID: orNull(c.AccountID), Family: c.Family, Name: c.Name,
		Scopes: jsonOf[[]string]{c.Scopes}, CreatedAt: c.CreatedAt, ExpiresAt: c.ExpiresAt, UsedAt: c.UsedAt,
		RevokedAt: c.RevokedAt,
	}
}

func (r *credentialRow) credential() account.Credential {
	return account.Credential{
		ID: r.ID, Kind: r.Kind, Hash: r.Hash, AccountID: orEmpty(r.AccountID), Family: r.Family, Name: r.Name,
		Scopes: r.Scopes.v, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, UsedAt: r.UsedAt, RevokedAt: r.RevokedAt,
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
