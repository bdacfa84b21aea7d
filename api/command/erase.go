package command

import (
	"context"

	"quatuor/api/auth"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// Eraser deletes persons; its errors are package club's, and account.ErrLastAdmin.
type Eraser interface {
	Erase(ctx context.Context, e club.Erasure) error
}

// Passwords confirms that a request is an account's owner's; *auth.Guard does.
type Passwords interface {
	CheckPassword(ctx context.Context, w auth.Identity, password string) (account.Account, error)
}

// DeletePlayer deletes a person: the player with its account. Only results are left. A second deletion changes
// nothing. Owners delete their own account with DeleteMe.
func (s *Service) DeletePlayer(ctx context.Context, id string) error {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.DeletePlayers); err != nil {
		return err
	}
	p, err := s.People.Player(ctx, id) // by an old id, if it was merged
	if err != nil {
		return err
	}
	if Owns(who, p) {
		return auth.ErrOwnAccount
	}
	return s.erase(ctx, club.Erasure{Player: p.ID})
}

// DeleteMe deletes the identity's account and its player, with the account's password.
func (s *Service) DeleteMe(ctx context.Context, password string) error {
	who := auth.From(ctx)
	if who.Method == auth.ByAPIToken {
		return auth.ErrSessionOnly
	}
	if err := who.Demand(who.Level(), auth.DeleteOwnAccount); err != nil {
		return err
	}
	if _, err := s.Passwords.CheckPassword(ctx, who, password); err != nil {
		return err
	}
	return club.ToOwner(s.erase(ctx, club.Erasure{Player: who.PlayerID, Account: who.AccountID}))
}

func (s *Service) erase(ctx context.Context, e club.Erasure) error {
	e.At = s.Now().UnixMilli()
	defer s.nameChanged(e.Player)
	return s.Eraser.Erase(ctx, e)
}
