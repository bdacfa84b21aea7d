package auth

import (
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
	Address    string // where the request comes from
}

// Register opens an account, and a player with it if a name was given. Errors: ErrClosed, ErrInvitation, an *InvalidField,
// account.ErrTaken, a *LimitError.
func (g *Guard) Register(ctx context.Context, n NewAccount) (account.Account, error) {
	var invitation string
	switch g.registration {
	case RegistrationOpen:
	case RegistrationInvite:
		hash, ok := HashSecret(account.Invitation, n.Invitation)
		if !ok {
			return account.Account{}, ErrInvitation
		}
		invitation = hash
	default:
		return account.Account{}, ErrClosed
	}
	if v := g.register.Take(AddressKey(n.Address)); !v.OK {
		return account.Account{}, &LimitError{v}
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

// Create opens an account with a role, whatever the setting of registration: for the command line.
func (g *Guard) Create(ctx context.Context, n NewAccount, role account.Role) (account.Account, error) {
	opened, player, err := g.prepare(ctx, n, role)
	if err != nil {
		return account.Account{}, err
	}
	return opened, g.store.CreateAccount(ctx, opened, player)
}

func (g *Guard) prepare(ctx context.Context, n NewAccount, role account.Role) (account.Account, *club.Player, error) {
	if err := checkLogin(n.Login); err != nil {
		return account.Account{}, nil, err
	}
	if err := g.checkChoice(n.Login, n.Password); err != nil {
		return account.Account{}, nil, err
	}
	login := strings.ToLower(n.Login)
	hash, err := HashPassword(ctx, n.Password)
	if err != nil {
		return account.Account{}, nil, err
	}
	now := g.now().UnixMilli()
	opened := account.Account{ID: newID(), Login: login, PasswordHash: hash, Role: role, CreatedAt: now}
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
