package auth

import (
	"context"
	"net/http"

	"quatuor/tournament/club"
)

// cookieName has the prefix by which browsers refuse a cookie that is not bound to this host over https; on plain
// http, where such a cookie would never be sent, it has none.
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

// SignIn starts a session of the pages and gives the browser its cookie. Nothing has been written to w before.
func (g *Guard) SignIn(ctx context.Context, w http.ResponseWriter, a club.Account) error {
	secret, c := g.newCredential(club.PageSession, a.ID, sessionLife)
	if err := g.store.AddCredential(ctx, c); err != nil {
		return err
	}
	http.SetCookie(w, g.cookie(secret, int(sessionLife.Seconds())))
	return nil
}

// SignOut ends the session of the pages and takes the cookie back.
func (g *Guard) SignOut(ctx context.Context, w http.ResponseWriter, who Who) error {
	http.SetCookie(w, g.cookie("", -1))
	if who.Means != ByCookie {
		return nil
	}
	return g.EndSession(ctx, who)
}
