package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"quatuor/api/internal/limit"
	"quatuor/api/internal/ttlcache"
	"quatuor/tournament/account"
)

// Registration is the setting that restricts opening accounts.
type Registration string

// The kinds of registration.
const (
	RegistrationOpen   Registration = "open"
	RegistrationInvite Registration = "invite"
	RegistrationClosed Registration = "closed"
)

// Rate bounds attempts: an attempt an interval in the long run, and a burst at once.
type Rate = limit.Rate

// Limits bound attempts to log in, refresh or register. Attempts to log in that succeed are free. A zero rate allows
// everything.
type Limits struct {
	LoginPair    Rate // failures for a login from the same address, from a browser, or of a session changing its password
	LoginAddress Rate // failures from an address
	LoginAccount Rate // failures for a login from anywhere; near its burst and beyond, answers only become slower
	Register     Rate // accounts opened from an address, or with a code
	Codes        Rate // codes of whatever kind that are not good, from an address
	Mail         Rate // e-mails that an account, or an address without an account, has sent by forms
}

// DefaultLimits suit a club: enough for a room full of people behind a shared address, too few for guessing passwords.
func DefaultLimits() Limits {
	return Limits{
		LoginPair:    Rate{Interval: 10 * time.Second, Burst: 10},
		LoginAddress: Rate{Interval: 2 * time.Second, Burst: 60},
		LoginAccount: Rate{Interval: 10 * time.Second, Burst: 10 + len(slower)},
		Register:     limit.Rate{Interval: 2 * time.Second, Burst: 120},
		Codes:        limit.Rate{Interval: 500 * time.Millisecond, Burst: 240}, // after a round many phones look at their slips once more
		Mail:         limit.Rate{Interval: time.Minute, Burst: 6},
	}
}

// Config holds the dependencies and settings of a guard. Store is required.
type Config struct {
	Store        Store
	Now          func() time.Time                   // nil: time.Now
	Issuer       string                             // of access tokens: the public URL; "" = "quatuor"
	Secure       bool                               // the public URL is https: cookies are for it only
	Registration Registration                       // "" = closed
	Decided      func(context.Context) Registration // where it can be changed while the service runs; nil: Registration
	Resets       func(context.Context) bool         // whether organisers may reset passwords of plain players; nil: never
	Site         string                             // name of the installation, which is no good password
	Named        func(context.Context) string       // the same where it can be changed while the service runs; nil: Site
	Limits       Limits
	PasswordCost PasswordCost // zero: DefaultPasswordCost

	// Attempts counts attempts at all instances together; nil for a single instance.
	Attempts Attempts
	// RememberFor is the TTL of cached accounts, sessions and tokens, and so the longest time that a change by another
	// instance goes unnoticed if its hint is lost. 0 is five seconds.
	RememberFor time.Duration

	// Ended is called after something of an account has ended or changed: sessions, tokens, its role, its being open.
	// It publishes that to other instances ([Guard.ChangedElsewhere]), and must not block. Nil for nothing.
	Ended func(accountID string)
	// LoginFailed is called for each login with a wrong password (ErrBadLogin), and for each that was not tried because
	// too many had failed (a *LimitError). Nil for nothing.
	LoginFailed func(error)
}

// Guard authenticates requests. It is safe for concurrent use.
type Guard struct {
	store   Store
	now     func() time.Time
	issuer  string
	secure  bool
	decided func(context.Context) Registration
	named   func(context.Context) string
	resets  func(context.Context) bool
	setup   setup
	cost    PasswordCost
	dummy   func() string // a hash that no password matches, computed when first needed

	keys        keyRing
	parser      *jwt.Parser
	verified    *ttlcache.Cache[string, access]             // by token
	accounts    *ttlcache.Cache[string, account.Account]    // by id
	credentials *ttlcache.Cache[string, account.Credential] // by hash
	sessions    *ttlcache.Cache[string, bool]               // by family, whether it lives
	holds       holds
	uses        uses
	ended       func(accountID string)
	loginFailed func(error)

	loginPair, loginAddress, loginAccount, loginSlow, register, codes, mail counter

	attempts Attempts // of all instances; nil for a single instance
	waiting  waiting  // attempts to log in that are held up
}

const (
	// rememberFor is the cache's TTL for accounts, sessions and credentials, unless configured otherwise.
	rememberFor = 5 * time.Second
	remembered  = 16384
)

// NewGuard returns a guard.
func NewGuard(c Config) *Guard {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Issuer == "" {
		c.Issuer = "quatuor"
	}
	if c.Registration == "" {
		c.Registration = RegistrationClosed
	}
	if c.Named == nil {
		c.Named = func(context.Context) string { return c.Site }
	}
	if c.Resets == nil {
		c.Resets = func(context.Context) bool { return false }
	}
	if c.Decided == nil {
		c.Decided = func(context.Context) Registration { return c.Registration }
	}
	if c.PasswordCost == (PasswordCost{}) {
		c.PasswordCost = DefaultPasswordCost()
	}
	if c.RememberFor <= 0 {
		c.RememberFor = rememberFor
	}
	if c.Ended == nil {
		c.Ended = func(string) {}
	}
	if c.LoginFailed == nil {
		c.LoginFailed = func(error) {}
	}
	g := &Guard{
		ended: c.Ended, loginFailed: c.LoginFailed,
		store: c.Store, now: c.Now, issuer: c.Issuer, secure: c.Secure, decided: c.Decided,
		named:        c.Named,
		resets:       c.Resets,
		cost:         c.PasswordCost,
		dummy:        sync.OnceValue(c.PasswordCost.dummyHash),
		keys:         keyRing{store: c.Store, now: c.Now, asked: limit.New(unknownKeys, c.Now)},
		verified:     ttlcache.New[string, access](remembered, AccessLife, c.Now),
		accounts:     ttlcache.New[string, account.Account](remembered, c.RememberFor, c.Now),
		credentials:  ttlcache.New[string, account.Credential](remembered, c.RememberFor, c.Now),
		sessions:     ttlcache.New[string, bool](remembered, c.RememberFor, c.Now),
		attempts:     c.Attempts,
		loginPair:    counter{'1', limit.New(c.Limits.LoginPair, c.Now)},
		loginAddress: counter{'2', limit.New(c.Limits.LoginAddress, c.Now)},
		loginAccount: counter{'3', limit.New(c.Limits.LoginAccount, c.Now)},
		loginSlow:    counter{'4', limit.New(delayed, c.Now)},
		register:     counter{'5', limit.New(c.Limits.Register, c.Now)},
		codes:        counter{'6', limit.New(c.Limits.Codes, c.Now)},
		mail:         counter{'7', limit.New(c.Limits.Mail, c.Now)},
	}
	g.parser = g.newParser()
	return g
}

// Authenticate returns the identity behind a request: by its Authorization header, else by its cookie. A header that
// proves nothing is ErrBadToken; a cookie that is no longer good is as good as none.
func (g *Guard) Authenticate(r *http.Request) (Identity, error) {
	ctx := r.Context()
	if headers := r.Header["Authorization"]; len(headers) > 0 {
		scheme, token, found := strings.Cut(headers[0], " ")
		token = strings.TrimSpace(token)
		if len(headers) > 1 || !found || !strings.EqualFold(scheme, "Bearer") || token == "" {
			return Identity{}, ErrBadToken
		}
		if strings.HasPrefix(token, prefixes[account.APIToken]) {
			return g.byCredential(ctx, account.APIToken, token)
		}
		return g.byAccessToken(ctx, token)
	}
	cookie, err := r.Cookie(g.cookieName())
	if err != nil {
		return Identity{}, nil
	}
	who, err := g.byCredential(ctx, account.PageSession, cookie.Value)
	if errors.Is(err, ErrBadToken) {
		return Identity{}, nil
	}
	return who, err
}

func (g *Guard) byAccessToken(ctx context.Context, token string) (Identity, error) {
	now := g.now()
	a, err := g.verifyAccess(ctx, token, now)
	if err != nil {
		return Identity{}, err
	}
	if err := g.session(ctx, a.session, now); err != nil {
		return Identity{}, err
	}
	owner, err := g.account(ctx, a.account, now)
	if err != nil {
		return Identity{}, err
	}
	who := identityOf(owner, ByAccessToken, a.session, scopesOf(owner.Role))
	who.Until = a.expires.UnixMilli()
	return who, nil
}

// session returns ErrBadToken for a session that has ended.
func (g *Guard) session(ctx context.Context, family string, now time.Time) error {
	lives, err := g.sessions.LoadAt(family, now, func() (bool, error) { return g.store.SessionLives(ctx, family) })
	if err == nil && !lives {
		return ErrBadToken
	}
	return err
}

func (g *Guard) byCredential(ctx context.Context, kind account.CredentialKind, secret string) (Identity, error) {
	hash, ok := HashSecret(kind, secret)
	if !ok {
		return Identity{}, ErrBadToken
	}
	c, err := g.credential(ctx, kind, hash)
	if err != nil {
		return Identity{}, err
	}
	owner, err := g.account(ctx, c.AccountID, g.now())
	if err != nil {
		return Identity{}, err
	}
	scopes := scopesOf(owner.Role)
	if kind == account.PageSession {
		who := identityOf(owner, ByCookie, c.ID, scopes)
		who.Until, who.proof = c.ExpiresAt, hash
		return who, nil
	}
	g.noteUse(c)
	who := identityOf(owner, ByAPIToken, c.ID, granted(c, scopes))
	who.Until, who.proof = c.ExpiresAt, hash
	if who.Tournament = c.Tournament; who.Tournament != "" {
		who.PlayerID = ""
	}
	return who, nil
}

func identityOf(a account.Account, by Method, session string, scopes []Scope) Identity {
	return Identity{
		AccountID: a.ID, PlayerID: a.PlayerID, Login: a.Login, Role: a.Role, Language: a.Language, Scopes: scopes, Method: by,
		Session: session,
	}
}

// credential returns the live credential with a hash; ErrBadToken for all others.
func (g *Guard) credential(ctx context.Context, kind account.CredentialKind, hash string) (account.Credential, error) {
	c, err := g.credentials.Load(hash, func() (account.Credential, error) {
		return g.store.CredentialByHash(ctx, kind, hash)
	})
	if errors.Is(err, account.ErrNotFound) {
		return c, ErrBadToken
	}
	if err == nil && (c.Kind != kind || c.RevokedAt != 0 || (c.ExpiresAt != 0 && g.now().UnixMilli() >= c.ExpiresAt)) {
		return c, ErrBadToken
	}
	return c, err
}

// account returns an account that may be used; ErrBadToken if it may not.
func (g *Guard) account(ctx context.Context, id string, now time.Time) (account.Account, error) {
	a, err := g.accounts.LoadAt(id, now, func() (account.Account, error) { return g.store.Account(ctx, id) })
	if errors.Is(err, account.ErrNotFound) || (err == nil && a.DisabledAt != 0) {
		return a, ErrBadToken
	}
	return a, err
}

// AccountChanged invalidates the cached account and its credentials, and ends its holds ([Guard.Hold]): readers of
// streams come back with the account's present rights.
func (g *Guard) AccountChanged(id string) {
	g.accounts.Forget(id)
	g.sessions.Clear()
	g.credentials.Clear()
	g.holds.end(id, func(*Identity) bool { return true })
	g.ended(id)
}

// ChangedElsewhere takes over another instance's change of an account: nothing of it is answered from memory, and its
// holds go on only if they may.
func (g *Guard) ChangedElsewhere(id string) {
	g.accounts.Forget(id)
	g.sessions.Clear()
	g.credentials.Clear()
	for _, h := range g.holds.of(id) {
		g.look(h)
	}
}

// Forget invalidates all that is cached of accounts, since other instances may have changed any of them.
func (g *Guard) Forget() {
	g.accounts.Clear()
	g.sessions.Clear()
	g.credentials.Clear()
}

// PublicKeys returns the keys that access tokens can be checked with.
func (g *Guard) PublicKeys(ctx context.Context) ([]PublicKey, error) { return g.keys.public(ctx) }
