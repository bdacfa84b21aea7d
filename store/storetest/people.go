package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"quatuor/engine/table"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// People tests players and accounts.
func People(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"accounts come back", accountRoundTrip},
		{"two change an account at once", accountChangedByTwo},
		{"a login is taken once", loginTaken},
		{"an invitation works once", invite},
		{"players come back", playerRoundTrip},
		{"players by name", listPlayers},
		{"a stale change of a player is refused", playerStale},
		{"a code claims a player once", claim},
		{"an account claims one player", claimMany},
		{"who has a player claims no other", claimAgain},
		{"blocks are kept, through merges, too", blocks},
		{"as many are blocked as one may", blocksAreLimited},
	})
}

func accountRoundTrip(t *testing.T, p Ports) {
	var a account.Account
	var own club.Player
	fill(t, &a)
	fill(t, &own)
	a.PlayerID = ""
	own.AccountID = ""
	a.Gone = 0
	must(t, p.NewAccounts.CreateAccount(t.Context(), a, &own))
	a.PlayerID, own.AccountID = own.ID, a.ID
	got, err := p.Accounts.Account(t.Context(), a.ID)
	must(t, err)
	equal(t, "account", got, a)
	player, err := p.Players.Player(t.Context(), own.ID)
	must(t, err)
	equal(t, "its player", player, own)
	was := a
	a.Login = "new"
	a.Role = account.RoleAdmin
	a.DisabledAt = 0
	a.PasswordHash = "other"
	must(t, p.Accounts.UpdateAccount(t.Context(), was, a))
	got, err = p.Accounts.AccountByLogin(t.Context(), "new")
	must(t, err)
	equal(t, "account by its new login", got, a)

	_, err = p.Accounts.Account(t.Context(), "nobody's")
	refused(t, "an unknown account", err, account.ErrNotFound)
	_, err = p.Accounts.AccountByLogin(t.Context(), "nobody")
	refused(t, "an unknown login", err, account.ErrNotFound)
	refused(t, "changing an unknown account", p.Accounts.UpdateAccount(t.Context(), account.Account{ID: "x"},
		account.Account{ID: "x", Login: "x"}), account.ErrNotFound)
	n, err := p.Accounts.CountAccounts(t.Context())
	must(t, err)
	equal(t, "accounts", n, 1)
}

// accountChangedByTwo lets an admin and the account's owner, after both have read it, write at the same time: neither
// undoes the other's change, and if both change the same thing, the second gets an error.
func accountChangedByTwo(t *testing.T, p Ports) {
	read := account.Account{ID: "a", Login: "ada", PasswordHash: "old", Role: account.RolePlayer}
	must(t, p.NewAccounts.CreateAccount(t.Context(), read, nil))
	disabled, secured := read, read
	disabled.DisabledAt, secured.PasswordHash = 1000, "new"
	must(t, p.Accounts.UpdateAccount(t.Context(), read, disabled))
	must(t, p.Players.CreatePlayer(t.Context(), club.Player{ID: "p", Name: "Ada", ClaimHash: "code"}))
	_, err := p.Players.Claim(t.Context(), "code", "a")
	must(t, err)
	must(t, p.Accounts.UpdateAccount(t.Context(), read, secured))
	must(t, p.Accounts.UpdateAccount(t.Context(), read, read))
	late := read
	late.PasswordHash, late.Role = "another", account.RoleAdmin
	refused(t, "a second new password", p.Accounts.UpdateAccount(t.Context(), read, late), account.ErrStale)
	won := race(t, 8, account.ErrStale, func(i int) error {
		other := read
		other.Role = [2]account.Role{account.RoleAdmin, account.RoleOrganiser}[i%2]
		return p.Accounts.UpdateAccount(t.Context(), read, other)
	})
	want := account.Account{ID: "a", Login: "ada", PasswordHash: "new", DisabledAt: 1000, PlayerID: "p"}
	want.Role = [2]account.Role{account.RoleAdmin, account.RoleOrganiser}[won%2]
	got, err := p.Accounts.Account(t.Context(), "a")
	must(t, err)
	equal(t, "account", got, want)
}

func loginTaken(t *testing.T, p Ports) {
	won := race(t, 8, account.ErrTaken, func(i int) error {
		own := club.Player{ID: fmt.Sprint("p", i), Name: "Ada"}
		return p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: fmt.Sprint("a", i), Login: "ada"}, &own)
	})
	got, err := p.Accounts.AccountByLogin(t.Context(), "ada")
	must(t, err)
	equal(t, "who won", got.ID, fmt.Sprint("a", won))
	list, _, err := p.Players.ListPlayers(t.Context(), club.PlayerFilter{}, 10, "")
	must(t, err)
	if len(list) != 1 {
		t.Errorf("%d players were stored, want the winner's alone", len(list))
	}
	must(t, p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: "b", Login: "bob"}, nil))
	refused(t, "taking a login", p.Accounts.UpdateAccount(t.Context(), account.Account{ID: "b", Login: "bob"},
		account.Account{ID: "b", Login: "ada"}), account.ErrTaken)
}

func invite(t *testing.T, p Ports) {
	must(t, p.NewAccounts.CreateAccount(t.Context(), account.Account{ID: "admin", Login: "admin"}, nil))
	for id, c := range map[string]account.Credential{
		"good":    {AccountID: "admin", ExpiresAt: 2000},
		"for all": {},
		"old":     {ExpiresAt: 1000},
		"revoked": {RevokedAt: 500},
		"taken":   {},
	} {
		c.ID = id
		c.Hash = id
		c.Kind = account.Invitation
		must(t, p.Credentials.AddCredential(t.Context(), c))
	}
	must(t, p.Credentials.AddCredential(t.Context(), account.Credential{
		ID: "token", Hash: "token", Kind: account.APIToken, AccountID: "admin",
	}))
	for _, hash := range []string{"old", "revoked", "token", "unknown", ""} {
		err := p.NewAccounts.Invite(t.Context(), hash, 1000, account.Account{ID: "x", Login: "x"}, nil)
		refused(t, "invitation "+hash, err, account.ErrNotFound)
	}
	err := p.NewAccounts.Invite(t.Context(), "taken", 1000, account.Account{ID: "x", Login: "admin"}, nil)
	refused(t, "a login that is taken", err, account.ErrTaken)
	// it was not used up
	must(t, p.NewAccounts.Invite(t.Context(), "taken", 1000, account.Account{ID: "y", Login: "y"}, nil))
	race(t, 8, account.ErrNotFound, func(i int) error {
		id := fmt.Sprint("guest", i)
		return p.NewAccounts.Invite(t.Context(), "good", 1000, account.Account{ID: id, Login: id}, &club.Player{ID: id})
	})
	must(t, p.NewAccounts.Invite(t.Context(), "for all", 1000, account.Account{ID: "z", Login: "z"}, nil))
}

func playerRoundTrip(t *testing.T, p Ports) {
	var full club.Player
	fill(t, &full)
	full.AccountID = ""
	bare := club.Player{ID: "bare"}
	must(t, p.Players.CreatePlayer(t.Context(), full, bare))
	must(t, p.Players.CreatePlayer(t.Context()))
	got, err := p.Players.Players(t.Context(), []string{full.ID, "bare", "unknown"})
	must(t, err)
	equal(t, "players", got, map[string]club.Player{full.ID: full, "bare": bare})
	_, err = p.Players.Player(t.Context(), "unknown")
	refused(t, "an unknown player", err, club.ErrNotFound)
	if err := p.Players.CreatePlayer(t.Context(), club.Player{ID: "new"}, bare); err == nil {
		t.Error("an id was stored twice")
	}
	_, err = p.Players.Player(t.Context(), "new")
	refused(t, "a player stored beside one that was refused", err, club.ErrNotFound)
}

func listPlayers(t *testing.T, p Ports) {
	for i, name := range []string{"Zoë", "ada", "Ädi", "Bob", "bob", "100% Bo_b", "Élodie"} {
		player := club.Player{ID: fmt.Sprint("p", i), Name: name, Club: fmt.Sprint("club ", i%2)}
		must(t, p.Players.CreatePlayer(t.Context(), player))
	}
	all := []string{"100% Bo_b", "ada", "Bob", "bob", "Zoë", "Ädi", "Élodie"}
	var got []string
	for cursor, page := "", 0; ; page++ {
		list, next, err := p.Players.ListPlayers(t.Context(), club.PlayerFilter{}, 3, cursor)
		must(t, err)
		got = append(got, names(list)...)
		cursor = next
		if next == "" || page > len(all) {
			break
		}
	}
	equal(t, "all pages", got, all)
	for _, c := range []struct {
		f    club.PlayerFilter
		want []string
	}{
		{club.PlayerFilter{Name: "BOB"}, []string{"Bob", "bob"}},
		{club.PlayerFilter{Name: "é"}, []string{"Élodie"}},
		{club.PlayerFilter{Name: "%"}, []string{"100% Bo_b"}},
		{club.PlayerFilter{Name: "_"}, []string{"100% Bo_b"}},
		{club.PlayerFilter{Name: "!"}, nil},
		{club.PlayerFilter{Club: "club 0"}, []string{"bob", "Zoë", "Ädi", "Élodie"}},
		{club.PlayerFilter{Club: "club 1", Name: "b"}, []string{"100% Bo_b", "Bob"}},
	} {
		list, _, err := p.Players.ListPlayers(t.Context(), c.f, 10, "")
		must(t, err)
		equal(t, fmt.Sprint(c.f), names(list), c.want)
	}
	_, _, err := p.Players.ListPlayers(t.Context(), club.PlayerFilter{}, 10, "nonsense")
	invalidCursor(t, "nonsense", err)
}

func names(list []club.Player) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.Name)
	}
	return out
}

func playerStale(t *testing.T, p Ports) {
	must(t, p.Players.CreatePlayer(t.Context(), club.Player{ID: "p", Name: "Ada", Version: 1}))
	won := race(t, 8, club.ErrStale, func(i int) error {
		return p.Players.UpdatePlayer(t.Context(), club.Player{ID: "p", Name: fmt.Sprint("Ada ", i), Club: "X"}, 1)
	})
	got, err := p.Players.Player(t.Context(), "p")
	must(t, err)
	equal(t, "after the race", got, club.Player{ID: "p", Name: fmt.Sprint("Ada ", won), Club: "X", Version: 2})
	must(t, p.Players.UpdatePlayer(t.Context(), club.Player{ID: "p", Name: "ÉVA"}, 2))
	list, _, err := p.Players.ListPlayers(t.Context(), club.PlayerFilter{Name: "éva"}, 10, "")
	must(t, err)
	equal(t, "found by the new name", names(list), []string{"ÉVA"})
	err = p.Players.UpdatePlayer(t.Context(), club.Player{ID: "q"}, 0)
	refused(t, "an unknown player", err, club.ErrNotFound)
}

func claim(t *testing.T, p Ports) {
	ctx := t.Context()
	for i := range 8 {
		id := fmt.Sprint("a", i)
		must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: id, Login: id}, nil))
	}
	must(t, p.Players.CreatePlayer(ctx, club.Player{
		ID: "p", Name: "Ada", ClaimHash: "code", Version: 3,
		OpenToChallenges: true,
	}, club.Player{ID: "free"}))
	for _, code := range []string{"", "other"} {
		_, err := p.Players.Claim(ctx, code, "a0")
		refused(t, "code "+code, err, club.ErrNotFound)
	}
	_, err := p.Players.Claim(ctx, "code", "nobody")
	refused(t, "an account that is not there", err, club.ErrNotFound)
	won := race(t, 8, club.ErrNotFound, func(i int) error {
		got, err := p.Players.Claim(ctx, "code", fmt.Sprint("a", i))
		if err == nil {
			equal(t, "claimed", got, club.Player{ID: "p", Name: "Ada", AccountID: fmt.Sprint("a", i), Version: 4})
		}
		return err
	})
	for i := range 8 {
		account, err := p.Accounts.Account(ctx, fmt.Sprint("a", i))
		must(t, err)
		equal(t, fmt.Sprint("account ", i, " has the player"), account.PlayerID == "p", i == won)
	}
}

// claimMany lets an account claim many players at once.
func claimMany(t *testing.T, p Ports) {
	ctx := t.Context()
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "a", Login: "a"}, nil))
	for i := range 32 {
		must(t, p.Players.CreatePlayer(ctx, club.Player{ID: fmt.Sprint("p", i), ClaimHash: fmt.Sprint("code ", i)}))
	}
	won := race(t, 32, account.ErrHasPlayer, func(i int) error {
		_, err := p.Players.Claim(ctx, fmt.Sprint("code ", i), "a")
		return err
	})
	account, err := p.Accounts.Account(ctx, "a")
	must(t, err)
	equal(t, "the account's player", account.PlayerID, fmt.Sprint("p", won))
	for i := range 32 {
		player, err := p.Players.Player(ctx, fmt.Sprint("p", i))
		must(t, err)
		equal(t, fmt.Sprint(player.ID, " is claimed"), player.AccountID == "a", i == won)
		equal(t, fmt.Sprint("the code of ", player.ID, " is used up"), player.ClaimHash == "", i == won)
	}
}

func claimAgain(t *testing.T, p Ports) {
	ctx := t.Context()
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "a", Login: "a"}, &club.Player{ID: "own"}))
	must(t, p.Players.CreatePlayer(ctx, club.Player{ID: "p", ClaimHash: "one"}))
	_, err := p.Players.Claim(ctx, "one", "a")
	refused(t, "a second player", err, account.ErrHasPlayer)
	account, err := p.Accounts.Account(ctx, "a")
	must(t, err)
	equal(t, "player of a", account.PlayerID, "own")
	player, err := p.Players.Player(ctx, "p")
	must(t, err)
	equal(t, "the other player", player, club.Player{ID: "p", ClaimHash: "one"})
}

// mergePlayers merges a record without an account into a record with an account, and back along the chain: whole, or
// not at all where the ratings cannot be computed.
func mergePlayers(t *testing.T, p Ports) {
	ctx := t.Context()
	must(t, p.NewAccounts.CreateAccount(ctx, account.Account{ID: "a", Login: "a"},
		&club.Player{ID: "double", Name: "Ada L.", Version: 1}))
	must(t, p.Players.CreatePlayer(ctx,
		club.Player{ID: "ada", Name: "Ada", Version: 1, Rating: map[string]float64{"quixo-blitz": 1700}},
		club.Player{ID: "third", Name: "Ada Lovelace", Version: 1, ClaimHash: "code"},
	))
	game := newGame(t, "open", "double", "bob")
	must(t, p.Games.Create(ctx, []table.Game{game}))
	recompute := func(ctx context.Context, in ledger.Store) error {
		_, err := ledger.New(in, elo.Club{}).Recompute(ctx)
		return err
	}
	merge := func(keep, gone string) error {
		return p.Players.MergePlayers(ctx, club.Merge{Keep: keep, Gone: gone, By: "a", At: 1}, recompute)
	}
	refused(t, "merging one with itself", merge("ada", "ada"), club.ErrMergeSame)
	refused(t, "merging one that is not there", merge("ada", "nobody"), club.ErrNotFound)
	refused(t, "merging one who plays", merge("ada", "double"), club.ErrMergePlaying)
	broken := errors.New("broken")
	err := p.Players.MergePlayers(ctx, club.Merge{Keep: "double", Gone: "ada"}, func(context.Context, ledger.Store) error {
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("a merge without ratings: %v", err)
	}
	before, err := p.Players.Player(ctx, "ada")
	must(t, err)
	equal(t, "the player after a failed merge", before.ID, "ada")
	must(t, merge("double", "ada"))
	kept, err := p.Players.Player(ctx, "ada")
	must(t, err)
	equal(t, "the player that the id leads to", kept.ID, "double")
	equal(t, "the rating to start with", kept.Rating["quixo-blitz"], 1700)
	equal(t, "the account", kept.AccountID, "a")
	refused(t, "merging what went", merge("third", "ada"), club.ErrNotFound)
	must(t, merge("double", "third"))
	all, err := p.Players.Players(ctx, []string{"ada", "third", "double", "nobody"})
	must(t, err)
	equal(t, "players found", len(all), 3)
	equal(t, "the third", all["third"].ID, "double")
}
