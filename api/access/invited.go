package access

import (
	"context"

	"quatuor/api/auth"
	"quatuor/engine/table"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// People are players, and the accounts that act for them.
type People interface {
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
	Account(ctx context.Context, id string) (account.Account, error)
}

// SeatFault says why a player cannot take a seat of a casual game.
type SeatFault struct {
	Index  int // of the seat, from 0
	Detail string
}

// Invited returns the seats whose players have to accept a casual game before it starts: all but the asker's own, and those
// whose players are open to challenges. Seats of players that there are not, and of those who cannot accept, are faults.
func Invited(ctx context.Context, in People, who auth.Identity, ids []string) (invited table.SeatSet, faults []SeatFault, err error) {
	players, err := in.Players(ctx, ids)
	if err != nil {
		return 0, nil, err
	}
	for i, id := range ids {
		p, found := players[id]
		fault := "there is no such player"
		if found {
			if fault, err = unable(ctx, in, who, p); err != nil {
				return 0, nil, err
			}
		}
		if fault != "" {
			faults = append(faults, SeatFault{i, fault})
		}
		if id != who.PlayerID && !p.OpenToChallenges {
			invited = invited.With(int8(i + 1))
		}
	}
	return invited, faults, nil
}

// unable says why a player cannot agree to a game, "" for one who can.
func unable(ctx context.Context, in People, who auth.Identity, p club.Player) (string, error) {
	switch {
	case p.ID == who.PlayerID:
		return "", nil
	case p.AccountID == "":
		return p.Name + " has no account, and so cannot accept a game; people without an account play in tournaments", nil
	}
	account, err := in.Account(ctx, p.AccountID)
	if err != nil || account.DisabledAt == 0 {
		return "", err
	}
	return "the account of " + p.Name + " is closed, and so cannot accept a game", nil
}
