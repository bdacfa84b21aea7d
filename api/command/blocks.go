package command

import (
	"context"
	"errors"

	"quatuor/api/auth"
	"quatuor/tournament/club"
)

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
