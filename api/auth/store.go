package auth

import (
	"context"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// Store is what this package needs of the people's store; errors are those of package account.
type Store interface {
	Accounts
	Credentials
	FamiliarPlaces
	Keys
}

// Accounts are the accounts of a [Store].
type Accounts interface {
	CreateAccount(ctx context.Context, a account.Account, player *club.Player) error
	Invite(ctx context.Context, hash string, now int64, a account.Account, player *club.Player) error
	Account(ctx context.Context, id string) (account.Account, error)
	AccountByLogin(ctx context.Context, login string) (account.Account, error)
	UpdateAccount(ctx context.Context, from, to account.Account) error
	ChangePassword(ctx context.Context, from, to account.Account, end account.Ending) error
}

// Credentials are the credentials and sessions of a [Store].
type Credentials interface {
	AddCredential(ctx context.Context, c account.Credential) error
	AddLogin(ctx context.Context, c account.Credential, passwordHash string) error
	AddToken(ctx context.Context, c account.Credential, limit int) error
	CredentialByHash(ctx context.Context, kind account.CredentialKind, hash string) (account.Credential, error)
	Credentials(ctx context.Context, accountID string, kind account.CredentialKind) ([]account.Credential, error)
	Rotate(ctx context.Context, hash string, next account.Credential, now int64) error
	RevokeFamily(ctx context.Context, family string, now int64) error
	RevokeCredential(ctx context.Context, accountID, id string, now int64) error
	SessionLives(ctx context.Context, family string) (bool, error)
}

// FamiliarPlaces are the addresses and browsers, as hashes, from which accounts have been used.
type FamiliarPlaces interface {
	Familiar(ctx context.Context, accountID string, hashes []string) (map[string]int64, error)
	Remember(ctx context.Context, accountID string, hashes []string, now int64, limit int) error
}

// Keys are the keys that sign access tokens.
type Keys interface {
	Keys(ctx context.Context) ([]account.Key, error)
	AddKey(ctx context.Context, k account.Key) error
	RetireKey(ctx context.Context, id string, now int64) error
}
