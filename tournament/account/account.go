// Package account holds the accounts of an installation with their roles, the credentials and signing keys that prove
// an account, and the replies to requests that may be repeated. It holds values and errors only; packages that need a
// store declare the methods they need. Players, with or without an account, are in package club.
package account

import "errors"

// Errors of this package.
var (
	// ErrNotFound means that an account, or a credential or key of it, does not exist.
	ErrNotFound = errors.New("there is no such account or token")
	// ErrTaken means that another account has the login.
	ErrTaken = errors.New("that login is taken")
	// ErrStale means that an account was changed or closed since it was read.
	ErrStale = errors.New("the account has been changed meanwhile")
	// ErrReused means that a refresh token was presented a second time: it may have been stolen.
	ErrReused = errors.New("this refresh token has been used already")
	// ErrLastAdmin refuses what would leave an installation without an open account that is an admin's.
	ErrLastAdmin = errors.New("this is the last admin's account; make another account an admin first")
	// ErrFull means that an account has reached its limit of API tokens.
	ErrFull = errors.New("the account has as many API tokens as it may have")
	// ErrHasPlayer means that an account acts for a player already.
	ErrHasPlayer = errors.New("this account has a player already")
	// ErrSetUp means that an installation has an admin already, and is not set up a second time.
	ErrSetUp = errors.New("this installation has been set up already; log in instead")
)

// Role is the power of an account in the whole installation. Arbiters are named per tournament.
type Role string

// The roles, from least to most.
const (
	RolePlayer    Role = "player"
	RoleOrganiser Role = "organiser"
	RoleAdmin     Role = "admin"
)

// Account is a login with a password and a role.
type Account struct {
	ID           string
	Login        string // lower case, unique
	PasswordHash string // PHC string
	Role         Role
	PlayerID     string
	CreatedAt    int64
	DisabledAt   int64  // 0 while it is active
	Gone         int64  // number of the deleted person; 0 for others
	Language     string // language of the pages for its owner, "" for the browser's choice

	// ResetBy is the login of the account that last reset the password with a link, and ResetAt when the link was used;
	// both are empty once the owner has seen them.
	ResetBy string
	ResetAt int64 // ms UTC
}

// Filter selects accounts; empty fields select all.
type Filter struct {
	Text     string // part of the login or of the player's name, case ignored
	Role     Role
	Disabled bool // only those that are disabled
}

// Ending selects the credentials of an account that end.
type Ending struct {
	Kinds []CredentialKind
	Keep  string // id or family of the session that goes on
	At    int64  // ms UTC
}
