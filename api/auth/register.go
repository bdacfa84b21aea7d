package auth

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"quatuor/engine/botid"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// NewAccount is the data of an account to open.
type NewAccount struct {
	Login      string
	Password   string
	PlayerName string // "" = no player yet
	Invitation string // where accounts need an invitation
	ClaimCode  string // of the account's player in the list; it replaces an invitation
	Language   string // of the pages, "" for the browser's choice
	Address    string // where the request comes from
	Bot        bool   // a program plays, which the player shows everywhere
}

// Registration returns the current setting.
func (g *Guard) Registration(ctx context.Context) Registration { return g.decided(ctx) }

// Register opens an account, and a player with it if a name was given, or for the player of the claim code. No account
// can be opened while a set-up is due. Errors: ErrNotSetUp, ErrClosed, ErrInvitation, ErrClaimCode, an *InvalidField,
// account.ErrTaken, a *LimitError.
func (g *Guard) Register(ctx context.Context, n NewAccount) (account.Account, error) {
	if due, err := g.NeedsSetup(ctx); err != nil || due {
		return account.Account{}, cmp.Or(err, ErrNotSetUp)
	}
	with, err := g.admit(ctx, n)
	if err != nil {
		return account.Account{}, err
	}
	// A request with a code is counted by the code alone, so that others behind the same address cannot block it.
	key := cmp.Or(with.claim, with.invitation, AddressKey(n.Address))
	if _, _, err := g.count(ctx, try{counter: g.register, key: key}); err != nil {
		return account.Account{}, err
	}
	if with.claim != "" {
		n.PlayerName = ""
	}
	opened, player, err := g.prepare(ctx, n, account.RolePlayer)
	if err != nil {
		return account.Account{}, err
	}
	switch {
	case with.claim != "":
		var claimed club.Player
		claimed, err = g.store.CreateAccountFor(ctx, with.claim, opened)
		opened.PlayerID = claimed.ID
		if errors.Is(err, club.ErrNotFound) { // another account was faster
			err = ErrClaimCode
		}
	case with.invitation != "":
		err = g.store.Invite(ctx, with.invitation, opened.CreatedAt, opened, player)
		if errors.Is(err, account.ErrNotFound) {
			err = ErrInvitation
		}
	default:
		err = g.store.CreateAccount(ctx, opened, player)
	}
	return opened, err
}

// admission holds the hashes of the good codes that an account is opened with, "" for none.
type admission struct{ invitation, claim string }

// admit returns the terms of a new account, or the reason of a refusal.
func (g *Guard) admit(ctx context.Context, n NewAccount) (admission, error) {
	registration := g.decided(ctx)
	if registration != RegistrationOpen && registration != RegistrationInvite {
		return admission{}, ErrClosed
	}
	if n.ClaimCode != "" {
		hash := HashClaimCode(n.ClaimCode)
		return admission{claim: hash}, g.claimable(ctx, hash, n.Address)
	}
	hash, ok := HashSecret(account.Invitation, n.Invitation)
	switch {
	case ok:
		return admission{invitation: hash}, g.invitation(ctx, hash, n.Address) // it may bring a role
	case registration == RegistrationOpen:
		return admission{}, nil
	case n.Invitation == "":
		return admission{}, ErrInvitation
	}
	return admission{}, g.UnknownCode(ctx, n.Address, ErrInvitation)
}

// Create opens an account with a role, whatever the setting of registration: for the command line.
func (g *Guard) Create(ctx context.Context, n NewAccount, role account.Role) (account.Account, error) {
	opened, player, err := g.prepare(ctx, n, role)
	if err != nil {
		return account.Account{}, err
	}
	return opened, g.store.CreateAccount(ctx, opened, player)
}

// CheckNew refuses logins and passwords that no account can have, with an [InvalidField]. It does not look whether the
// login is taken.
func (g *Guard) CheckNew(ctx context.Context, login, password string) error {
	if err := checkLogin(login); err != nil {
		return err
	}
	return g.checkChoice(ctx, login, password)
}

func (g *Guard) prepare(ctx context.Context, n NewAccount, role account.Role) (account.Account, *club.Player, error) {
	if err := g.CheckNew(ctx, n.Login, n.Password); err != nil {
		return account.Account{}, nil, err
	}
	login := strings.ToLower(n.Login)
	hash, err := g.HashPassword(ctx, n.Password)
	if err != nil {
		return account.Account{}, nil, err
	}
	now := g.now().UnixMilli()
	opened := account.Account{
		ID: newID(), Login: login, PasswordHash: hash, Role: role, CreatedAt: now, Language: n.Language,
	}
	name := strings.TrimSpace(n.PlayerName)
	if name == "" {
		return opened, nil, nil
	}
	id := newID()
	if n.Bot {
		id = botid.OfAccount(id)
	}
	player := &club.Player{
		ID: id, Name: name, AccountID: opened.ID, CreatedBy: opened.ID, CreatedAt: now, Version: 1,
	}
	opened.PlayerID = player.ID
	return opened, player, nil
}
