package command

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"

	"github.com/google/uuid"
	"quatuor/api/auth"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// CreatePlayers stores new players, all or none. They have ids of the caller's choice, or all "": if the first id is
// known, an earlier request has stored them all, and nothing is done.
var CreatePlayers = ClubAct[[]club.Player, []club.Player]{
	Name: "create-players", May: auth.CreatePlayers,
	Do: func(c ClubCall, players []club.Player) ([]club.Player, error) {
		at, before := c.Now().UnixMilli(), false
		if id := players[0].ID; id != "" {
			first, err := c.People.Player(c.Ctx, id)
			if before = err == nil; before {
				players[0], at = first, first.CreatedAt
			} else if !errors.Is(err, club.ErrNotFound) {
				return nil, err
			}
		}
		for i := range players {
			p := &players[i]
			if p.ID == "" {
				p.ID = uuid.Must(uuid.NewV7()).String()
			}
			p.CreatedBy = c.Who.AccountID
			p.CreatedAt = at
			p.Version = max(p.Version, 1)
		}
		if before {
			return players, nil
		}
		return players, c.People.CreatePlayer(c.Ctx, players...)
	},
}

// CompletePlayers fills in years of birth and clubs that players do not have yet. It takes the right to change each.
var CompletePlayers = plain("complete-players", "", func(c ClubCall, list []club.Player) error {
	for _, with := range list {
		_, err := Players.Update(c.Ctx, c.Service, On{ID: with.ID, Seen: new("*")}, func(p *club.Player) error {
			p.BirthYear, p.Club = cmp.Or(p.BirthYear, with.BirthYear), cmp.Or(p.Club, with.Club)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
})

// Players are changed by their owners, and with the right to edit all players.
var Players = Kept[club.Player]{
	Name: "player",
	Load: func(c ClubCall, on On) (club.Player, error) { return c.People.Player(c.Ctx, on.ID) },
	Allow: func(c ClubCall, p club.Player) error {
		if Owns(c.Who, p) {
			return c.Demand(auth.EditOwnPlayer)
		}
		return c.Demand(auth.EditPlayers)
	},
	Version: func(p club.Player) int64 { return p.Version },
	Save: func(c ClubCall, _ *club.Player, now club.Player) (club.Player, error) {
		from := now.Version
		now.Version++
		if err := c.People.UpdatePlayer(c.Ctx, now, from); err != nil {
			return now, err
		}
		c.Names.changed(now.ID)
		return now, nil
	},
}

// Owns reports whether a player belongs to the identity's account.
func Owns(who auth.Identity, p club.Player) bool {
	return p.AccountID != "" && p.AccountID == who.AccountID
}

// ClaimOffer is a player with the code that claims it for an account.
type ClaimOffer struct {
	club.Player
	Code string
}

// OfferClaim makes a code that claims the player of an id for an account; earlier codes of the player end.
var OfferClaim = ClubAct[string, ClaimOffer]{
	Name: "offer-claim", May: auth.OfferClaims,
	Do: func(c ClubCall, id string) (offer ClaimOffer, err error) {
		if offer.Player, err = c.People.Player(c.Ctx, id); err != nil {
			return offer, err
		}
		if offer.AccountID != "" {
			return offer, ErrClaimed
		}
		offer.Code, offer.ClaimHash = auth.NewClaimCode()
		offer.Player, err = Players.Save(c, nil, offer.Player)
		return offer, err
	},
}

// PlayerCode is a claim code with the player that it is for; "" for any player with the code.
type PlayerCode struct{ Player, Code string }

// ClaimPlayer assigns a player to the account that has its code. An account that names its own player has it already.
var ClaimPlayer = ClubAct[PlayerCode, club.Player]{
	Name: "claim", May: auth.ClaimPlayer,
	Do: func(c ClubCall, in PlayerCode) (club.Player, error) {
		if in.Player == "" {
			return c.Guard.Claim(c.Ctx, c.Who, in.Code)
		}
		p, err := c.People.Player(c.Ctx, in.Player)
		if err != nil || Owns(c.Who, p) { // the response to an earlier claim was lost
			return p, err
		}
		hash := auth.HashClaimCode(in.Code)
		switch {
		case c.Who.PlayerID != "":
			return p, account.ErrHasPlayer
		case p.AccountID != "":
			return p, ErrClaimed
		case p.ClaimHash == "" || subtle.ConstantTimeCompare([]byte(hash), []byte(p.ClaimHash)) != 1:
			return p, c.Guard.UnknownCode(c.Ctx, c.Who.Address, ErrWrongCode)
		}
		p, err = c.People.Claim(c.Ctx, hash, c.Who.AccountID)
		if errors.Is(err, account.ErrHasPlayer) || errors.Is(err, club.ErrNotFound) {
			p, err = claimedMeanwhile(c, in.Player, err)
		}
		if err == nil {
			c.Guard.AccountChanged(c.Who.AccountID)
		}
		return p, err
	},
}

// claimedMeanwhile returns the outcome of a claim that lost a race: if the same account won it, it has the player.
func claimedMeanwhile(c ClubCall, id string, refusal error) (club.Player, error) {
	p, err := c.People.Player(c.Ctx, id)
	switch {
	case err != nil || Owns(c.Who, p):
		return p, err
	case errors.Is(refusal, club.ErrNotFound) && p.AccountID != "":
		return p, ErrClaimed
	case errors.Is(refusal, club.ErrNotFound):
		return p, ErrWrongCode // its code has changed
	}
	return p, refusal
}

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

// OwnPlayer returns the player of the identity's account; ErrNoPlayer without one.
func (s *Service) OwnPlayer(ctx context.Context) (club.Player, error) {
	who := auth.From(ctx)
	if who.PlayerID == "" {
		return club.Player{}, ErrNoPlayer
	}
	p, err := s.People.Player(ctx, who.PlayerID)
	if err == nil && p.AccountID != who.AccountID {
		err = ErrNoPlayer // another account has claimed it just now
	}
	return p, err
}

// Block takes no more challenges from the player of an id.
var Block = onOwnPlayer("block", func(c ClubCall, p club.Player, other string) error {
	if other == p.ID {
		return Invalid("/player_id", "a player cannot block themselves")
	}
	err := c.People.Block(c.Ctx, club.Block{Player: p.ID, Blocked: other, At: c.Now().UnixMilli()})
	if errors.Is(err, club.ErrNotFound) {
		return Invalid("/player_id", club.ErrNotFound.Error())
	}
	return err
})

// Unblock takes challenges from the player of an id again.
var Unblock = onOwnPlayer("unblock", func(c ClubCall, p club.Player, other string) error {
	return c.People.Unblock(c.Ctx, p.ID, other)
})

// Challenges are limits on challenges to a player; nil leaves a limit unchanged.
type Challenges struct {
	Open, Closed *bool
	AtOnce       *int32 // how many may be under way
}

// SetChallenges sets how the identity's player takes challenges.
var SetChallenges = onOwnPlayer("challenges", func(c ClubCall, p club.Player, in Challenges) error {
	before := p
	if in.Open != nil {
		p.OpenToChallenges = *in.Open
		p.ClosedToChallenges = p.ClosedToChallenges && !*in.Open
	}
	if in.Closed != nil {
		p.ClosedToChallenges = *in.Closed
		p.OpenToChallenges = p.OpenToChallenges && !*in.Closed
	}
	if in.AtOnce != nil {
		p.ChallengesAtOnce = int(*in.AtOnce)
	}
	if p.OpenToChallenges == before.OpenToChallenges && p.ClosedToChallenges == before.ClosedToChallenges &&
		p.ChallengesAtOnce == before.ChallengesAtOnce {
		return nil
	}
	_, err := Players.Save(c, nil, p)
	return err
})

// onOwnPlayer describes an act on the player of the identity's account.
func onOwnPlayer[In any](name string, do func(ClubCall, club.Player, In) error) ClubAct[In, None] {
	return plain(name, auth.PlayGames, func(c ClubCall, in In) error {
		p, err := c.OwnPlayer(c.Ctx)
		if err != nil {
			return err
		}
		return do(c, p, in)
	})
}
