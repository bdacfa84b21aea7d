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
var DeletePlayer = ClubAct[string, None]{
	Name: "delete-player", May: auth.DeletePlayers,
	Do: func(c ClubCall, id string) (None, error) {
		p, err := c.People.Player(c.Ctx, id) // by an old id, if it was merged
		if err != nil {
			return None{}, err
		}
		if Owns(c.Who, p) {
			return None{}, auth.ErrOwnAccount
		}
		return None{}, erase(c, club.Erasure{Player: p.ID})
	},
}

// DeleteMe deletes the identity's account and its player; the input is the account's password.
var DeleteMe = ClubAct[string, None]{
	Name: "delete-me",
	Do: func(c ClubCall, password string) (None, error) {
		if c.Who.Method == auth.ByAPIToken {
			return None{}, auth.ErrSessionOnly
		}
		if err := c.Demand(auth.DeleteOwnAccount); err != nil {
			return None{}, err
		}
		if _, err := c.Guard.CheckPassword(c.Ctx, c.Who, password); err != nil {
			return None{}, err
		}
		return None{}, club.ToOwner(erase(c, club.Erasure{Player: c.Who.PlayerID, Account: c.Who.AccountID}))
	},
}

func erase(c ClubCall, e club.Erasure) error {
	e.At = c.Now().UnixMilli()
	defer c.nameChanged(e.Player)
	return c.Eraser.Erase(c.Ctx, e)
}
