// Package club holds the people of an installation: players, the accounts that act for them, and the credentials
// those accounts use. A player exists without an account: club members are entered by the organiser and can be
// claimed later with a code.
package club

import (
	"context"
	"errors"
)

// Errors of this package.
var (
	ErrNotFound = errors.New("there is no such player or account")
	ErrTaken    = errors.New("that login is taken")
	ErrStale    = errors.New("it has been changed meanwhile")
	// ErrReused says that a refresh token was presented a second time: somebody else may hold it.
	ErrReused = errors.New("this refresh token has been used already")
	// ErrLastAdmin refuses what would leave an installation without an open account that is an admin's.
	ErrLastAdmin = errors.New("this is the last admin's account; make another account an admin first")
	// ErrFull says that an account has as many API tokens as it may have.
	ErrFull = errors.New("the account has as many API tokens as it may have")
	// ErrHasPlayer says that an account acts for a player already.
	ErrHasPlayer = errors.New("this account has a player already")
)

// Player is a person who plays.
type Player struct {
	ID        string
	Name      string
	Club      string
	BirthYear int                // 0 if unknown
	Rating    map[string]float64 // rating to start with, by list id
	AccountID string             // "" while unclaimed
	ClaimHash string             // SHA-256 of the claim code in hex, "" if there is none
	CreatedBy string             // account id
	CreatedAt int64              // ms UTC
	Version   int64

	// OpenToChallenges says that the player has accepted casual games before they are created.
	OpenToChallenges bool
}

// Role is what an account may do in the whole installation. Arbiters are named per tournament.
type Role string

// The roles, from least to most.
const (
	RolePlayer    Role = "player"
	RoleOrganiser Role = "organiser"
	RoleAdmin     Role = "admin"
)

// Account is somebody who can log in.
type Account struct {
	ID           string
	Login        string // lower case, unique
	PasswordHash string // PHC string
	Role         Role
	PlayerID     string
	CreatedAt    int64
	DisabledAt   int64 // 0 while it is active
}

// CredentialKind says what an opaque credential is for.
type CredentialKind string

// The kinds of credential. Invitations may be used without an account.
const (
	RefreshToken CredentialKind = "refresh"
	APIToken     CredentialKind = "token"
	PageSession  CredentialKind = "session"
	Invitation   CredentialKind = "invitation"
)

// Credential is an opaque secret, stored as its SHA-256 only.
type Credential struct {
	ID        string
	Kind      CredentialKind
	Hash      string // SHA-256 of the secret, hex; unique
	AccountID string
	Family    string   // all refresh tokens that descend from one login
	Name      string   // what the owner calls an API token
	Scopes    []string // read, play, organise, admin
	CreatedAt int64
	ExpiresAt int64 // 0 = never
	UsedAt    int64 // last use; for refresh tokens and invitations the only one
	RevokedAt int64
}

// Ending says which of an account's credentials end.
type Ending struct {
	Kinds []CredentialKind
	Keep  string // id or family of the one that goes on
	At    int64  // ms UTC
}

// Key is a signing key for access tokens.
type Key struct {
	ID        string
	Private   []byte // Ed25519 seed, 32 bytes
	CreatedAt int64
	RetiredAt int64 // signs no more, still verifies until its tokens have expired
}

// PlayerFilter selects players; empty fields select all.
type PlayerFilter struct {
	Name string // part of the name, case ignored
	Club string
}

// Store keeps people and credentials. Every write is one transaction.
type Store interface {
	// CreateAccount stores an account and, if player is not nil, its player; ErrTaken if the login exists.
	CreateAccount(ctx context.Context, a Account, player *Player) error
	// Invite is CreateAccount that also uses up an invitation (by hash); ErrNotFound if it is not valid at now.
	Invite(ctx context.Context, hash string, now int64, a Account, player *Player) error
	Account(ctx context.Context, id string) (Account, error)
	AccountByLogin(ctx context.Context, login string) (Account, error)
	// UpdateAccount writes what differs between two states of one account: login, password, role, whether it is disabled.
	// ErrStale if one of these is not as in from any more, so that nothing that somebody else changed meanwhile is undone;
	// ErrTaken if another account has the login; ErrLastAdmin if no other account could manage accounts then. Closing an
	// account ends all its credentials for good, at the time at which it was closed.
	UpdateAccount(ctx context.Context, from, to Account) error
	// ChangePassword is UpdateAccount that also ends credentials of the account and forgets what is familiar to it.
	ChangePassword(ctx context.Context, from, to Account, end Ending) error
	CountAccounts(ctx context.Context) (int, error)

	CreatePlayer(ctx context.Context, p ...Player) error
	Player(ctx context.Context, id string) (Player, error)
	Players(ctx context.Context, ids []string) (map[string]Player, error)
	ListPlayers(ctx context.Context, f PlayerFilter, limit int, cursor string) (page []Player, next string, err error)
	// UpdatePlayer writes p if the stored version is from; else ErrStale.
	UpdatePlayer(ctx context.Context, p Player, from int64) error
	// Claim gives the player with this claim hash to the account; ErrNotFound if no code fits, ErrHasPlayer if the account
	// has a player. The player is not open to challenges then, whatever was chosen for it before.
	Claim(ctx context.Context, claimHash, accountID string) (Player, error)

	// AddCredential stores a credential. Like the next two, it answers ErrNotFound if its account is not there, and ErrStale
	// if that is closed.
	AddCredential(ctx context.Context, c Credential) error
	// AddLogin is AddCredential for one that was given for a password; ErrStale also if the account's password hash is not
	// that one any more.
	AddLogin(ctx context.Context, c Credential, passwordHash string) error
	// AddToken is AddCredential for an API token, of which an account may have so many that have not ended at the time at
	// which this one is made; ErrFull if it has.
	AddToken(ctx context.Context, c Credential, limit int) error
	CredentialByHash(ctx context.Context, kind CredentialKind, hash string) (Credential, error)
	Credentials(ctx context.Context, accountID string, kind CredentialKind) ([]Credential, error)
	// Rotate marks the refresh token as used and adds its successor. If it was used or revoked before, the whole
	// family is revoked and ErrReused returned.
	Rotate(ctx context.Context, hash string, next Credential, now int64) error
	// RevokeFamily and RevokeCredential end credentials at once.
	RevokeFamily(ctx context.Context, family string, now int64) error
	RevokeCredential(ctx context.Context, accountID, id string, now int64) error

	// SessionLives reports whether a family of refresh tokens has not been revoked; false for one that never was.
	SessionLives(ctx context.Context, family string) (bool, error)

	// Familiar gives those of the hashes that were remembered for an account, with the time at which they were, in ms UTC.
	Familiar(ctx context.Context, accountID string, hashes []string) (map[string]int64, error)
	// Remember notes hashes for an account, with a time, and keeps the latest of the account's, no more than limit.
	Remember(ctx context.Context, accountID string, hashes []string, now int64, limit int) error

	Keys(ctx context.Context) ([]Key, error)
	AddKey(ctx context.Context, k Key) error
	RetireKey(ctx context.Context, id string, now int64) error
}
