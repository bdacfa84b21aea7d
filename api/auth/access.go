package auth

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
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
