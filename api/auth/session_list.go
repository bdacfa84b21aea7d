package auth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament/account"
)

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
