package auth

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// NewAccount is the data of an account to open.
type NewAccount struct {
	Login      string
	Password   string
	PlayerName string // "" = no player yet
	Invitation string // where accounts need one
	ClaimCode  string // of a player in the list, for whom the account is; it also stands for an invitation
	Language   string // of the pages, "" for the browser's choice
	Address    string // where the request comes from
}

// Registration returns the setting of who may open an account, as it is now.
func (g *Guard) Registration(ctx context.Context) Registration { return g.decided(ctx) }

// Register opens an account, and a player with it if a name was given, or for the player whose claim code was given.
// While a set-up is due nobody opens an account. Errors: ErrNotSetUp, ErrClosed, ErrInvitation, ErrClaimCode, an
// *InvalidField, account.ErrTaken, a *LimitError.
func (g *Guard) Register(ctx context.Context, n NewAccount) (account.Account, error) {
	if due, err := g.NeedsSetup(ctx); err != nil || due {
		return account.Account{}, cmp.Or(err, ErrNotSetUp)
	}
	invitation, err := g.admission(ctx, n)
	if err != nil {
		return account.Account{}, err
	}
	if _, _, err := g.count(ctx, try{counter: g.register, key: AddressKey(n.Address)}); err != nil {
		return account.Account{}, err
	}
	if n.ClaimCode != "" {
		return g.registerFor(ctx, n)
	}
	opened, player, err := g.prepare(ctx, n, account.RolePlayer)
	if err != nil {
		return account.Account{}, err
	}
	if invitation == "" {
		return opened, g.store.CreateAccount(ctx, opened, player)
	}
	err = g.store.Invite(ctx, invitation, opened.CreatedAt, opened, player)
	if errors.Is(err, account.ErrNotFound) {
		err = ErrInvitation
	}
	return opened, err
}

// admission returns the hash of the invitation that an account is opened with, "" where it needs none.
func (g *Guard) admission(ctx context.Context, n NewAccount) (string, error) {
	switch g.decided(ctx) {
	case RegistrationOpen:
		if hash, ok := HashSecret(account.Invitation, n.Invitation); ok {
			return hash, nil // it may bring a role
		}
		return "", nil
	case RegistrationInvite:
		if n.ClaimCode != "" {
			return "", nil
		}
		hash, ok := HashSecret(account.Invitation, n.Invitation)
		if !ok {
			return "", ErrInvitation
		}
		return hash, nil
	case RegistrationClosed:
	}
	return "", ErrClosed
}

// registerFor opens an account for a player who is in the list.
func (g *Guard) registerFor(ctx context.Context, n NewAccount) (account.Account, error) {
	guess, _, err := g.count(ctx, try{counter: g.codes, key: AddressKey(n.Address)})
	if err != nil {
		return account.Account{}, err
	}
	n.PlayerName = ""
	opened, _, err := g.prepare(ctx, n, account.RolePlayer)
	if err == nil {
		var player club.Player
		player, err = g.store.CreateAccountFor(ctx, HashClaimCode(n.ClaimCode), opened)
		opened.PlayerID = player.ID
	}
	if errors.Is(err, club.ErrNotFound) {
		return account.Account{}, ErrClaimCode
	}
	guess.back(ctx)
	return opened, err
}

// Create opens an account with a role, whatever the setting of registration: for the command line.
func (g *Guard) Create(ctx context.Context, n NewAccount, role account.Role) (account.Account, error) {
	opened, player, err := g.prepare(ctx, n, role)
	if err != nil {
		return account.Account{}, err
	}
	return opened, g.store.CreateAccount(ctx, opened, player)
}

// CheckNew refuses logins and passwords that no account can have, with an [InvalidField]. It does not look whether the login
// is taken.
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
	opened := account.Account{ID: newID(), Login: login, PasswordHash: hash, Role: role, CreatedAt: now, Language: n.Language}
	name := strings.TrimSpace(n.PlayerName)
	if name == "" {
		return opened, nil, nil
	}
	player := &club.Player{
		ID: newID(), Name: name, AccountID: opened.ID, CreatedBy: opened.ID, CreatedAt: now, Version: 1,
	}
	opened.PlayerID = player.ID
	return opened, player, nil
}
