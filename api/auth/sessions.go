package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"quatuor/api/internal/limit"
	"quatuor/tournament/account"
)

// sessionLife is the validity of a session that is not used.
const sessionLife = 30 * 24 * time.Hour

// maxSessions bounds the open sessions of an account; a new session ends the oldest.
const maxSessions = 100

// Tokens are the answer to a login or a refresh.
type Tokens struct {
	Access  string
	Expires time.Duration // of the access token
	Refresh string
}

// LimitError is ErrTooMany with the figures for the client.
type LimitError struct{ Verdict limit.Verdict }

// Error returns the message for people.
func (e *LimitError) Error() string { return ErrTooMany.Error() }

// Unwrap returns ErrTooMany.
func (e *LimitError) Unwrap() error { return ErrTooMany }

// OpenSession starts a session of tokens for an account that CheckLogin returned; ErrBadLogin if its password was
// changed, or the account closed, since then.
func (g *Guard) OpenSession(ctx context.Context, a account.Account) (Tokens, error) {
	family := newID()
	refresh, c := g.newCredential(account.RefreshToken, a.ID, sessionLife)
	c.Family = family
	if err := g.addLogin(ctx, c, a); err != nil {
		return Tokens{}, err
	}
	return g.tokens(ctx, a.ID, family, refresh)
}

// addLogin stores the first credential of a session, and has the sessions that end by it end here at once.
func (g *Guard) addLogin(ctx context.Context, c account.Credential, a account.Account) error {
	ended, err := g.store.AddLogin(ctx, c, a.PasswordHash, maxSessions)
	if errors.Is(err, account.ErrStale) {
		return ErrBadLogin
	}
	if len(ended) > 0 {
		g.credentials.Clear()
	}
	for _, session := range ended {
		g.sessionEnded(a.ID, session)
	}
	return err
}

func (g *Guard) tokens(ctx context.Context, owner, family, refresh string) (Tokens, error) {
	access, err := g.signAccess(ctx, owner, family)
	return Tokens{Access: access, Expires: AccessLife, Refresh: refresh}, err
}

// Refresh exchanges a refresh token for new tokens. ErrBadToken if it is not good; account.ErrReused if it was used
// before, which ends its session.
func (g *Guard) Refresh(ctx context.Context, token string) (Tokens, error) {
	hash, ok := HashSecret(account.RefreshToken, token)
	if !ok {
		return Tokens{}, ErrBadToken
	}
	old, err := g.store.CredentialByHash(ctx, account.RefreshToken, hash)
	if errors.Is(err, account.ErrNotFound) {
		return Tokens{}, ErrBadToken
	}
	if err != nil {
		return Tokens{}, err
	}
	at := g.now()
	now := at.UnixMilli()
	if old.UsedAt == 0 && (old.RevokedAt != 0 || now >= old.ExpiresAt) {
		return Tokens{}, ErrBadToken
	}
	if _, err := g.account(ctx, old.AccountID, at); err != nil {
		return Tokens{}, err
	}
	secret, next := g.newCredential(account.RefreshToken, old.AccountID, sessionLife)
	next.Family = old.Family
	err = g.store.Rotate(ctx, hash, next, now)
	switch {
	case errors.Is(err, account.ErrReused):
		g.sessionEnded(old.AccountID, old.Family)
	case errors.Is(err, account.ErrNotFound), errors.Is(err, account.ErrStale): // just expired, or the account was closed
		err = ErrBadToken
	}
	if err != nil {
		return Tokens{}, err
	}
	return g.tokens(ctx, old.AccountID, old.Family, secret)
}

// EndSession ends the session that a request belongs to; ErrSessionOnly for an API token, which has none.
func (g *Guard) EndSession(ctx context.Context, w Identity) error {
	switch w.Method {
	case ByAccessToken:
		defer g.sessionEnded(w.AccountID, w.Session)
		return g.store.RevokeFamily(ctx, w.Session, g.now().UnixMilli())
	case ByCookie:
		return g.revoke(ctx, w.AccountID, w.Session)
	case ByAPIToken:
		return ErrSessionOnly
	}
	return ErrNeeded
}

// sessionEnded invalidates the cache of a session, and ends its holds.
func (g *Guard) sessionEnded(owner, family string) {
	g.sessions.Forget(family)
	g.holds.end(owner, func(w *Identity) bool { return w.Session == family })
	g.ended(owner)
}

// revoke ends a credential. Which hash it is cached under is not known here, so all are invalidated.
func (g *Guard) revoke(ctx context.Context, accountID, id string) error {
	defer g.ended(accountID)
	defer g.holds.end(accountID, func(w *Identity) bool { return w.Session == id })
	defer g.credentials.Clear()
	return g.store.RevokeCredential(ctx, accountID, id, g.now().UnixMilli())
}

// NewPassword is the data of a change of password.
type NewPassword struct {
	Present, Next string
	EndTokens     bool // end the account's API tokens, too
}

// CheckPassword returns the identity's account if the password is right. ErrBadLogin if it is not; ErrSessionOnly for
// an API token. Wrong guesses are counted by session, so that others cannot block it.
func (g *Guard) CheckPassword(ctx context.Context, w Identity, password string) (account.Account, error) {
	if w.Method == ByAPIToken {
		return account.Account{}, ErrSessionOnly
	}
	guess, _, err := g.count(ctx, try{counter: g.loginPair, key: w.Session})
	if err != nil {
		return account.Account{}, err
	}
	owner, err := g.store.Account(ctx, w.AccountID)
	if err != nil {
		return owner, err
	}
	ok, _, err := g.cost.check(ctx, owner.PasswordHash, password)
	if err != nil {
		return owner, err
	}
	if !ok {
		return owner, ErrBadLogin
	}
	guess.back(ctx)
	return owner, nil
}

// ChangePassword sets a new password and ends all other sessions of the account. ErrBadLogin if the present password is
// wrong; an *InvalidField if the new password cannot be taken; ErrSessionOnly for an API token. Wrong guesses are
// counted by session, so that others cannot block it.
func (g *Guard) ChangePassword(ctx context.Context, w Identity, n NewPassword) error {
	if w.Method == ByAPIToken {
		return ErrSessionOnly
	}
	if err := g.checkChoice(ctx, w.Login, n.Next); err != nil {
		return err
	}
	owner, err := g.CheckPassword(ctx, w, n.Present)
	if err != nil {
		return err
	}
	to := owner
	if to.PasswordHash, err = g.HashPassword(ctx, n.Next); err != nil {
		return err
	}
	end := account.Ending{
		Kinds: []account.CredentialKind{account.RefreshToken, account.PageSession}, Keep: w.Session, At: g.now().UnixMilli(),
	}
	if n.EndTokens {
		end.Kinds = append(end.Kinds, account.APIToken)
	}
	err = g.store.ChangePassword(ctx, owner, to, end)
	if errors.Is(err, account.ErrStale) {
		return ErrBadLogin // it has just been changed: the password in the request is out of date
	}
	g.sessions.Clear()
	g.credentials.Clear()
	g.holds.end(w.AccountID, func(h *Identity) bool {
		return h.Session != w.Session && (n.EndTokens || h.Method != ByAPIToken)
	})
	g.ended(w.AccountID)
	return err
}

func (g *Guard) newCredential(kind account.CredentialKind, owner string, life time.Duration) (
	string, account.Credential,
) {
	secret, hash := NewSecret(kind)
	now := g.now()
	return secret, account.Credential{
		ID: newID(), Kind: kind, Hash: hash, AccountID: owner,
		CreatedAt: now.UnixMilli(), ExpiresAt: now.Add(life).UnixMilli(),
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// Life bounds how long credentials of a kind last after they were made or used.
type Life struct {
	Kind          account.CredentialKind
	OneTournament bool // of API tokens: those for a single tournament
	Most          time.Duration
}

// Lives returns the bounds of all kinds of credentials that are bounded. API tokens for all tournaments may last for
// ever.
func Lives() []Life {
	return []Life{
		{account.RefreshToken, false, sessionLife},
		{account.PageSession, false, sessionLife},
		{account.PasswordReset, false, resetLife},
		{account.SetupCode, false, setupLife},
		{account.APIToken, true, maxTournamentTokenLife},
	}
}

// OpenSession is an open session of an account.
type OpenSession struct {
	ID      string // of the session, not of its credential
	Pages   bool   // of a browser, not of an app
	Device  string // the browser's own name, "" where that is not known
	Since   int64  // when it was opened, or last refreshed, ms UTC
	Current bool   // the session of the request
}

// Sessions returns the identity's open sessions, the latest first.
func (g *Guard) Sessions(ctx context.Context, w Identity) ([]OpenSession, error) {
	rows, err := g.store.OpenSessions(ctx, w.AccountID, g.now().UnixMilli())
	open := make([]OpenSession, len(rows))
	for i, c := range rows {
		id := cmp.Or(c.Family, c.ID)
		open[i] = OpenSession{
			ID: id, Pages: c.Kind == account.PageSession, Device: c.Name, Since: c.CreatedAt,
			Current: w.Method != ByAPIToken && id == w.Session,
		}
	}
	return open, err
}

// EndSessionOf ends a session of the identity; account.ErrNotFound if it does not exist, ErrSessionOnly for an API
// token.
func (g *Guard) EndSessionOf(ctx context.Context, w Identity, id string) error {
	if w.Method == ByAPIToken {
		return ErrSessionOnly
	}
	open, err := g.Sessions(ctx, w)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(open, func(s OpenSession) bool { return s.ID == id })
	switch {
	case i < 0:
		return fmt.Errorf("session %s: %w", id, account.ErrNotFound)
	case open[i].Pages:
		return g.revoke(ctx, w.AccountID, id)
	}
	defer g.sessionEnded(w.AccountID, id)
	return g.store.RevokeFamily(ctx, id, g.now().UnixMilli())
}

// EndSessions ends all of the identity's sessions, its own too; API tokens go on. ErrSessionOnly for an API token.
func (g *Guard) EndSessions(ctx context.Context, w Identity) error {
	if w.Method == ByAPIToken {
		return ErrSessionOnly
	}
	end := account.Ending{
		Kinds: []account.CredentialKind{account.RefreshToken, account.PageSession}, At: g.now().UnixMilli(),
	}
	if err := g.store.EndCredentials(ctx, w.AccountID, end); err != nil {
		return err
	}
	g.sessions.Clear()
	g.credentials.Clear()
	g.holds.end(w.AccountID, func(h *Identity) bool { return h.Method != ByAPIToken })
	g.ended(w.AccountID)
	return nil
}

// SetLanguage stores the language of the pages for the identity's owner; "" leaves that to the browser.
func (g *Guard) SetLanguage(ctx context.Context, w Identity, language string) error {
	from, err := g.store.Account(ctx, w.AccountID)
	if err != nil {
		return err
	}
	to := from
	to.Language = language
	if err := g.store.UpdateAccount(ctx, from, to); err != nil {
		return err
	}
	g.accounts.Forget(w.AccountID)
	g.ended(w.AccountID)
	return nil
}

// browsers and systems are matched against the User-Agent header; the first match counts, since most browsers also name
// others.
var (
	browsers = [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"Chromium/", "Chromium"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	}
	systems = [][2]string{
		{"Android", "Android"},
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"CrOS", "ChromeOS"},
		{"Windows", "Windows"},
		{"Mac OS X", "macOS"},
		{"Linux", "Linux"},
	}
)

// browserName returns the names of a browser and its system, "" where neither is known. It never holds anything but the
// names above: others' texts do not get into lists by it.
func browserName(userAgent string) string {
	find := func(known [][2]string) string {
		for _, k := range known {
			if strings.Contains(userAgent, k[0]) {
				return k[1]
			}
		}
		return ""
	}
	browser, system := find(browsers), find(systems)
	if browser != "" && system != "" {
		return browser + ", " + system
	}
	return browser + system
}
