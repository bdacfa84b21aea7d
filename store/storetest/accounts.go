package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// Accounts tests the losses of an account that is closed or gets another password, and the counts made under its lock.
func Accounts(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"closing ends all credentials for good", closing},
		{"nothing is added to a closed account", addToClosed},
		{"no credential escapes the closing", closeRace},
		{"the last admin stays", lastAdmin},
		{"admins who close each other leave one", lastAdminRace},
		{"of many tokens no more than allowed are kept", tokenRace},
		{"a new session ends the oldest beyond the limit", oldestSession},
		{"of many sessions no more than allowed stay open", sessionRace},
		{"a new password ends what it should", newPassword},
		{"a login with the old password does not escape its change", loginRace},
		{"a session lives until its family is revoked", sessionLives},
		{"what is familiar", familiar},
		{"of two who set up one succeeds", setUpRace},
		{"the club's settings", clubSettings},
		{"a password is reset once", resetRace},
		{"an invitation for several", inviteSeveral},
		{"an account for a player in the list", accountForPlayer},
		{"accounts are listed", listAccounts},
		{"two records of one player are merged", mergePlayers},
	})
}

// credentials returns all of an account's credentials that are not revoked, by id.
func credentials(t *testing.T, p Ports, owner string) (live []string) {
	t.Helper()
	for _, kind := range []account.CredentialKind{
		account.APIToken, account.RefreshToken, account.PageSession,
		account.Invitation,
	} {
		list, err := p.Credentials.Credentials(t.Context(), owner, kind)
		must(t, err)
		for _, c := range list {
			if c.RevokedAt == 0 {
				live = append(live, c.ID)
			}
		}
	}
	slices.Sort(live)
	return live
}

// equip adds a credential of each kind to an account.
func equip(t *testing.T, p Ports, owner string) {
	t.Helper()
	for _, kind := range []account.CredentialKind{
		account.APIToken, account.RefreshToken, account.PageSession,
		account.Invitation,
	} {
		id := owner + " " + string(kind)
		c := account.Credential{ID: id, Hash: id, Kind: kind, AccountID: owner}
		if kind == account.RefreshToken {
			c.Family = "family of " + owner
		}
		must(t, p.Credentials.AddCredential(t.Context(), c))
	}
}

func closing(t *testing.T, p Ports) {
	read := account.Account{ID: "a", Login: "a"}
	must(t, p.NewAccounts.CreateAccount(t.Context(), read, nil))
	must(t, p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: "b", Login: "b"}, nil))
	equip(t, p, "a")
	equip(t, p, "b")
	equal(t, "live", len(credentials(t, p, "a")), 4)
	shut := read
	shut.DisabledAt = 5000
	must(t, p.Accounts.UpdateAccount(t.Context(), read, shut))
	must(t, p.Accounts.UpdateAccount(t.Context(), shut, read))
	equal(t, "live after it was opened again", credentials(t, p, "a"), nil)
	equal(t, "another's", len(credentials(t, p, "b")), 4)
	c, err := p.Credentials.CredentialByHash(t.Context(), account.APIToken, "a token")
	must(t, err)
	equal(t, "when it ended", c.RevokedAt, 5000)
	refused(t, "the old refresh token", p.Sessions.Rotate(t.Context(), "a refresh", account.Credential{ID: "n", Hash: "n"},
		6000), account.ErrReused)
}

func addToClosed(t *testing.T, p Ports) {
	must(t, p.NewAccounts.CreateAccount(t.Context(),
		account.Account{ID: "a", Login: "a", PasswordHash: "x", DisabledAt: 1000}, nil))
	c := account.Credential{ID: "c", Hash: "c", Kind: account.APIToken, AccountID: "a"}
	refused(t, "a credential", p.Credentials.AddCredential(t.Context(), c), account.ErrStale)
	_, err := p.Sessions.AddLogin(t.Context(), c, "x", 100)
	refused(t, "a login", err, account.ErrStale)
	refused(t, "a token", p.Credentials.AddToken(t.Context(), c, 100), account.ErrStale)
	must(t, p.Players.CreatePlayer(t.Context(), club.Player{ID: "p", Name: "P", AccountID: "a"}))
	opponents, err := p.Players.Opponents(t.Context(), []string{"p"}, "q")
	must(t, err)
	if !opponents["p"].Closed || opponents["p"].Blocks {
		t.Errorf("a player whose account is closed is %+v", opponents["p"])
	}
	c.AccountID = "nobody"
	refused(t, "an unknown account's", p.Credentials.AddCredential(t.Context(), c), account.ErrNotFound)
}

// closeRace opens sessions, makes tokens and rotates on and on while the account is closed.
func closeRace(t *testing.T, p Ports) {
	for round := range 5 {
		id := fmt.Sprint("a", round)
		first := login(t, p, id)
		read := account.Account{ID: id, Login: id}
		var group sync.WaitGroup
		for i := range 32 {
			group.Go(func() {
				c := account.Credential{
					ID: fmt.Sprint(id, " ", i), Hash: fmt.Sprint(id, " ", i), Kind: account.APIToken, AccountID: id,
				}
				var err error
				switch i % 4 {
				case 0:
					err = p.Credentials.AddToken(t.Context(), c, 100)
				case 1:
					c.Kind = account.PageSession
					_, err = p.Sessions.AddLogin(t.Context(), c, "", 100)
				case 2:
					err = p.Sessions.Rotate(t.Context(), first.Hash, successor(first, 2+i), 2000)
				case 3:
					shut := read
					shut.DisabledAt = 3000
					err = p.Accounts.UpdateAccount(t.Context(), read, shut)
				}
				if err != nil && !errors.Is(err, account.ErrStale) && !errors.Is(err, account.ErrReused) {
					t.Error(err)
				}
			})
		}
		group.Wait()
		equal(t, "live after closing", credentials(t, p, id), nil)
	}
}

func lastAdmin(t *testing.T, p Ports) {
	admin := func(id string) account.Account { return account.Account{ID: id, Login: id, Role: account.RoleAdmin} }
	for _, a := range []account.Account{admin("a"), admin("b"), {ID: "c", Login: "c", Role: account.RoleOrganiser}} {
		must(t, p.NewAccounts.CreateAccount(t.Context(), a, nil))
	}
	shut, lesser, renamed := admin("a"), admin("b"), admin("b")
	shut.DisabledAt = 1000
	lesser.Role = account.RolePlayer
	renamed.PasswordHash = "new"
	must(t, p.Accounts.UpdateAccount(t.Context(), admin("a"), shut))
	refused(t, "less rights for the last one", p.Accounts.UpdateAccount(t.Context(), admin("b"), lesser),
		account.ErrLastAdmin)
	lesser.Role, lesser.DisabledAt = account.RoleAdmin, 1000
	refused(t, "closing the last one", p.Accounts.UpdateAccount(t.Context(), admin("b"), lesser), account.ErrLastAdmin)
	must(t, p.Accounts.UpdateAccount(t.Context(), admin("b"), renamed))
	got, err := p.Accounts.Account(t.Context(), "b")
	must(t, err)
	equal(t, "the last admin", got, renamed)
}

func lastAdminRace(t *testing.T, p Ports) {
	const many = 32
	admin := func(i int) account.Account {
		return account.Account{ID: fmt.Sprint("a", i), Login: fmt.Sprint("a", i), Role: account.RoleAdmin}
	}
	for i := range many {
		must(t, p.NewAccounts.CreateAccount(t.Context(), admin(i), nil))
	}
	stayed := make([]error, many)
	var group sync.WaitGroup
	for i := range many {
		group.Go(func() {
			less := admin(i)
			less.Role = account.RolePlayer
			if i%2 == 0 {
				less.Role, less.DisabledAt = account.RoleAdmin, 1000
			}
			stayed[i] = p.Accounts.UpdateAccount(t.Context(), admin(i), less)
		})
	}
	group.Wait()
	left := 0
	for i, err := range stayed {
		if err != nil {
			refused(t, "taking an admin's rights away", err, account.ErrLastAdmin)
		}
		a, err := p.Accounts.Account(t.Context(), admin(i).ID)
		must(t, err)
		if a.Role == account.RoleAdmin && a.DisabledAt == 0 {
			left++
		}
	}
	equal(t, "admins left", left, 1)
}

func tokenRace(t *testing.T, p Ports) {
	must(t, p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: "a", Login: "a"}, nil))
	for id, c := range map[string]account.Credential{
		"old": {ExpiresAt: 1000}, "gone": {RevokedAt: 500},
		"session": {Kind: account.PageSession},
	} {
		c.ID = id
		c.Hash = id
		c.AccountID = "a"
		if c.Kind == "" {
			c.Kind = account.APIToken
		}
		must(t, p.Credentials.AddCredential(t.Context(), c))
	}
	var group sync.WaitGroup
	answers := make([]error, 32)
	for i := range answers {
		group.Go(func() {
			id := fmt.Sprint("t", i)
			c := account.Credential{ID: id, Hash: id, Kind: account.APIToken, AccountID: "a", CreatedAt: 1000}
			answers[i] = p.Credentials.AddToken(t.Context(), c, 10)
		})
	}
	group.Wait()
	made := 0
	for _, err := range answers {
		if err == nil {
			made++
			continue
		}
		refused(t, "one too many", err, account.ErrFull)
	}
	equal(t, "tokens made", made, 10)
}

func newPassword(t *testing.T, p Ports) {
	for id, end := range map[string]struct {
		kinds []account.CredentialKind
		keep  string
		live  []string
	}{
		"a": {
			[]account.CredentialKind{account.RefreshToken, account.PageSession},
			"a session",
			[]string{"a invitation", "a session", "a token"},
		},
		"b": {
			[]account.CredentialKind{account.APIToken, account.RefreshToken, account.PageSession},
			"family of b",
			[]string{"b invitation", "b refresh"},
		},
	} {
		read := account.Account{ID: id, Login: id, PasswordHash: "old"}
		must(t, p.NewAccounts.CreateAccount(t.Context(), read, nil))
		equip(t, p, id)
		must(t, p.Sessions.Remember(t.Context(), id, []string{"here"}, 1000, 5))
		next := read
		next.PasswordHash = "new"
		must(t, p.Accounts.ChangePassword(t.Context(), read, next,
			account.Ending{Kinds: end.kinds, Keep: end.keep, At: 2000}))
		equal(t, "live", credentials(t, p, id), end.live)
		known, err := p.Sessions.Familiar(t.Context(), id, []string{"here"})
		must(t, err)
		equal(t, "familiar", known, map[string]int64{})
		err = p.Accounts.ChangePassword(t.Context(), read, next, account.Ending{At: 2000})
		refused(t, "from the old password again", err, account.ErrStale)
		equal(t, "live after a refusal", credentials(t, p, id), end.live)
	}
}

// loginRace logs in with the old password while it is changed: a late login is refused, and nothing stays open.
func loginRace(t *testing.T, p Ports) {
	read := account.Account{ID: "a", Login: "a", PasswordHash: "old"}
	must(t, p.NewAccounts.CreateAccount(t.Context(), read, nil))
	var group sync.WaitGroup
	for i := range 32 {
		group.Go(func() {
			id := fmt.Sprint("s", i)
			_, err := p.Sessions.AddLogin(t.Context(),
				account.Credential{ID: id, Hash: id, Kind: account.PageSession, AccountID: "a"}, "old", 100)
			if err != nil {
				refused(t, "a late login", err, account.ErrStale)
			}
		})
	}
	group.Go(func() {
		next := read
		next.PasswordHash = "new"
		if err := p.Accounts.ChangePassword(t.Context(), read, next, account.Ending{At: 2000}); err != nil {
			t.Error(err)
		}
	})
	group.Wait()
	equal(t, "live sessions", credentials(t, p, "a"), nil)
}

// oldestSession opens sessions of both kinds, and refreshes a session. Ended and expired sessions do not count, and
// neither do other credentials, or another account.
func oldestSession(t *testing.T, p Ports) {
	ctx, refreshed := t.Context(), login(t, p, "a") // at 1000
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "b", Login: "b"}, nil))
	equip(t, p, "b")
	at := int64(2000)
	open := func(kind account.CredentialKind, id string) []string {
		t.Helper()
		at += 100
		c := account.Credential{ID: id, Hash: id, Kind: kind, AccountID: "a", CreatedAt: at, ExpiresAt: 9000}
		if kind == account.RefreshToken {
			c.Family = "family " + id
		}
		ended, err := p.Sessions.AddLogin(ctx, c, "", 3)
		must(t, err)
		slices.Sort(ended)
		return ended
	}
	expired := account.Credential{
		ID: "expired", Hash: "expired", Kind: account.PageSession, AccountID: "a", CreatedAt: 1900, ExpiresAt: 2000,
	}
	must(t, p.Credentials.AddCredential(ctx, expired))
	must(t, p.Credentials.AddCredential(ctx, account.Credential{
		ID: "t", Hash: "t", Kind: account.APIToken, AccountID: "a",
	}))
	equal(t, "ended by the second", open(account.PageSession, "s1"), nil)
	equal(t, "ended by the third", open(account.RefreshToken, "r1"), nil)
	must(t, p.Sessions.Rotate(ctx, refreshed.Hash, successor(refreshed, 2000), 3000))
	equal(t, "ended by the fourth", open(account.PageSession, "s2"), []string{"s1"})
	equal(t, "ended by the fifth", open(account.RefreshToken, "r2"), []string{"family r1"})
	for family, want := range map[string]bool{refreshed.Family: true, "family r1": false, "family r2": true} {
		lives, err := p.Sessions.SessionLives(ctx, family)
		must(t, err)
		equal(t, family+" lives", lives, want)
	}
	must(t, p.Credentials.RevokeCredential(ctx, "a", "s2", 3000))
	equal(t, "ended where one has ended already", open(account.PageSession, "s3"), nil)
	next := successor(refreshed, 3000)
	must(t, p.Sessions.Rotate(ctx, successor(refreshed, 2000).Hash, next, 4000))
	equal(t, "live", credentials(t, p, "a"), []string{
		refreshed.ID, successor(refreshed, 2000).ID, next.ID, "r2", "s3", "t",
	})
	equal(t, "another's", len(credentials(t, p, "b")), 4)
}

// sessionRace opens many sessions of the same account at once.
func sessionRace(t *testing.T, p Ports) {
	must(t, p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: "a", Login: "a"}, nil))
	var group sync.WaitGroup
	for i := range 32 {
		group.Go(func() {
			id := fmt.Sprint("s", i)
			c := account.Credential{ID: id, Hash: id, Kind: account.PageSession, AccountID: "a", CreatedAt: 1000}
			if _, err := p.Sessions.AddLogin(t.Context(), c, "", 5); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	equal(t, "open sessions", len(credentials(t, p, "a")), 5)
}

func sessionLives(t *testing.T, p Ports) {
	lives := func(p Ports, family string) bool {
		t.Helper()
		ok, err := p.Sessions.SessionLives(t.Context(), family)
		must(t, err)
		return ok
	}
	first := login(t, p, "a")
	must(t, p.Sessions.Rotate(t.Context(), first.Hash, successor(first, 2), 2000))
	equal(t, "before", lives(p, first.Family), true)
	equal(t, "an unknown one", lives(p, "unknown"), false)
	equal(t, "none", lives(p, ""), false)
	must(t, p.Sessions.RevokeFamily(t.Context(), first.Family, 3000))
	equal(t, "after", lives(p, first.Family), false)
	equal(t, "after a restart", lives(p.Reopen(t), first.Family), false)
}

func familiar(t *testing.T, p Ports) {
	ctx := t.Context()
	for _, id := range []string{"a", "b"} {
		must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: id, Login: id}, nil))
	}
	for i := range 5 {
		must(t, p.Sessions.Remember(ctx, "a", []string{fmt.Sprint("h", i)}, int64(1000+i), 3))
	}
	must(t, p.Sessions.Remember(ctx, "b", []string{"h0", "x"}, 1000, 3))
	must(t, p.Sessions.Remember(ctx, "a", []string{"h2", "h9"}, 2000, 3))
	must(t, p.Sessions.Remember(ctx, "a", nil, 3000, 3))
	refused(t, "an unknown account", p.Sessions.Remember(ctx, "nobody", []string{"h"}, 1000, 3), account.ErrNotFound)
	all := []string{"h0", "h1", "h2", "h3", "h4", "h9", "x"}
	p = p.Reopen(t)
	for id, want := range map[string]map[string]int64{
		"a": {"h2": 2000, "h4": 1004, "h9": 2000},
		"b": {"h0": 1000, "x": 1000}, "": {},
	} {
		got, err := p.Sessions.Familiar(ctx, id, all)
		must(t, err)
		equal(t, "familiar to "+id, got, want)
	}
}
