package auth

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	"quatuor/tournament/account"
)

const (
	// AccessLife is the validity of an access token.
	AccessLife = 15 * time.Minute
	// leeway is the tolerated difference between the clocks of two of our instances.
	leeway = 5 * time.Second
	// audience keeps tokens that others sign for other ends out, and ours from being taken for theirs.
	audience = "quatuor-api"
)

// accessClaims are the claims of an access token. The account's rights are not among them: they are looked up when the
// token is used.
type accessClaims struct {
	jwt.RegisteredClaims
	Session string `json:"sid"`
}

// access is the content of a verified access token.
type access struct {
	account, session string
	expires          time.Time
}

// signAccess returns an access token for an account's session.
func (g *Guard) signAccess(ctx context.Context, account, session string) (string, error) {
	key, err := g.keys.sign(ctx)
	if err != nil {
		return "", err
	}
	now := g.now()
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, accessClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: g.issuer, Audience: jwt.ClaimStrings{audience}, Subject: account, ID: uuid.Must(uuid.NewV7()).String(),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(AccessLife)),
		},
		Session: session,
	})
	token.Header["kid"] = key.ID
	return token.SignedString(ed25519.NewKeyFromSeed(key.Private))
}

// verifyAccess returns the content of an access token that is good. It is cached until it expires: checking its
// signature takes longer than all the rest of authentication.
func (g *Guard) verifyAccess(ctx context.Context, text string, now time.Time) (access, error) {
	if a, ok := g.verified.GetAt(text, now); ok {
		return a, nil
	}
	epoch := g.verified.Epoch()
	var claims accessClaims
	var failed error // of the store, not of the token
	_, err := g.parser.ParseWithClaims(text, &claims, func(t *jwt.Token) (any, error) {
		kid, ok := t.Header["kid"].(string)
		if !ok || kid == "" {
			return nil, ErrBadToken
		}
		key, err := g.keys.verify(ctx, kid)
		if err != nil && !errors.Is(err, ErrBadToken) {
			failed = fmt.Errorf("checking an access token: %w", err)
		}
		return key, err
	})
	switch {
	case failed != nil:
		return access{}, failed
	case err != nil, claims.Subject == "", claims.Session == "":
		return access{}, ErrBadToken
	}
	a := access{account: claims.Subject, session: claims.Session, expires: claims.ExpiresAt.Time}
	g.verified.Keep(epoch, text, a, a.expires)
	return a, nil
}

func (g *Guard) newParser() *jwt.Parser {
	return jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodEdDSA.Alg()}),
		jwt.WithIssuer(g.issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(leeway),
		jwt.WithTimeFunc(g.now),
		jwt.WithStrictDecoding(),
	)
}

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
