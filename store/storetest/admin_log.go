package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
)

// AdminLog tests that acts of administration are logged with them.
func AdminLog(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"each act has its entry", everyActIsLogged},
		{"what is refused leaves none", refusedActs},
		{"of many at once each success has one", loggedOnce},
		{"what people do for themselves is not administration", ownActs},
		{"the log is paged and filtered", adminLogPages},
	})
}

// root acts by a request.
func root(t *testing.T) context.Context {
	return adminlog.With(t.Context(), adminlog.Actor{
		Via: adminlog.ViaRequest, Account: "root", Name: "root", Request: "r1", At: 77,
	})
}

// logged returns all entries, the oldest first.
func logged(t *testing.T, p Ports) []adminlog.Entry {
	t.Helper()
	all, next, err := p.AdminLog.AdminLog(t.Context(), adminlog.Filter{}, 1000, "")
	must(t, err)
	equal(t, "the next page", next, "")
	slices.Reverse(all)
	return all
}

// everyActIsLogged carries out every act that the log has a kind for.
func everyActIsLogged(t *testing.T, p Ports) {
	ctx := root(t)
	anonymous := adminlog.With(t.Context(), adminlog.Actor{Via: adminlog.ViaRequest, Request: "r2", At: 78})
	first := account.Account{ID: "root", Login: "root", PasswordHash: "secret", Role: account.RoleAdmin}
	must(t, p.NewAccounts.SetUp(anonymous, club.Settings{Name: "Club", Language: "de"}, first, nil))
	must(t, p.Settings.SaveSettings(ctx, club.Settings{Name: "New", Language: "de"}, 1))
	ada := account.Account{ID: "a", Login: "ada", PasswordHash: "secret", Role: account.RolePlayer}
	must(t, p.NewAccounts.CreateAccount(t.Context(), ada, &club.Player{ID: "pa", Name: "Ada", AccountID: "a", Version: 1}))
	organiser := ada
	organiser.Role = account.RoleOrganiser
	must(t, p.Accounts.UpdateAccount(ctx, ada, organiser))
	closed := organiser
	closed.DisabledAt = 5
	must(t, p.Accounts.UpdateAccount(ctx, organiser, closed))
	must(t, p.Accounts.UpdateAccount(ctx, closed, organiser))
	must(t, p.Credentials.AddReset(ctx, account.Credential{
		ID: "c1", Kind: account.PasswordReset, Hash: "secret1", AccountID: "a", Name: "root", ExpiresAt: 900,
	}))
	_, err := p.Accounts.ResetPassword(anonymous, "secret1", "secret2", "root", account.Ending{At: 80})
	must(t, err)
	organiser.PasswordHash = "secret2"
	next := organiser
	next.PasswordHash = "secret3"
	must(t, p.Accounts.ChangePassword(t.Context(), organiser, next, account.Ending{At: 81}))
	invitation := account.Credential{
		ID: "i", Kind: account.Invitation, Hash: "secret4", AccountID: "root", Role: account.RoleOrganiser, Uses: 2,
	}
	must(t, p.Credentials.AddCredential(ctx, invitation))
	must(t, p.NewAccounts.Invite(anonymous, "secret4", 82,
		account.Account{ID: "b", Login: "bob", Role: account.RolePlayer}, nil))
	must(t, p.Credentials.RevokeCredential(ctx, "root", "i", 83))
	token := account.Credential{
		ID: "k", Kind: account.APIToken, Hash: "secret5", AccountID: "root", Name: "script",
		Scopes: []string{"read", "admin"},
	}
	must(t, p.Credentials.AddToken(ctx, token, 5))
	must(t, p.Credentials.RevokeCredential(ctx, "root", "k", 84))
	must(t, p.Players.CreatePlayer(ctx, club.Player{ID: "x", Name: "Xaver", Version: 1},
		club.Player{ID: "y", Name: "Yvonne", Version: 1}))
	must(t, p.Players.UpdatePlayer(ctx, club.Player{ID: "x", Name: "Xavier", Club: "Here"}, 1))
	must(t, p.Players.UpdatePlayer(ctx, club.Player{ID: "x", Name: "Xavier", Club: "Here", ClaimHash: "secret6"}, 2))
	must(t, p.Players.MergePlayers(ctx, club.Merge{Keep: "x", Gone: "y", By: "root", At: 85},
		func(context.Context, ledger.Store) error { return nil }))
	must(t, p.Ratings.Mark(ctx, ledger.Mark{ID: "m", PlayerID: "x", Reason: "engine", By: "root", At: 86}))
	_, err = p.Ratings.Lift(ctx, "m", "root", 87)
	must(t, err)
	_, err = p.Ratings.Give(ctx, []ledger.GivenRating{{PlayerID: "x", List: "quixo", Value: 1500}}, 1, false)
	must(t, err)
	must(t, p.Ratings.Renew(ctx, func(ledger.Draft) error { return nil }))
	must(t, p.Players.CreatePlayer(ctx, club.Player{ID: "z", Name: "Zoe", Version: 1}))
	_, err = p.Players.Erase(ctx, club.Erasure{Player: "z", At: 88})
	must(t, err)
	cup := tournament.Tournament{ID: "t", Status: tournament.Running, Version: 1}
	cup.Name = "Cup"
	must(t, p.Tournaments.Import(ctx, &cup, director.Imported{
		Original: exchange.Original{Text: []byte("x")}, Act: tournament.Act{
			Version: 1, Kind: tournament.ActImport, By: "root",
		},
	}))
	cup.Arbiters, cup.Version = []string{"b"}, 2
	must(t, p.Tournaments.Save(ctx, &cup, 1, tournament.Delta{
		Acts: []tournament.Act{{Version: 2, Kind: tournament.ActArbiters, By: "root"}},
	}))
	draft := tournament.Tournament{ID: "d", Status: tournament.Draft}
	draft.Name = "Draft"
	must(t, p.Tournaments.Create(ctx, &draft))
	must(t, p.Tournaments.Delete(ctx, "d", 1))
	must(t, p.AdminLog.LogBackup(ctx, adminlog.BackupMade, ""))
	must(t, p.AdminLog.LogBackup(ctx, adminlog.BackupTaken, "quatuor.db"))

	all := logged(t, p)
	seen := map[adminlog.Kind]adminlog.Entry{}
	for _, e := range all {
		if text := fmt.Sprint(e); strings.Contains(text, "secret") {
			t.Errorf("an entry holds a secret: %s", text)
		}
		seen[e.Kind] = e
	}
	for _, kind := range adminlog.Kinds {
		if _, is := seen[kind]; !is {
			t.Errorf("no entry of kind %s", kind)
		}
	}
	equal(t, "the change of a role", withoutID(seen[adminlog.RoleChanged]), adminlog.Entry{
		At: 77, Kind: adminlog.RoleChanged, By: adminlog.From(ctx), About: adminlog.Subject{
			Kind: adminlog.OfAccount, ID: "a", Name: "ada",
		},
		Before: adminlog.Values{"role": "player"}, After: adminlog.Values{"role": "organiser"},
	})
	used := seen[adminlog.ResetUsed].By
	equal(t, "who used a link", used, adminlog.Actor{
		Via: adminlog.ViaRequest, Account: "a", Name: "ada", Request: "r2", At: 78,
	})
	equal(t, "the settings before", seen[adminlog.SettingsChanged].Before, adminlog.Values{"name": "Club"})
	equal(t, "the settings after", seen[adminlog.SettingsChanged].After, adminlog.Values{"name": "New"})
	equal(t, "the arbiters", seen[adminlog.ArbitersChanged].After, adminlog.Values{"arbiters": "bob"})
	invited, _, err := p.AdminLog.AdminLog(ctx, adminlog.Filter{Kind: adminlog.AccountCreated, Person: "bob"}, 5, "")
	must(t, err)
	equal(t, "entries of an account that came with a role", len(invited), 1)
	equal(t, "who opened it", invited[0].By.Account, "b")
}

func withoutID(e adminlog.Entry) adminlog.Entry {
	e.ID = ""
	return e
}

// refusedActs are not carried out, and leave no entry.
func refusedActs(t *testing.T, p Ports) {
	ctx := root(t)
	only := account.Account{ID: "root", Login: "root", Role: account.RoleAdmin}
	must(t, p.NewAccounts.CreateAccount(ctx, only, nil))
	before := len(logged(t, p))
	less := only
	less.Role = account.RolePlayer
	refused(t, "the last admin's role", p.Accounts.UpdateAccount(ctx, only, less), account.ErrLastAdmin)
	refused(t, "stale settings", p.Settings.SaveSettings(ctx, club.Settings{Name: "x"}, 7), club.ErrStale)
	refused(t, "a player who is not there", p.Players.UpdatePlayer(ctx, club.Player{ID: "no"}, 1), club.ErrNotFound)
	refused(t, "a merge", p.Players.MergePlayers(ctx, club.Merge{Keep: "no", Gone: "none"}, nil), club.ErrNotFound)
	refused(t, "a tournament", p.Tournaments.Delete(ctx, "no", 1), tournament.ErrNotFound)
	_, err := p.Ratings.Lift(ctx, "no", "root", 1)
	refused(t, "a mark", err, ledger.ErrNoMark)
	_, err = p.Ratings.Give(ctx, []ledger.GivenRating{{PlayerID: "no", List: "quixo", Value: 1}}, 1, false)
	must(t, err)
	must(t, p.Players.CreatePlayer(ctx, club.Player{ID: "x", Name: "X", Version: 1}))
	_, err = p.Ratings.Give(ctx, []ledger.GivenRating{{PlayerID: "x", List: "quixo", Value: 1}}, 1, true)
	must(t, err)
	equal(t, "entries", len(logged(t, p)), before+1)
}

// loggedOnce lets many make the same change at once.
func loggedOnce(t *testing.T, p Ports) {
	ctx := root(t)
	from := account.Account{ID: "a", Login: "ada", Role: account.RolePlayer}
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "root", Login: "root", Role: account.RoleAdmin}, nil))
	must(t, p.NewAccounts.CreateAccount(t.Context(), from, nil))
	must(t, p.Credentials.AddCredential(ctx, account.Credential{
		ID: "i", Kind: account.Invitation, Hash: "i", AccountID: "root",
	}))
	before := len(logged(t, p))
	race(t, 8, account.ErrStale, func(int) error {
		to := from
		to.Role = account.RoleOrganiser
		return p.Accounts.UpdateAccount(ctx, from, to)
	})
	for range 3 {
		must(t, p.Credentials.RevokeCredential(ctx, "root", "i", 5))
	}
	equal(t, "entries of a change and of an end", len(logged(t, p))-before, 2)
}

func ownActs(t *testing.T, p Ports) {
	own := adminlog.With(t.Context(), adminlog.Actor{Via: adminlog.ViaRequest, Account: "a", Name: "ada"})
	stranger := adminlog.With(t.Context(), adminlog.Actor{Via: adminlog.ViaRequest})
	ada := account.Account{ID: "a", Login: "ada", PasswordHash: "1", Role: account.RolePlayer}
	must(t, p.NewAccounts.CreateAccount(stranger, ada, &club.Player{ID: "p", Name: "Ada", AccountID: "a", Version: 1}))
	next := ada
	next.PasswordHash, next.Language = "2", "fr"
	must(t, p.Accounts.ChangePassword(own, ada, next, account.Ending{At: 3}))
	must(t, p.Players.UpdatePlayer(own, club.Player{ID: "p", Name: "Ada L.", AccountID: "a"}, 1))
	must(t, p.Credentials.AddToken(own, account.Credential{
		ID: "k", Kind: account.APIToken, Hash: "k", AccountID: "a",
		Scopes: []string{"play"},
	}, 5))
	must(t, p.Credentials.RevokeCredential(own, "a", "k", 4))
	equal(t, "entries", len(logged(t, p)), 0)
}

func adminLogPages(t *testing.T, p Ports) {
	for i := range 7 {
		ctx := adminlog.With(t.Context(), adminlog.Actor{
			Via: adminlog.ViaRequest, Account: fmt.Sprint("id", i%2), Name: fmt.Sprint("Admin", i%2), At: int64(10 + i/2),
		})
		must(t, p.Players.CreatePlayer(ctx, club.Player{
			ID: fmt.Sprint("p", i), Name: fmt.Sprintf("%c_%%", 'A'+i), Version: 1,
		}))
	}
	read := func(f adminlog.Filter) (names []string) {
		for cursor, more := "", true; more; more = cursor != "" {
			page, next, err := p.AdminLog.AdminLog(t.Context(), f, 2, cursor)
			must(t, err)
			if len(page) > 2 {
				t.Fatalf("a page has %d entries", len(page))
			}
			for _, e := range page {
				names = append(names, e.About.Name[:1])
			}
			cursor = next
		}
		return names
	}
	for _, c := range []struct {
		filter adminlog.Filter
		want   string
	}{
		{adminlog.Filter{}, "GFEDCBA"},
		{adminlog.Filter{Person: "aDMin1"}, "FDB"},
		{adminlog.Filter{Person: "id0"}, "GECA"},
		{adminlog.Filter{Person: "p3"}, "D"},
		{adminlog.Filter{Person: "c_%"}, "C"},
		{adminlog.Filter{Person: "_"}, "GFEDCBA"},
		{adminlog.Filter{Person: "i"}, "GFEDCBA"},
		{adminlog.Filter{Person: "d1"}, ""},
		{adminlog.Filter{Kind: adminlog.PlayersAdded}, "GFEDCBA"},
		{adminlog.Filter{Kind: adminlog.RoleChanged}, ""},
	} {
		equal(t, fmt.Sprintf("%+v", c.filter), strings.Join(read(c.filter), ""), c.want)
	}
	if _, _, err := p.AdminLog.AdminLog(t.Context(), adminlog.Filter{}, 2, "nonsense"); err == nil {
		t.Error("a cursor of nonsense is taken")
	}
}
