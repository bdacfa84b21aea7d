package auth

import (
	"context"
	"crypto/rand"
	"net/http"
	"regexp"

	"quatuor/tournament/account"
)

// cookieName has the prefix that makes browsers refuse a cookie that is not bound to this host over https. On plain
// http, where browsers would never send that cookie, it has none.
func (g *Guard) cookieName() string {
	if g.secure {
		return "__Host-quatuor"
	}
	return "quatuor"
}

func (g *Guard) cookie(value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: g.cookieName(), Value: value, Path: "/", MaxAge: maxAge,
		Secure: g.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// SignIn starts a session of the pages for an account that CheckLogin returned, and sends the browser two cookies: the
// session's, and the device's, which makes the browser known the next time. Nothing has been written to w before.
func (g *Guard) SignIn(ctx context.Context, w http.ResponseWriter, a account.Account, from Origin) error {
	secret, c := g.newCredential(account.PageSession, a.ID, sessionLife)
	c.Name = from.Agent
	if err := g.addLogin(ctx, c, a); err != nil {
		return err
	}
	http.SetCookie(w, g.cookie(secret, int(sessionLife.Seconds())))
	if from.Device != "" {
		device := g.cookie(from.Device, int(familiarFor.Seconds()))
		device.Name += deviceSuffix
		http.SetCookie(w, device)
	}
	return nil
}

// deviceSuffix ends the name of the cookie that makes a browser known; it proves nothing.
const deviceSuffix = "-device"

// OriginOf returns the origin of a visitor of the pages. A browser without a device cookie gets a new cookie.
func (g *Guard) OriginOf(r *http.Request, address string) Origin {
	from := Origin{Address: address, Agent: browserName(r.UserAgent())}
	if c, err := r.Cookie(g.cookieName() + deviceSuffix); err == nil && deviceForm.MatchString(c.Value) {
		from.Device = c.Value
	} else {
		from.Device = rand.Text()
	}
	return from
}

// deviceForm matches the output of [rand.Text].
var deviceForm = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// SignOut ends the session of the pages and takes the cookie back.
func (g *Guard) SignOut(ctx context.Context, w http.ResponseWriter, who Identity) error {
	http.SetCookie(w, g.cookie("", -1))
	if who.Method != ByCookie {
		return nil
	}
	return g.EndSession(ctx, who)
}
