package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/account"
)

// Credentials tests tokens, sessions and signing keys.
func Credentials(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"credentials come back", credentialRoundTrip},
		{"a refresh token is used once", rotate},
		{"a reused token ends its family", reuse},
		{"of many who rotate one token at most one wins", rotateRace},
		{"no token escapes a revocation", revokeRace},
		{"credentials are revoked by their owner", revoke},
		{"signing keys", keys},
	})
}

// login makes an account with a first refresh token.
func login(t *testing.T, p Ports, id string) account.Credential {
	t.Helper()
	must(t, p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: id, Login: id}, nil))
	c := account.Credential{
		ID: id + "-1", Kind: account.RefreshToken, Hash: id + "-hash-1", AccountID: id, Family: "family of " + id,
		CreatedAt: 1000, ExpiresAt: 9000,
	}
	must(t, p.Credentials.AddCredential(t.Context(), c))
	return c
}

// successor is the n-th token of a login.
func successor(c account.Credential, n int) account.Credential {
	c.ID, c.Hash = fmt.Sprint(c.AccountID, "-", n), fmt.Sprint(c.AccountID, "-hash-", n)
	c.CreatedAt += int64(n)
	return c
}

func refresh(t *testing.T, p Ports, hash string) account.Credential {
	t.Helper()
	c, err := p.Credentials.CredentialByHash(t.Context(), account.RefreshToken, hash)
	must(t, err)
	return c
}

func credentialRoundTrip(t *testing.T, p Ports) {
	must(t, p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: "a", Login: "a"}, nil))
	var full account.Credential
	fill(t, &full)
	full.AccountID, full.Kind = "a", account.APIToken
	must(t, p.Tournaments.Create(t.Context(), &tournament.Tournament{ID: full.Tournament}))
	bare := account.Credential{ID: "bare", Kind: account.APIToken, Hash: "bare", AccountID: "a"}
	unowned := account.Credential{ID: "nobody's", Kind: account.Invitation, Hash: "nobody's", Uses: 1}
	for _, c := range []account.Credential{full, bare, unowned} {
		must(t, p.Credentials.AddCredential(t.Context(), c))
		got, err := p.Credentials.CredentialByHash(t.Context(), c.Kind, c.Hash)
		must(t, err)
		equal(t, c.ID, got, c)
	}
	_, err := p.Credentials.CredentialByHash(t.Context(), account.RefreshToken, "bare")
	refused(t, "another kind", err, account.ErrNotFound)
	list, err := p.Credentials.Credentials(t.Context(), "a", account.APIToken)
	must(t, err)
	equal(t, "oldest first", list, []account.Credential{bare, full})
	bare.ID = "again"
	if err := p.Credentials.AddCredential(t.Context(), bare); err == nil {
		t.Error("one secret was stored for two credentials")
	}
	if err := p.Credentials.AddCredential(t.Context(),
		account.Credential{ID: "c", Hash: "c", AccountID: "zoe"}); err == nil {
		t.Error("a credential of an account that is not there was stored")
	}
}

func rotate(t *testing.T, p Ports) {
	first := login(t, p, "a")
	second := successor(first, 2)
	must(t, p.Sessions.Rotate(t.Context(), first.Hash, second, 2000))
	equal(t, "when the first was used", refresh(t, p, first.Hash).UsedAt, 2000)
	equal(t, "the second", refresh(t, p, second.Hash), second)
	third := successor(first, 3)
	must(t, p.Sessions.Rotate(t.Context(), second.Hash, third, 3000))
	late := successor(first, 4)
	refused(t, "an expired token", p.Sessions.Rotate(t.Context(), third.Hash, late, 9000), account.ErrNotFound)
	refused(t, "an unknown token", p.Sessions.Rotate(t.Context(), "unknown", late, 3000), account.ErrNotFound)
	equal(t, "the third, after that", refresh(t, p, third.Hash), third)
}

func reuse(t *testing.T, p Ports) {
	first, other := login(t, p, "a"), login(t, p, "b")
	second, third := successor(first, 2), successor(first, 3)
	must(t, p.Sessions.Rotate(t.Context(), first.Hash, second, 2000))
	refused(t, "the first again", p.Sessions.Rotate(t.Context(), first.Hash, third, 3000), account.ErrReused)
	for _, c := range []account.Credential{first, second} {
		equal(t, c.ID+" revoked", refresh(t, p, c.Hash).RevokedAt, 3000)
	}
	_, err := p.Credentials.CredentialByHash(t.Context(), account.RefreshToken, third.Hash)
	refused(t, "the token asked for", err, account.ErrNotFound)
	refused(t, "the second, now revoked", p.Sessions.Rotate(t.Context(), second.Hash, third, 4000), account.ErrReused)
	must(t, p.Sessions.Rotate(t.Context(), other.Hash, successor(other, 2), 3000))
}

func rotateRace(t *testing.T, p Ports) {
	first := login(t, p, "a")
	race(t, 8, account.ErrReused, func(i int) error {
		return p.Sessions.Rotate(t.Context(), first.Hash, successor(first, 2+i), 2000)
	})
	list, err := p.Credentials.Credentials(t.Context(), "a", account.RefreshToken)
	must(t, err)
	equal(t, "tokens", len(list), 2)
	for _, c := range list {
		equal(t, c.ID+" revoked", c.RevokedAt, 2000)
	}
}

// revokeRace rotates on and on while the family is revoked: whatever won, nothing of it may stay valid.
func revokeRace(t *testing.T, p Ports) {
	for round := range 10 {
		id := fmt.Sprint("a", round)
		first := login(t, p, id)
		var group sync.WaitGroup
		group.Go(func() {
			token := first
			for n := 2; n < 8; n++ {
				next := successor(first, n)
				if err := p.Sessions.Rotate(t.Context(), token.Hash, next, 2000); err != nil {
					refused(t, "rotating", err, account.ErrReused)
					return
				}
				token = next
			}
		})
		group.Go(func() {
			if err := p.Sessions.RevokeFamily(t.Context(), first.Family, 2000); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
		list, err := p.Credentials.Credentials(t.Context(), id, account.RefreshToken)
		must(t, err)
		if i := slices.IndexFunc(list, func(c account.Credential) bool { return c.RevokedAt == 0 }); i >= 0 {
			t.Errorf("token %s is still valid", list[i].ID)
		}
	}
}

func revoke(t *testing.T, p Ports) {
	c := login(t, p, "a")
	login(t, p, "b")
	refused(t, "another's", p.Credentials.RevokeCredential(t.Context(), "b", c.ID, 2000), account.ErrNotFound)
	refused(t, "unknown", p.Credentials.RevokeCredential(t.Context(), "a", "unknown", 2000), account.ErrNotFound)
	equal(t, "not revoked yet", refresh(t, p, c.Hash).RevokedAt, 0)
	must(t, p.Credentials.RevokeCredential(t.Context(), "a", c.ID, 2000))
	must(t, p.Credentials.RevokeCredential(t.Context(), "a", c.ID, 3000))
	must(t, p.Sessions.RevokeFamily(t.Context(), c.Family, 4000))
	equal(t, "when it was revoked", refresh(t, p, c.Hash).RevokedAt, 2000)
	must(t, p.Credentials.AddCredential(t.Context(), account.Credential{
		ID: "t", Kind: account.APIToken, Hash: "t", AccountID: "a",
	}))
	must(t, p.Sessions.RevokeFamily(t.Context(), "", 4000))
	list, err := p.Credentials.Credentials(t.Context(), "a", account.APIToken)
	must(t, err)
	equal(t, "a token without family, after revoking no family", list[0].RevokedAt, 0)
}

func keys(t *testing.T, p Ports) {
	ctx := t.Context()
	var want []account.Key
	for i := range 2 {
		var k account.Key
		fill(t, &k)
		k.ID = fmt.Sprint("key", i)
		k.CreatedAt = int64(1000 + i)
		k.RetiredAt = 0
		k.Private = []byte{0, byte(i), 0xff}
		must(t, p.Keys.AddKey(ctx, k))
		want = append(want, k)
	}
	must(t, p.Keys.RetireKey(ctx, "key0", 5000))
	must(t, p.Keys.RetireKey(ctx, "key0", 6000))
	want[0].RetiredAt = 5000
	refused(t, "an unknown key", p.Keys.RetireKey(ctx, "key9", 5000), account.ErrNotFound)
	got, err := p.Reopen(t).Keys.Keys(ctx)
	must(t, err)
	equal(t, "keys after a restart", got, want)
}
