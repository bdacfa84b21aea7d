package command

import (
	"context"

	"quatuor/api/auth"
	"quatuor/tournament/club"
)

// Eraser deletes persons; its errors are package club's, and account.ErrLastAdmin.
type Eraser interface {
	Erase(ctx context.Context, e club.Erasure) error
}

// DeletePlayer deletes the person of a player's id: the player with its account. Only results are left. A second
// deletion changes nothing. Owners delete their own account with [DeleteMe].
var DeletePlayer = plain("delete-player", auth.DeletePlayers, func(c ClubCall, id string) error {
	p, err := c.People.Player(c.Ctx, id) // by an old id, if it was merged
	if err != nil {
		return err
	}
	if Owns(c.Who, p) {
		return auth.ErrOwnAccount
	}
	return erase(c, club.Erasure{Player: p.ID})
})

// DeleteMe deletes the identity's account and its player; the input is the account's password.
var DeleteMe = plain("delete-me", "", func(c ClubCall, password string) error {
	if c.Who.Method == auth.ByAPIToken {
		return auth.ErrSessionOnly
	}
	if err := c.Demand(auth.DeleteOwnAccount); err != nil {
		return err
	}
	if _, err := c.Guard.CheckPassword(c.Ctx, c.Who, password); err != nil {
		return err
	}
	return club.ToOwner(erase(c, club.Erasure{Player: c.Who.PlayerID, Account: c.Who.AccountID}))
})

func erase(c ClubCall, e club.Erasure) error {
	e.At = c.Now().UnixMilli()
	defer c.Names.changed(e.Player)
	return c.Eraser.Erase(c.Ctx, e)
}
