package auth

import (
	"context"
	"errors"
	"strings"

	"quatuor/tournament/club"
)

// NewAccount is what somebody gives to open an account.
type NewAccount struct {
	Login      string
	Password   string
	PlayerName string // "" = no player yet
	Invitation string // where accounts need one
	Address    string // where the request comes from
}

// Register opens an account, and a player with it if a name was given. Errors: ErrClosed, ErrInvitation, an *InvalidField,
// club.ErrTaken, a *LimitError.
func (g *Guard) Register(ctx context.Context, n NewAccount) (club.Account, error) {
	var invitation string
	switch g.registration {
	case RegistrationOpen:
	case RegistrationInvite:
		hash, ok := HashSecret(club.Invitation, n.Invitation)
		if !ok {
			return club.Account{}, ErrInvitation
		}
		invitation = hash
	default:
		return club.Account{}, ErrClosed
	}
	if v := g.register.Take(AddressKey(n.Address)); !v.OK {
		return club.Account{}, &LimitError{v}
	}
	account, player, err := g.prepare(ctx, n, club.RolePlayer)
	if err != nil {
		return club.Account{}, err
	}
	if invitation == "" {
		return account, g.store.CreateAccount(ctx, account, player)
	}
	err = g.store.Invite(ctx, invitation, account.CreatedAt, account, player)
	if errors.Is(err, club.ErrNotFound) {
		err = ErrInvitation
	}
	return account, err
}

// Create opens an account with a role, whatever the setting says: for the command line.
func (g *Guard) Create(ctx context.Context, n NewAccount, role club.Role) (club.Account, error) {
	account, player, err := g.prepare(ctx, n, role)
	if err != nil {
		return club.Account{}, err
	}
	return account, g.store.CreateAccount(ctx, account, player)
}

func (g *Guard) prepare(ctx context.Context, n NewAccount, role club.Role) (club.Account, *club.Player, error) {
	if err := checkLogin(n.Login); err != nil {
		return club.Account{}, nil, err
	}
	if err := g.checkChoice(n.Login, n.Password); err != nil {
		return club.Account{}, nil, err
	}
	login := strings.ToLower(n.Login)
	hash, err := HashPassword(ctx, n.Password)
	if err != nil {
		return club.Account{}, nil, err
	}
	now := g.now().UnixMilli()
	account := club.Account{ID: newID(), Login: login, PasswordHash: hash, Role: role, CreatedAt: now}
	name := strings.TrimSpace(n.PlayerName)
	if name == "" {
		return account, nil, nil
	}
	player := &club.Player{
		ID: newID(), Name: name, AccountID: account.ID, CreatedBy: account.ID, CreatedAt: now, Version: 1,
	}
	account.PlayerID = player.ID
	return account, player, nil
}
