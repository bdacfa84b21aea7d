package storetest

import (
	"fmt"
	"testing"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// setUpRace: accounts that are no open admin's do not prevent a set-up.
func setUpRace(t *testing.T, p Ports) {
	must(t, p.NewAccounts.CreateAccount(t.Context(),
		account.Account{ID: "olga", Login: "olga", Role: account.RoleOrganiser}, nil))
	closed := account.Account{ID: "gone", Login: "gone", Role: account.RoleAdmin, DisabledAt: 1000}
	must(t, p.NewAccounts.CreateAccount(t.Context(), closed, nil))
	must(t, p.Settings.SaveSettings(t.Context(), club.Settings{Name: "as it was"}, 0))
	before, err := p.Accounts.HasAdmin(t.Context())
	must(t, err)
	equal(t, "an admin before", before, false)
	won := race(t, 8, account.ErrSetUp, func(i int) error {
		id := fmt.Sprint("a", i)
		return p.NewAccounts.SetUp(t.Context(), club.Settings{Name: id},
			account.Account{ID: id, Login: id, Role: account.RoleAdmin}, &club.Player{ID: id})
	})
	settings, err := p.Settings.Settings(t.Context())
	must(t, err)
	equal(t, "the settings", settings, club.Settings{Name: fmt.Sprint("a", won), Version: 1})
	n, err := p.Accounts.CountAccounts(t.Context())
	must(t, err)
	equal(t, "accounts", n, 3)
	has, err := p.Accounts.HasAdmin(t.Context())
	must(t, err)
	equal(t, "an admin afterwards", has, true)
	first, err := p.Accounts.Account(t.Context(), fmt.Sprint("a", won))
	must(t, err)
	equal(t, "the first account's player", first.PlayerID, first.ID)
}

func clubSettings(t *testing.T, p Ports) {
	before, err := p.Settings.Settings(t.Context())
	must(t, err)
	equal(t, "before anything is decided", before, club.Settings{})
	race(t, 8, club.ErrStale, func(i int) error {
		return p.Settings.SaveSettings(t.Context(), club.Settings{Name: fmt.Sprint(i)}, 0)
	})
	all := club.Settings{
		Name: "Club", Language: "de", TimeZone: "Europe/Berlin", Registration: "open", Reach: club.ReachNetwork,
	}
	must(t, p.Settings.SaveSettings(t.Context(), all, 1))
	refused(t, "an old version", p.Settings.SaveSettings(t.Context(), club.Settings{}, 1), club.ErrStale)
	all.Version = 2
	now, err := p.Settings.Settings(t.Context())
	must(t, err)
	equal(t, "the settings", now, all)
}

func resetRace(t *testing.T, p Ports) {
	ctx := t.Context()
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "a", Login: "a", PasswordHash: "old"}, nil))
	session := account.Credential{ID: "s", Hash: "s", Kind: account.PageSession, AccountID: "a", ExpiresAt: 9000}
	_, err := p.Sessions.AddLogin(ctx, session, "old", 10)
	must(t, err)
	must(t, p.Sessions.Remember(ctx, "a", []string{"home"}, 1, 5))
	add := func(hash string) {
		must(t, p.Credentials.AddReset(ctx, account.Credential{
			ID: hash, Hash: hash, Kind: account.PasswordReset, AccountID: "a", CreatedAt: 1000, ExpiresAt: 2000,
		}))
	}
	add("first")
	add("second")
	end := account.Ending{Kinds: []account.CredentialKind{account.PageSession, account.RefreshToken}, At: 1500}
	_, err = p.Accounts.ResetPassword(ctx, "first", "new", "root", end)
	refused(t, "a reset with an ended code", err, account.ErrNotFound)
	_, err = p.Accounts.ResetPassword(ctx, "s", "new", "root", end)
	refused(t, "a reset with another credential", err, account.ErrNotFound)
	late := end
	late.At = 2000
	_, err = p.Accounts.ResetPassword(ctx, "second", "new", "root", late)
	refused(t, "a reset with an expired code", err, account.ErrNotFound)
	won := race(t, 8, account.ErrNotFound, func(i int) error {
		_, err := p.Accounts.ResetPassword(ctx, "second", fmt.Sprint("new", i), "root", end)
		return err
	})
	owner, err := p.Accounts.Account(ctx, "a")
	must(t, err)
	equal(t, "the password", owner.PasswordHash, fmt.Sprint("new", won))
	open, err := p.Sessions.OpenSessions(ctx, "a", 1500)
	must(t, err)
	equal(t, "sessions that go on", len(open), 0)
	known, err := p.Sessions.Familiar(ctx, "a", []string{"home"})
	must(t, err)
	equal(t, "what is familiar", len(known), 0)
	add("third")
	closed := owner
	closed.DisabledAt = 1200
	must(t, p.Accounts.UpdateAccount(ctx, owner, closed))
	_, err = p.Accounts.ResetPassword(ctx, "third", "new", "root", end)
	refused(t, "a reset of a closed account", err, account.ErrNotFound)
	err = p.Credentials.AddReset(ctx, account.Credential{ID: "4", Hash: "4", Kind: account.PasswordReset, AccountID: "a"})
	refused(t, "a code for a closed account", err, account.ErrStale)
}

func inviteSeveral(t *testing.T, p Ports) {
	ctx := t.Context()
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "root", Login: "root", Role: account.RoleAdmin}, nil))
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "boss", Login: "boss", Role: account.RoleAdmin}, nil))
	must(t, p.Credentials.AddCredential(ctx, account.Credential{
		ID: "eight", Hash: "eight", Kind: account.Invitation, AccountID: "root", ExpiresAt: 2000, Uses: 3,
	}))
	for i := range 3 {
		id := fmt.Sprint("guest", i)
		must(t, p.NewAccounts.Invite(ctx, "eight", 1000, account.Account{ID: id, Login: id, Role: account.RolePlayer}, nil))
	}
	err := p.NewAccounts.Invite(ctx, "eight", 1000, account.Account{ID: "x", Login: "x"}, nil)
	refused(t, "a use too many", err, account.ErrNotFound)
	staff := func(hash string) {
		must(t, p.Credentials.AddCredential(ctx, account.Credential{
			ID: hash, Hash: hash, Kind: account.Invitation, AccountID: "root", Role: account.RoleOrganiser, Uses: 2,
			CreatedAt: 5,
		}))
	}
	staff("staff")
	must(t, p.NewAccounts.Invite(ctx, "staff", 1000, account.Account{ID: "olga", Login: "olga", Role: account.RolePlayer},
		nil))
	olga, err := p.Accounts.Account(ctx, "olga")
	must(t, err)
	equal(t, "the role that was invited", olga.Role, account.RoleOrganiser)
	open, err := p.Credentials.Invitations(ctx, "", 1000, 10)
	must(t, err)
	equal(t, "open invitations", len(open), 1)
	equal(t, "uses that are left", open[0].Uses, 1)
	root := account.Account{ID: "root", Login: "root", Role: account.RoleAdmin}
	less := root
	less.Role = account.RolePlayer
	must(t, p.Accounts.UpdateAccount(ctx, root, less))
	err = p.NewAccounts.Invite(ctx, "staff", 1000, account.Account{ID: "y", Login: "y", Role: account.RolePlayer}, nil)
	refused(t, "a role from who is no admin any more", err, account.ErrNotFound)
}

func accountForPlayer(t *testing.T, p Ports) {
	ctx := t.Context()
	must(t, p.Players.CreatePlayer(ctx, club.Player{ID: "p", Name: "Ada", ClaimHash: "code"}))
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "taken", Login: "taken"}, nil))
	_, err := p.NewAccounts.CreateAccountFor(ctx, "code", account.Account{ID: "x", Login: "taken"})
	refused(t, "a login that is taken", err, account.ErrTaken)
	for _, code := range []string{"", "other"} {
		_, err := p.NewAccounts.CreateAccountFor(ctx, code, account.Account{ID: "x", Login: "x"})
		refused(t, "another code", err, club.ErrNotFound)
	}
	_, err = p.Accounts.AccountByLogin(ctx, "x")
	refused(t, "an account of a refused claim", err, account.ErrNotFound)
	won := race(t, 8, club.ErrNotFound, func(i int) error {
		id := fmt.Sprint("a", i)
		_, err := p.NewAccounts.CreateAccountFor(ctx, "code", account.Account{ID: id, Login: id})
		return err
	})
	n, err := p.Accounts.CountAccounts(ctx)
	must(t, err)
	equal(t, "accounts", n, 2)
	owner, err := p.Accounts.Account(ctx, fmt.Sprint("a", won))
	must(t, err)
	equal(t, "the account's player", owner.PlayerID, "p")
}

func listAccounts(t *testing.T, p Ports) {
	ctx := t.Context()
	for i, name := range []string{"Ada Lovelace", "Bob", "Charles", "100% Dora"} {
		id := fmt.Sprint("a", i)
		a := account.Account{
			ID: id, Login: fmt.Sprint("login", i), Role: account.RolePlayer, CreatedAt: int64(i / 2), Language: "fr",
		}
		if i == 1 {
			a.Role = account.RoleAdmin
		}
		if i == 2 {
			a.DisabledAt = 5
		}
		must(t, p.NewAccounts.CreateAccount(ctx, a, &club.Player{ID: id, Name: name}))
	}
	for _, tt := range []struct {
		filter account.Filter
		want   string
	}{
		{account.Filter{}, "a0 a1 | a2 a3"},
		{account.Filter{Text: "LOVE"}, "a0"},
		{account.Filter{Text: "login3"}, "a3"},
		{account.Filter{Text: "%"}, "a3"},
		{account.Filter{Role: account.RoleAdmin}, "a1"},
		{account.Filter{Disabled: true}, "a2"},
		{account.Filter{Text: "nothing"}, ""},
	} {
		got, cursor := "", ""
		for {
			list, next, err := p.Accounts.ListAccounts(ctx, tt.filter, 2, cursor)
			must(t, err)
			for i, a := range list {
				if i > 0 {
					got += " "
				}
				got += a.ID
				equal(t, "the language", a.Language, "fr")
			}
			cursor = next
			if next == "" {
				break
			}
			got += " | "
		}
		equal(t, fmt.Sprintf("%+v", tt.filter), got, tt.want)
	}
	if _, _, err := p.Accounts.ListAccounts(ctx, account.Filter{}, 2, "x"); err == nil {
		t.Error("a cursor of another list is taken")
	}
}
