package auth

import (
	"context"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// Store keeps the state of a [Guard] in a database. Every write is a single transaction; errors are those of package
// account.
type Store interface {
	Accounts
	Credentials
	Sessions
	FamiliarPlaces
	Keys
}

// Accounts are logins with their passwords and roles.
type Accounts interface {
	// CreateAccount stores an account and, if player is not nil, its player; ErrTaken if the login exists.
	CreateAccount(ctx context.Context, a account.Account, player *club.Player) error
	// Invite is CreateAccount that also uses up an invitation (by hash); ErrNotFound if it is not valid at now.
	Invite(ctx context.Context, hash string, now int64, a account.Account, player *club.Player) error
	Account(ctx context.Context, id string) (account.Account, error)
	AccountByLogin(ctx context.Context, login string) (account.Account, error)
	// CreateAccountFor is CreateAccount for an account that claims a player by the hash of the claim code;
	// club.ErrNotFound if no code fits.
	CreateAccountFor(ctx context.Context, claimHash string, a account.Account) (club.Player, error)
	// PlayerByClaim returns the player with a claim hash; club.ErrNotFound if no code fits.
	PlayerByClaim(ctx context.Context, claimHash string) (club.Player, error)
	// Claim connects the player with a claim hash to an account; club.ErrNotFound if no code fits, ErrHasPlayer if the
	// account has a player.
	Claim(ctx context.Context, claimHash, accountID string) (club.Player, error)
	// SetUp stores the first admin's account, its player if that is not nil, and the club's settings; account.ErrSetUp
	// if an admin exists already.
	SetUp(ctx context.Context, s club.Settings, a account.Account, player *club.Player) error
	// HasAdmin reports whether an open account is an admin's.
	HasAdmin(ctx context.Context) (bool, error)
	CountAccounts(ctx context.Context) (int, error)
	// RunsTournament reports whether an account is the organiser's or an arbiter's of any tournament.
	RunsTournament(ctx context.Context, id string) (bool, error)
	// UpdateAccount writes the difference of two states of an account: login, password, role, whether it is disabled.
	// ErrStale if any of these is not as in from any more, so that no concurrent change is lost; ErrTaken if another
	// account has the login; ErrLastAdmin if no other account could manage accounts then. Closing an account ends all its
	// credentials for good, at the time of closing.
	UpdateAccount(ctx context.Context, from, to account.Account) error
	// ChangePassword is UpdateAccount that also ends credentials of the account and forgets its familiar addresses and
	// browsers.
	ChangePassword(ctx context.Context, from, to account.Account, end account.Ending) error
}

// Credentials are opaque secrets of accounts, stored as hashes. Methods that add a credential return ErrNotFound if its
// account is not there, and ErrStale if that is closed.
type Credentials interface {
	AddCredential(ctx context.Context, c account.Credential) error
	// AddToken is AddCredential for an API token. ErrFull if the account has limit API tokens that have not ended when the
	// new token is made.
	AddToken(ctx context.Context, c account.Credential, limit int) error
	CredentialByHash(ctx context.Context, kind account.CredentialKind, hash string) (account.Credential, error)
	Credentials(ctx context.Context, accountID string, kind account.CredentialKind) ([]account.Credential, error)
	// Used notes when credentials were used last, by id, in ms UTC.
	Used(ctx context.Context, at map[string]int64) error
	RevokeCredential(ctx context.Context, accountID, id string, now int64) error
	EndCredentials(ctx context.Context, accountID string, end account.Ending) error
	// Invitations returns the limit newest invitations that can be used, of an account or, for "", of all.
	Invitations(ctx context.Context, accountID string, now int64, limit int) ([]account.Credential, error)
	// AddReset is AddCredential for a password reset, which ends earlier resets of the account.
	AddReset(ctx context.Context, c account.Credential) error
	// ResetPassword uses up a password reset (by hash), writes the new password's hash and the maker's login, and ends
	// credentials of its account; ErrNotFound if it is not valid at the ending's time.
	ResetPassword(ctx context.Context, hash, passwordHash, by string, end account.Ending) (account.Account, error)
}

// Sessions are families of refresh tokens, and sessions of the pages.
type Sessions interface {
	// AddLogin is AddCredential for the first credential of a session that was opened with a password; ErrStale also if
	// the account's password hash has changed. Of the account's open sessions the limit newest go on, by when they were
	// opened or refreshed, and the others end: ended are their families, or the ids of their credentials.
	AddLogin(ctx context.Context, c account.Credential, passwordHash string, limit int) (ended []string, err error)
	// Rotate marks the refresh token as used and adds its successor. If it was used or revoked before, the whole family is
	// revoked and ErrReused returned.
	Rotate(ctx context.Context, hash string, next account.Credential, now int64) error
	// RevokeFamily ends all refresh tokens that descend from a login.
	RevokeFamily(ctx context.Context, family string, now int64) error
	// OpenSessions returns the latest credential of each open session of an account, the latest first.
	OpenSessions(ctx context.Context, accountID string, now int64) ([]account.Credential, error)
	// SessionLives reports whether a family of refresh tokens exists and has not been revoked.
	SessionLives(ctx context.Context, family string) (bool, error)
}

// FamiliarPlaces are the addresses and browsers, as hashes, that have used accounts.
type FamiliarPlaces interface {
	// Familiar returns those of the hashes that were remembered for an account, with the times, in ms UTC.
	Familiar(ctx context.Context, accountID string, hashes []string) (map[string]int64, error)
	// Remember notes hashes for an account, with a time, and keeps the latest of the account's, no more than limit.
	Remember(ctx context.Context, accountID string, hashes []string, now int64, limit int) error
}

// Keys are the signing keys of access tokens.
type Keys interface {
	Keys(ctx context.Context) ([]account.Key, error)
	AddKey(ctx context.Context, k account.Key) error
	// RetireKey notes from when a key signs no more; a key that is retired already keeps its time.
	RetireKey(ctx context.Context, id string, now int64) error
}
