// Package auth authenticates and authorizes requests: passwords, tokens, sessions and roles.
//
// Access tokens are short-lived JWTs (EdDSA); everything that lives longer is opaque (see [NewSecret]) and stored as
// its SHA-256 only. Scopes limit the rights of a token, roles those of an account ([May]); a request needs both. The
// account of a request is cached for a few seconds, so that a busy server does not read it from the database with every
// move; changes made through this process count at once, those made through another after that time. Streams and other
// long requests are held ([Guard.Hold]) and end with the right to them.
//
// Guessing a password is limited for each login from each address; from many addresses together it becomes slow, but
// the owner of the password is never refused because others guess. Addresses and browsers that have used the account
// before are not slowed down.
package auth

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/tournament"
	"quatuor/tournament/account"
)

// Errors of this package.
var (
	ErrBadLogin    = errors.New("login or password is wrong")
	ErrBadToken    = errors.New("the token is not valid, has expired or was revoked")
	ErrNeeded      = errors.New("this needs an account: log in, or send a token")
	ErrScope       = errors.New("this token may not be used for that")
	ErrRole        = errors.New("this account may not do that")
	ErrSessionOnly = errors.New("this cannot be done with an API token; log in instead")
	// ErrConfined refuses a token for a single tournament outside it. It is an ErrScope.
	ErrConfined = fmt.Errorf("%w: it is for one tournament, and for what the API names its scopes for", ErrScope)
	ErrClosed   = errors.New("accounts cannot be opened here; ask the operator")
	ErrNotSetUp = errors.New("this installation is not set up yet: its organiser opens the first account at the " +
		"address that the server printed when it started")
	ErrInvitation = errors.New("the invitation is missing, was used, or has expired")
	ErrTooMany    = errors.New("too many attempts")
	ErrSetupCode  = errors.New("this is not the code that the server printed when it started; it prints a new one " +
		"with each start")
	ErrResetCode  = errors.New("this link for a new password was used, or has expired; ask for another one")
	ErrAdminReset = errors.New("this takes an admin: organisers may have passwords set anew where the club's settings " +
		"say so, and only for players without any other role, in a tournament too")
	ErrClaimCode = errors.New("no player has this code, or it was used already")
	ErrOwnReset  = errors.New("this is your own account: change its password yourself")
)

// Scope is a permission of a token.
type Scope string

// The scopes.
const (
	ScopeRead     Scope = "read"
	ScopePlay     Scope = "play"
	ScopeOrganise Scope = "organise"
	ScopeAdmin    Scope = "admin"
)

// The scopes of tokens for a single tournament. Sessions do not have them.
const (
	ScopeDisplay Scope = "display" // see it as the public does; the other two include it
	ScopeBoard   Scope = "board"   // moves of boards, and records of games in the hall
	ScopeHelper  Scope = "helper"  // results and check-in
)

// Method is a request's proof of its identity.
type Method uint8

// The methods.
const (
	ByNothing     Method = iota
	ByAccessToken        // a JWT of a session
	ByAPIToken           // a personal token
	ByCookie             // a session of the pages
)

// Identity is the account behind a request. The zero Identity is anonymous.
type Identity struct {
	AccountID string
	PlayerID  string // "" for an account without a player
	Login     string
	Role      account.Role
	Language  string // language of the pages for its owner, "" for the browser's choice
	Scopes    []Scope
	Method    Method
	Session   string // family of the access token, or credential of the cookie or API token
	// Tournament confines an API token to a tournament; "" for no bounds. Its owner is no player then.
	Tournament string
	Until      int64  // when the proof expires, ms UTC; 0 = never
	Address    string // [AddressKey] of the client, also if anonymous; "" where it is not known
	proof      string // hash of the cookie or API token
}

// Anonymous reports whether the request has no account.
func (w Identity) Anonymous() bool { return w.AccountID == "" }

// Has reports whether the token may be used for all of these.
func (w Identity) Has(scopes ...Scope) bool {
	for _, s := range scopes {
		if !slices.Contains(w.Scopes, s) {
			return false
		}
	}
	return true
}

// Level returns the level of the account in the installation.
func (w Identity) Level() Level {
	switch w.Role {
	case account.RoleAdmin:
		return Admin
	case account.RoleOrganiser:
		return Organiser
	case account.RolePlayer:
		return Player
	}
	return Anonymous
}

// LevelIn returns the level of the account in a tournament; organisers of other tournaments are players there.
func (w Identity) LevelIn(t *tournament.Tournament) Level {
	switch {
	case w.Anonymous():
		return Anonymous
	case w.Role == account.RoleAdmin:
		return Admin
	case w.AccountID == t.Organiser:
		return Organiser
	case slices.Contains(t.Arbiters, w.AccountID):
		return Arbiter
	}
	return Player
}

// scopesOf returns the scopes of sessions of an account with this role. The lists are shared, and not to be changed.
func scopesOf(role account.Role) []Scope {
	if role == account.RoleAdmin {
		return scopesOfAdmins
	}
	return scopesOfOthers
}

var (
	scopesOfAdmins = []Scope{ScopeRead, ScopePlay, ScopeOrganise, ScopeAdmin}
	scopesOfOthers = []Scope{ScopeRead, ScopePlay, ScopeOrganise}
)

// ContextKey is the type of the key under which a request's context holds its *[Identity].
type ContextKey struct{}

// With returns a context that holds the identity.
func With(ctx context.Context, w Identity) context.Context {
	return context.WithValue(ctx, ContextKey{}, &w)
}

// From returns the identity that a context holds; anonymous if it holds none.
func From(ctx context.Context) Identity {
	if w, ok := ctx.Value(ContextKey{}).(*Identity); ok {
		return *w
	}
	return Identity{}
}

// Session returns the identity of a browser's session.
func Session(c echo.Context) Identity { return From(c.Request().Context()) }
